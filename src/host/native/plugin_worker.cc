#include "host/native/plugin_worker.h"

#include <array>

#include "host/native/plugin_json.h"

namespace goondan {
namespace {

// The supervisor's time to clean up before it is killed itself.
constexpr std::chrono::seconds kEndTime{3};

constexpr std::string_view kWorkerCommand = "plugin-worker";

bool is(const ipc::Frame& frame, Message message) {
  return frame.kind == static_cast<std::uint32_t>(message);
}

ipc::Frame make_frame(Message message, std::uint64_t id,
                      std::array<std::string_view, ipc::kFrameParts> parts = {}) {
  return {.kind = static_cast<std::uint32_t>(message), .id = id, .parts = parts};
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// "crashed with SIGSEGV", "called exit(3)"
std::string describe(const os::ExitStatus& status) {
  if (status.how == os::ExitStatus::How::Exited) {
    return "called exit(" + std::to_string(status.number) + ")";
  }
  return "crashed with " + status.text();
}

}  // namespace

// What happens next on the worker's side.
struct PluginWorker::Event {
  enum class Kind { Frame, Garbage, Ended, TimedOut, Stopped };

  Kind kind;
  ipc::Frame frame = {};
  Error problem = {};
};

Result<std::unique_ptr<PluginWorker>> PluginWorker::start(WorkerOptions options, Deadline deadline,
                                                          std::stop_token stop) {
  auto calls = GDN_TRY(ipc::make_socket_pair());
  auto control = GDN_TRY(ipc::make_socket_pair());
  os::Child child = GDN_TRY(os::Child::spawn(
      {.argv = {options.program.string(), std::string(kWorkerCommand), options.plugin.string()},
       .fds = {{.source = calls.second.get(), .target = kCallSocket},
               {.source = control.second.get(), .target = kControlSocket}},
       .leads = os::ChildOptions::Leads::Session}));
  std::unique_ptr<PluginWorker> worker(
      new PluginWorker(std::move(options), std::move(child),
                       {.calls = std::move(calls.first), .control = std::move(control.first)}));
  calls.second.reset();
  control.second.reset();
  GDN_TRY(worker->await_hello(deadline, os::StopWaker(std::move(stop))));
  return worker;
}

PluginWorker::PluginWorker(WorkerOptions options, os::Child child, Sockets sockets)
    : options_(std::move(options)),
      child_(std::move(child)),
      sockets_(std::move(sockets)),
      reader_(sockets_.calls.get()) {}

PluginWorker::~PluginWorker() {
  end();
}

bool PluginWorker::usable() const {
  return sockets_.calls && child_.running();
}

// Closing the sockets is the order to end. The supervisor carries it out, because it can reap what
// it kills; if it hangs, the kernel does.
os::ExitStatus PluginWorker::end() {
  sockets_.control.reset();
  sockets_.calls.reset();
  if (const auto status = child_.wait(Clock::now() + kEndTime)) return *status;
  return child_.kill();
}

PluginWorker::Event PluginWorker::next_event(Deadline deadline, const os::StopWaker& stop) {
  std::array<pollfd, 2> fds{pollfd{.fd = sockets_.calls.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = child_.pidfd(), .events = POLLIN, .revents = 0}};
  while (true) {
    // First, so that a worker that never stops talking cannot hold the caller.
    if (stop.stopped()) return {.kind = Event::Kind::Stopped};
    if (deadline <= Clock::now()) return {.kind = Event::Kind::TimedOut};
    Result<std::optional<ipc::Frame>> frame = reader_.next();
    if (!frame.ok()) return {.kind = Event::Kind::Garbage, .problem = std::move(frame).error()};
    if (*frame) return {.kind = Event::Kind::Frame, .frame = **frame};
    const os::Wake wake = os::wait_any(fds, deadline, stop);
    if (wake != os::Wake::Ready) continue;
    const bool data = fds[0].revents != 0;
    if (!data) return {.kind = Event::Kind::Ended};
    const auto filled = reader_.fill(ipc::FrameReader::Block::No);
    if (!filled.ok() || *filled == ipc::FrameReader::Fill::End) return {.kind = Event::Kind::Ended};
  }
}

Result<void> PluginWorker::await_hello(Deadline deadline, const os::StopWaker& stop) {
  const Event event = next_event(deadline, stop);
  switch (event.kind) {
    case Event::Kind::Frame:
      hello_ = GDN_TRY(parse_hello(event.frame));
      return {};
    case Event::Kind::Garbage:
      return broken(event.problem);
    case Event::Kind::Stopped:
      return Error{.code = ErrorCode::ToolCancelled,
                   .message = "the call was cancelled while its plugin was loading"};
    case Event::Kind::TimedOut:
      return Error{
          .code = ErrorCode::PluginLoad,
          .message = "plugin " + in_quotes(options_.name) + " did not finish loading in time",
          .suggestion = "Look at its static constructors: " + options_.plugin.string()};
    case Event::Kind::Ended:
      break;
  }
  Error error = crashed("loading");
  error.code = ErrorCode::PluginLoad;
  error.suggestion = "Look at the static constructors of " + options_.plugin.string() +
                     "; the worker is " + options_.program.string() + ".";
  return error;
}

Result<Json> PluginWorker::call(const WorkerCall& call) {
  const os::StopWaker stop(call.stop);
  const ipc::Frame frame =
      make_frame(Message::Call, ++last_id_, {call.export_name, call.input, call.context});
  const Result<void> sent = ipc::send_frame(sockets_.calls.get(), frame, call.deadline, stop);
  if (!sent.ok() && sent.error().code == ErrorCode::Limit) return sent.error();
  // A call that could not be sent fails in the same ways as one that is not answered.
  return await_reply(call, stop);
}

Result<Json> PluginWorker::await_reply(const WorkerCall& call, const os::StopWaker& stop) {
  while (true) {
    const Event event = next_event(call.deadline, stop);
    if (event.kind == Event::Kind::Stopped) return interrupted(os::Wake::Stopped, call);
    if (event.kind == Event::Kind::TimedOut) return interrupted(os::Wake::TimedOut, call);
    if (event.kind == Event::Kind::Garbage) return broken(event.problem);
    if (event.kind == Event::Kind::Ended) {
      return crashed("running " + in_quotes(call.export_name));
    }
    if (is(event.frame, Message::Reply) && event.frame.id == last_id_) {
      const Result<RawReply> raw = parse_raw_reply(event.frame);
      if (!raw.ok()) return broken(raw.error());
      Result<ToolReply> reply = parse_tool_reply(*raw);
      if (!reply.ok()) return broken(reply.error());
      return std::move(reply->outcome);
    }
    const Result<void> forwarded = forward(event.frame, call);
    if (!forwarded.ok()) return broken(forwarded.error());
  }
}

Result<void> PluginWorker::forward(const ipc::Frame& frame, const WorkerCall& call) {
  if (is(frame, Message::Log)) {
    const LogMessage message = GDN_TRY(parse_log(frame));
    call.host.log(message.level, message.text);
    return {};
  }
  if (is(frame, Message::Progress)) {
    call.host.progress(GDN_TRY(parse_progress(frame)));
    return {};
  }
  if (is(frame, Message::Request)) return answer_request(frame, call);
  return Error{.code = ErrorCode::ToolBadReply,
               .message = "the plugin worker sent a frame of the unexpected kind " +
                          std::to_string(frame.kind)};
}

Result<void> PluginWorker::answer_request(const ipc::Frame& frame, const WorkerCall& call) {
  const std::uint64_t id = frame.id;
  const Json params = GDN_TRY(parse_json(frame.parts[1], kPluginJsonLimits));
  const Result<Json> answer = call.host.request(frame.parts[0], params);
  const std::string text = answer.ok() ? to_text(*answer) : to_text(error_to_json(answer.error()));
  const std::string status = status_part(answer.ok() ? GDN_REPLY_OK : GDN_REPLY_ERROR);
  return ipc::send_frame(sockets_.control.get(), make_frame(Message::Answer, id, {status, text}),
                         call.deadline, os::StopWaker(call.stop));
}

// Tells the handler to stop and gives it a moment. Whoever answers by then is kept.
void PluginWorker::cancel() {
  const Deadline grace = Clock::now() + kCancelGrace;
  const os::StopWaker never;
  const auto sent =
      ipc::send_frame(sockets_.control.get(), make_frame(Message::Cancel, last_id_), grace, never);
  while (sent.ok()) {
    const Event event = next_event(grace, never);
    if (event.kind != Event::Kind::Frame) break;
    if (is(event.frame, Message::Reply) && event.frame.id == last_id_) return;
  }
  end();
}

Error PluginWorker::crashed(std::string_view doing) {
  // A status of its own accord: the sockets are closed only once it has ended.
  const auto status = child_.wait(Clock::now() + kEndTime);
  const std::string how = status ? describe(*status) : "closed its connection";
  end();
  return {
      .code = ErrorCode::ToolCrash,
      .message = "plugin " + in_quotes(options_.name) + " " + how + " while " + std::string(doing),
      .suggestion =
          "This is a bug in the plugin. The next call gets a fresh worker; try other "
          "arguments, or another tool."};
}

Error PluginWorker::interrupted(os::Wake wake, const WorkerCall& call) {
  cancel();
  const std::string name = in_quotes(call.export_name) + " of plugin " + in_quotes(options_.name);
  if (wake == os::Wake::Stopped) {
    return {.code = ErrorCode::ToolCancelled, .message = name + " was cancelled"};
  }
  return {.code = ErrorCode::ToolTimeout,
          .message = name + " did not answer in time",
          .suggestion = "Ask for less at once, or allow the call more time."};
}

Error PluginWorker::broken(Error problem) {
  end();
  problem.code = ErrorCode::ToolBadReply;
  problem.message = "plugin " + in_quotes(options_.name) + ": " + problem.message;
  return problem;
}

}  // namespace goondan
