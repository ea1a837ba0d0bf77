#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <goondan/goondan.h>

#include "cli/bundle_choice.h"
#include "cli/call_arguments.h"
#include "cli/call_grants.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "os/wait.h"
#include "resource/bundle_files.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kReadChunk = std::size_t{64} << 10;
constexpr std::string_view kCallId = "call_1";

// Standard input up to one byte past the limit for arguments; the parser then says what is wrong.
// What has come so far if it is interrupted: the call is cancelled then.
std::string read_standard_input(const Interrupt& interrupt) {
  const std::size_t limit = JsonLimits{}.max_bytes + 1;
  const os::StopWaker stop(interrupt.token());
  std::string text;
  while (text.size() < limit &&
         os::wait_readable(STDIN_FILENO, Deadline::max(), stop) == os::Wake::Ready) {
    const std::size_t before = text.size();
    text.resize(std::min(before + kReadChunk, limit));
    const ssize_t got = ::read(STDIN_FILENO, text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
  }
  return text;
}

Result<ToolCall> make_call(const CallRequest& request, const ToolCatalog& catalog,
                           const Interrupt& interrupt) {
  if (request.input && !request.words.empty()) {
    return Error{.code = ErrorCode::Usage,
                 .message = "both --input and key=value arguments are given",
                 .suggestion = "Use one of the two."};
  }
  if (request.input) {
    const std::string text =
        *request.input == "-" ? read_standard_input(interrupt) : *request.input;
    return ToolCall::from_text(std::string(kCallId), request.tool, text);
  }
  const CatalogEntry* entry = catalog.find(request.tool);
  JsonObject input =
      GDN_TRY(parse_call_arguments(request.words, entry == nullptr ? nullptr : &entry->item()));
  return ToolCall{.id = std::string(kCallId), .name = request.tool, .input = std::move(input)};
}

Result<std::shared_ptr<const CallScope>> make_scope(const CallRequest& request) {
  std::error_code failed;
  const std::string given = request.workdir.value_or(".");
  const std::filesystem::path workdir = std::filesystem::canonical(given, failed);
  if (failed || !std::filesystem::is_directory(workdir, failed)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "--workdir '" + given + "' is not a folder",
                 .suggestion = "Give an existing folder."};
  }
  return std::make_shared<const CallScope>(CallScope{.agent_name = "cli",
                                                     .instance_key = "cli",
                                                     .turn_id = "turn_1",
                                                     .trace_id = std::string(32, '0'),
                                                     .workdir = workdir.string()});
}

// The tool of the bundle that has an export of this name; null if none has.
const ToolResource* tool_of(const Bundle& bundle, const std::string& name) {
  for (const ToolResource& tool : bundle.tools()) {
    for (const ToolExport& exported : tool.exports) {
      if (tool.visible_name(exported) == name) return &tool;
    }
  }
  return nullptr;
}

void print_result(const ToolCallResult& result, Answer json) {
  const Json document = result.to_json();
  print_line(json == Answer::Yes ? to_text(document) : to_pretty_text(document));
  if (result.error && is_terminal(Stream::Err)) print_error(*result.error);
}

// A bundle's tools must not change the bundle. Whoever names its folder, or one in it, as the
// workdir means it.
std::vector<std::string> guarded_folders(const CallRequest& request, const Bundle& bundle) {
  std::error_code failed;
  const auto workdir = std::filesystem::canonical(request.workdir.value_or("."), failed);
  const bool meant = request.workdir && !failed && is_beneath(bundle.root(), workdir);
  return meant ? std::vector<std::string>{} : std::vector<std::string>{bundle.root().string()};
}

// Loads only the tool that is called, so that the others cost nothing.
Result<void> load_called(ToolRegistry& registry, const std::string& called,
                         const std::optional<Bundle>& bundle, BuiltinOptions builtin,
                         const Interrupt& interrupt) {
  const ToolResource* tool = bundle ? tool_of(*bundle, called) : nullptr;
  if (tool != nullptr) {
    return add_bundle_tools(registry, *bundle,
                            {.only = tool->meta.name, .stop = interrupt.token()});
  }
  const std::optional<ToolName> name = ToolName::parse(called);
  if (!name) return {};
  builtin.only = {name->resource};
  const std::string granted = bundle_grants(bundle);
  if (!granted.empty()) print_error_line("note: the bundle's policy grants " + granted);
  return add_builtin_tools(registry, builtin);
}

// Without a bundle there are the built-in tools only.
Error not_built_in(const ToolCatalog& catalog, const std::string& called) {
  const std::string near = catalog.nearest_name(called);
  return {
      .code = ErrorCode::ConfigFileNotFound,
      .message = "there is no built-in tool '" + called + "', and no goondan.yaml in this folder",
      .suggestion = (near.empty() ? "" : "Did you mean " + near + "? ") +
                    "Name the bundle with --bundle DIR, or make one with `gdn init`."};
}

std::shared_ptr<ProgressLine> make_progress_line() {
  using Show = ProgressLine::Show;
  return std::make_shared<ProgressLine>(is_terminal(Stream::Err) ? Show::LogAndLine
                                                                 : Show::LogOnly);
}

// Prints the result and says how to end.
ExitCode finish(const ToolExecutor& executor, const ToolCallResult& result, Answer json,
                const Interrupt& interrupt) {
  print_result(result, json);
  if (executor.stats().abandoned > 0) {
    // A handler still runs in this process; waiting for it could take for ever.
    const ExitCode code = interrupt.requested() ? ExitCode::Interrupted : ExitCode::Error;
    _exit(number(finish_output(code)));
  }
  if (interrupt.requested()) return ExitCode::Interrupted;
  return result.status == CallStatus::Error ? ExitCode::Error : ExitCode::Ok;
}

Result<ExitCode> call(const CallRequest& request, const Interrupt& interrupt) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(request.bundle));
  const Policy policy = GDN_TRY(call_policy(request, bundle));
  const std::shared_ptr<Redactor> redactor = make_redactor();
  const auto progress = make_progress_line();
  ToolRegistry registry;
  progress->begin("loading " + request.tool);
  const Result<void> loaded = load_called(
      registry, request.tool, bundle,
      {.policy = policy,
       .guarded_folders = bundle ? guarded_folders(request, *bundle) : std::vector<std::string>{},
       .redactor = redactor},
      interrupt);
  progress->end();
  GDN_TRY(loaded);
  const ToolCatalog catalog = GDN_TRY(callable_tools(bundle));
  if (!bundle && catalog.find(request.tool) == nullptr) return not_built_in(catalog, request.tool);
  const ToolCall tool_call = GDN_TRY(make_call(request, catalog, interrupt));
  const auto scope = GDN_TRY(make_scope(request));
  const auto timeout = policy.tool_timeout.value_or(std::chrono::milliseconds{0});

  const ToolExecutor executor(registry, {.observers = {progress}, .redactor = redactor});
  const ToolCallResult result =
      executor.run(catalog, tool_call,
                   {.scope = scope,
                    .stop = interrupt.token(),
                    .timeout = request.timeout.count() > 0 ? request.timeout : timeout});
  return finish(executor, result, request.json, interrupt);
}

}  // namespace

ExitCode run_call(const CallRequest& request) {
  const Interrupt interrupt;
  const Result<ExitCode> code = call(request, interrupt);
  if (code.ok()) return *code;
  print_error(code.error());
  return interrupt.requested() ? ExitCode::Interrupted : exit_code_for(code.error().code);
}

}  // namespace goondan::cli
