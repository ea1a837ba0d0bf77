#include "cli/call_parts.h"

#include <filesystem>
#include <unistd.h>

#include "base/json_fields.h"
#include "cli/call_arguments.h"
#include "cli/terminal.h"
#include "os/wait.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kReadChunk = std::size_t{64} << 10;
constexpr std::string_view kCallId = "call_1";

void print_result(const ToolCallResult& result, Answer json) {
  const Json document = result.to_json();
  print_line(json == Answer::Yes ? to_text(document) : to_pretty_text(document));
  if (result.error && is_terminal(Stream::Err)) print_error(*result.error);
}

}  // namespace

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

Result<ToolCall> make_tool_call(const CallWords& request, const ToolCatalog& catalog,
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

Result<std::shared_ptr<const CallScope>> make_call_scope(const std::optional<std::string>& folder,
                                                         const JsonObject& surroundings) {
  std::error_code failed;
  const std::string given = folder.value_or(".");
  const std::filesystem::path workdir = std::filesystem::canonical(given, failed);
  if (failed || !std::filesystem::is_directory(workdir, failed)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "--workdir '" + given + "' is not a folder",
                 .suggestion = "Give an existing folder."};
  }
  return std::make_shared<const CallScope>(CallScope{.instance_key = "cli",
                                                     .turn_id = "turn_1",
                                                     .trace_id = std::string(32, '0'),
                                                     .workdir = workdir.string(),
                                                     .origin = any_field(surroundings, "origin"),
                                                     .auth = any_field(surroundings, "auth")});
}

std::shared_ptr<ProgressLine> make_progress_line() {
  using Show = ProgressLine::Show;
  return std::make_shared<ProgressLine>(is_terminal(Stream::Err) ? Show::LogAndLine
                                                                 : Show::LogOnly);
}

ExitCode finish_call(const ToolExecutor& executor, const ToolCallResult& result, Answer json,
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

}  // namespace goondan::cli
