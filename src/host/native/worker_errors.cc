// What to say when a worker does not give an orderly answer.
#include "host/native/plugin_worker.h"

namespace goondan {
namespace {

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// "crashed with SIGSEGV", "called exit(3)"
std::string describe(const std::optional<os::ExitStatus>& status) {
  if (!status) return "closed its connection";
  if (status->how == os::ExitStatus::How::Exited) {
    return "called exit(" + std::to_string(status->number) + ")";
  }
  return "crashed with " + status->text();
}

}  // namespace

Error PluginWorker::load_failed(const WorkerEvent& event) {
  const std::string name = "plugin " + in_quotes(options_.name);
  const std::string place = "Look at the static constructors of " + options_.plugin.string();
  switch (event.kind) {
    case WorkerEvent::Kind::Stopped:
      return {.code = ErrorCode::ToolCancelled,
              .message = "the call was cancelled while " + name + " was loading"};
    case WorkerEvent::Kind::TimedOut:
      return {.code = ErrorCode::PluginLoad,
              .message = name + " did not finish loading in time",
              .suggestion = place + "."};
    case WorkerEvent::Kind::Ended: {
      Error error = crashed("loading");
      error.code = ErrorCode::PluginLoad;
      error.suggestion = place + "; its worker is " + options_.program.string() + ".";
      return error;
    }
    case WorkerEvent::Kind::Garbage:
    case WorkerEvent::Kind::Frame:
      break;
  }
  return broken(event.problem);
}

Error PluginWorker::crashed(std::string_view doing) {
  const std::string how = describe(process_.end_status());
  process_.end();
  return {
      .code = ErrorCode::ToolCrash,
      .message = "plugin " + in_quotes(options_.name) + " " + how + " while " + std::string(doing),
      .suggestion =
          "This is a bug in the plugin. The next call gets a fresh worker; try other "
          "arguments, or another tool."};
}

Error PluginWorker::interrupted(WorkerEvent::Kind kind, const WorkerCall& call) {
  cancel();
  const std::string name = in_quotes(call.export_name) + " of plugin " + in_quotes(options_.name);
  if (kind == WorkerEvent::Kind::Stopped) {
    return {.code = ErrorCode::ToolCancelled, .message = name + " was cancelled"};
  }
  return {.code = ErrorCode::ToolTimeout,
          .message = name + " did not answer in time",
          .suggestion = "Ask for less at once, or allow the call more time."};
}

Error PluginWorker::broken(Error problem) {
  process_.end();
  problem.code = ErrorCode::ToolBadReply;
  problem.message = "plugin " + in_quotes(options_.name) + ": " + problem.message;
  return problem;
}

}  // namespace goondan
