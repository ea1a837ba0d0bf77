#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <goondan/goondan.h>

#include "cli/bundle_choice.h"
#include "cli/call_arguments.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "os/wait.h"
#include "resource/builtin_names.h"
#include "tool/declared.h"

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
  const std::filesystem::path workdir = std::filesystem::canonical(request.workdir, failed);
  if (failed || !std::filesystem::is_directory(workdir, failed)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "--workdir '" + request.workdir + "' is not a folder",
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

// The bundle's own limit, if it has one swarm and that sets one; 0 otherwise.
std::chrono::milliseconds policy_timeout(const Bundle& bundle) {
  if (bundle.swarms().size() != 1) return {};
  return bundle.swarms().front().policy.tool_timeout.value_or(std::chrono::milliseconds{0});
}

// The names of built-in tools are known, so that bundles which use them are valid.
Result<void> refuse_builtin(const std::string& name) {
  const std::optional<ToolName> parsed = ToolName::parse(name);
  if (!parsed || !is_builtin_tool(parsed->resource)) return {};
  return Error{
      .code = ErrorCode::HostUnavailable,
      .message = "the built-in tool '" + parsed->resource + "' is not part of this version",
      .suggestion = "`gdn tools` lists what can be called."};
}

struct Prepared {
  ToolCatalog catalog;
  std::chrono::milliseconds timeout;
};

// Loads only the tool that is called, so that the others cost nothing.
Result<Prepared> prepare(const CallRequest& request, ToolRegistry& registry, ProgressLine& progress,
                         const Interrupt& interrupt) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(request.bundle));
  if (!bundle) {
    return Error{.code = ErrorCode::ConfigFileNotFound,
                 .message = "there is no goondan.yaml in this folder",
                 .suggestion = "Name the bundle with --bundle DIR, or make one with `gdn init`."};
  }
  const ToolResource* tool = tool_of(*bundle, request.tool);
  if (tool == nullptr) GDN_TRY(refuse_builtin(request.tool));
  if (tool != nullptr) {
    progress.begin("loading " + tool->meta.name);
    const Result<void> added =
        add_bundle_tools(registry, *bundle, {.only = tool->meta.name, .stop = interrupt.token()});
    progress.end();
    GDN_TRY(added);
  }
  ToolCatalog catalog = GDN_TRY(declared_catalog(*bundle));
  return Prepared{
      .catalog = std::move(catalog),
      .timeout = request.timeout.count() > 0 ? request.timeout : policy_timeout(*bundle)};
}

Result<ExitCode> call(const CallRequest& request, const Interrupt& interrupt) {
  const auto show =
      is_terminal(Stream::Err) ? ProgressLine::Show::LogAndLine : ProgressLine::Show::LogOnly;
  const auto progress = std::make_shared<ProgressLine>(show);
  ToolRegistry registry;
  const Prepared prepared = GDN_TRY(prepare(request, registry, *progress, interrupt));
  const ToolCall tool_call = GDN_TRY(make_call(request, prepared.catalog, interrupt));
  const auto scope = GDN_TRY(make_scope(request));

  const ToolExecutor executor(registry, {.observers = {progress}});
  const ToolCallResult result =
      executor.run(prepared.catalog, tool_call,
                   {.scope = scope, .stop = interrupt.token(), .timeout = prepared.timeout});
  print_result(result, request.json);
  if (executor.stats().abandoned > 0) {
    // A handler still runs in this process; waiting for it could take for ever.
    const ExitCode code = interrupt.requested() ? ExitCode::Interrupted : ExitCode::Error;
    _exit(number(finish_output(code)));
  }
  if (interrupt.requested()) return ExitCode::Interrupted;
  return result.status == CallStatus::Error ? ExitCode::Error : ExitCode::Ok;
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
