#include "base/json_fields.h"
#include "cli/ask.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

void print_handles(const Json& answer) {
  const JsonArray* handles = array_field(object_or_empty(answer), "handles");
  Table table({"HANDLE", "STATUS", "AGENT", "INSTANCE", "TOOL", "CREATED"});
  for (const Json& item : handles == nullptr ? JsonArray{} : *handles) {
    const JsonObject& handle = object_or_empty(item);
    table.add({text_field(handle, "handle"), text_field(handle, "status"),
               text_field(handle, "agent"), text_field(handle, "instanceKey"),
               text_field(handle, "toolName"), text_field(handle, "createdAt")});
  }
  if (table.empty()) return print_error_line("no pending results");
  print(table.text());
}

// `--output` is JSON, or text if it is none; `--error` is the message of an error.
JsonObject completion(const HandlesRequest& request) {
  JsonObject params{{"handle", request.handle}};
  if (request.error) {
    params["error"] = error_json(tool_error(*request.error));
    return params;
  }
  const std::string text = request.output.value_or("null");
  Result<Json> output = parse_json(text);
  params["output"] = output.ok() ? *std::move(output) : Json(text);
  return params;
}

Result<Json> act(const HandlesRequest& request, const Workspace& workspace) {
  const Deadline soon = Clock::now() + kReplyTime;
  switch (request.verb) {
    case HandlesVerb::List:
      return ask_either(workspace, "handles.list", {{"includeAll", true}}, soon);
    case HandlesVerb::Complete:
      return ask_either(workspace, "handles.complete", completion(request), soon);
    case HandlesVerb::Cancel:
      return ask_either(workspace, "handles.cancel", {{"handle", request.handle}}, soon);
    case HandlesVerb::Wait:
      return ask_either(workspace, "handles.wait",
                        {{"handle", request.handle}, {"timeoutMs", request.timeout.count()}},
                        soon + request.timeout);
  }
  return Error{.code = ErrorCode::Internal, .message = "unknown verb"};
}

Result<ExitCode> handles(const HandlesRequest& request) {
  const Workspace workspace = GDN_TRY(choose_workspace(request.where));
  const Json answer = GDN_TRY(act(request, workspace));
  if (request.json == Answer::Yes) {
    print_line(to_text(answer));
  } else if (request.verb == HandlesVerb::List) {
    print_handles(answer);
  } else {
    print_line(to_pretty_text(answer));
  }
  const bool still = text_field(object_or_empty(answer), "status") == "pending";
  return request.verb == HandlesVerb::Wait && still ? ExitCode::Limit : ExitCode::Ok;
}

}  // namespace

ExitCode run_handles(const HandlesRequest& request) {
  return finish_command(handles(request));
}

}  // namespace goondan::cli
