#include "host/native/load_native.h"

#include "host/native/call_context.h"
#include "host/native/check_extension.h"
#include "host/native/check_handlers.h"
#include "host/native/in_process.h"
#include "host/native/plugin_library.h"
#include "host/native/program_paths.h"
#include "host/native/source_build.h"
#include "host/native/worker_pool.h"
#include "tool/declared.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

// The handler of an export, and how it wants to be run.
struct Backend {
  ToolHandler handler;
  HandlerThread thread;
};
using MakeBackend = std::function<Backend(const std::string& export_name)>;

// What a worker says goes where a handler in our own process would say it.
class ContextHost final : public ToolHost {
 public:
  explicit ContextHost(ToolContext& context) : context_(context) {}

  void log(LogLevel level, std::string_view text) override { context_.log(level, text); }
  void progress(const Progress& progress) override {
    context_.progress(progress.done, progress.total, progress.text);
  }
  Result<Json> request(std::string_view method, const Json& params) override {
    return context_.request(method, params);
  }

 private:
  ToolContext& context_;
};

Result<void> check_exports(const ToolResource& tool, const std::vector<std::string>& handlers) {
  GDN_TRY(check_no_extension(tool.meta.name, handlers));
  return check_handlers(tool.meta.name, export_names(tool), handlers);
}

Result<Json> call_worker(WorkerPool& pool, std::string_view export_name, ToolContext& context,
                         const JsonObject& input) {
  ContextHost host(context);
  const std::string input_json = input_text(input);
  const std::string context_json = context_text(context);
  return pool.call({.export_name = export_name,
                    .input = input_json,
                    .context = context_json,
                    .deadline = context.deadline(),
                    .stop = context.stop(),
                    .host = host});
}

Result<MakeBackend> start_workers(const ToolResource& tool, const fs::path& library,
                                  const std::stop_token& stop) {
  const fs::path program = GDN_TRY(worker_program());
  // Shared by the handlers of the tool's exports; the last of them ends the workers.
  const auto pool = std::make_shared<WorkerPool>(
      WorkerOptions{.program = program, .plugin = library, .name = tool.meta.name});
  const Hello hello = GDN_TRY(pool->start(stop));
  GDN_TRY(check_exports(tool, hello.exports));
  return MakeBackend([pool](const std::string& name) -> Backend {
    return {.handler =
                [pool, name](ToolContext& context, const JsonObject& input) {
                  return call_worker(*pool, name, context, input);
                },
            .thread = HandlerThread::Caller};
  });
}

Result<MakeBackend> load_here(const ToolResource& tool, const fs::path& path) {
  const auto library = GDN_TRY(PluginLibrary::load(path));
  GDN_TRY(check_exports(tool, library->export_names()));
  return MakeBackend([library](const std::string& name) -> Backend {
    return {.handler =
                [library, exported = library->find(name)](ToolContext& context,
                                                          const JsonObject& input) {
                  return call_in_process(*exported, context, input);
                },
            .thread = HandlerThread::Own};
  });
}

// Is `path` below `root`? Both are real paths.
bool is_inside(const fs::path& path, const fs::path& root) {
  const fs::path relative = path.lexically_relative(root);
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

}  // namespace

Result<fs::path> resolve_entry(const fs::path& root, std::string_view entry) {
  std::error_code problem;
  const fs::path real_root = fs::canonical(root, problem);
  const fs::path path = problem ? fs::path() : fs::canonical(real_root / entry, problem);
  if (problem) {
    return Error{
        .code = ErrorCode::ConfigEntryNotFound,
        .message = "entry '" + std::string(entry) + "' cannot be opened: " + problem.message(),
        .suggestion = "Name a file inside the bundle, relative to its folder."};
  }
  if (is_inside(path, real_root)) return path;
  return Error{.code = ErrorCode::ConfigEntryOutsideBundle,
               .message = "entry '" + std::string(entry) + "' leads out of the bundle, to '" +
                          path.string() + "'",
               .suggestion = "Put the file, not a link to it, into the bundle."};
}

Result<void> add_native_tool(ToolRegistry& registry, const Bundle& bundle, const ToolResource& tool,
                             const std::stop_token& stop) {
  fs::path path = GDN_TRY(resolve_entry(bundle.root(), tool.entry));
  if (is_plugin_source(path)) {
    const SdkPaths sdk = GDN_TRY(sdk_paths());
    path = GDN_TRY(build_plugin(path, sdk, stop));
  }
  const MakeBackend make_backend =
      GDN_TRY(tool.isolation == Isolation::InProcess ? load_here(tool, path)
                                                     : start_workers(tool, path, stop));
  for (const ToolExport& exported : tool.exports) {
    Backend backend = make_backend(exported.name);
    GDN_TRY(registry.add({.item = declared_item(tool, exported),
                          .handler = std::move(backend.handler),
                          .thread = backend.thread,
                          .error_message_limit = tool.error_message_limit}));
  }
  return {};
}

}  // namespace goondan
