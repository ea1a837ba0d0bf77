#include "host/native/plugin_worker.h"

#include <array>

#include "host/native/plugin_json.h"

namespace goondan {
namespace {

bool is(const ipc::Frame& frame, Message message) {
  return frame.kind == static_cast<std::uint32_t>(message);
}

ipc::Frame make_frame(Message message, std::uint64_t id,
                      std::array<std::string_view, ipc::kFrameParts> parts = {}) {
  return {.kind = static_cast<std::uint32_t>(message), .id = id, .parts = parts};
}

}  // namespace

Result<std::unique_ptr<PluginWorker>> PluginWorker::start(const WorkerOptions& options,
                                                          Deadline deadline, std::stop_token stop) {
  WorkerProcess process = GDN_TRY(WorkerProcess::start(options));
  std::unique_ptr<PluginWorker> worker(new PluginWorker(options, std::move(process)));
  GDN_TRY(worker->await_hello(deadline, os::StopWaker(std::move(stop))));
  return worker;
}

PluginWorker::PluginWorker(const WorkerOptions& options, WorkerProcess process)
    : options_(options), process_(std::move(process)) {}

Result<void> PluginWorker::await_hello(Deadline deadline, const os::StopWaker& stop) {
  const WorkerEvent event = process_.next_event(deadline, stop);
  if (event.kind != WorkerEvent::Kind::Frame) return load_failed(event);
  hello_ = GDN_TRY(parse_hello(event.frame));
  return {};
}

Result<Json> PluginWorker::call(const WorkerCall& call) {
  const os::StopWaker stop(call.stop);
  const Result<void> sent = process_.send_call(
      make_frame(Message::Call, ++last_id_, {call.export_name, call.input, call.context}),
      call.deadline, stop);
  if (!sent.ok() && sent.error().code == ErrorCode::Limit) return sent.error();
  // A call that could not be sent fails in the same ways as one that is not answered.
  return await_reply(call, stop);
}

Result<Json> PluginWorker::await_reply(const WorkerCall& call, const os::StopWaker& stop) {
  while (true) {
    const WorkerEvent event = process_.next_event(call.deadline, stop);
    switch (event.kind) {
      case WorkerEvent::Kind::Stopped:
      case WorkerEvent::Kind::TimedOut:
        return interrupted(event.kind, call);
      case WorkerEvent::Kind::Garbage:
        return broken(event.problem);
      case WorkerEvent::Kind::Ended:
        return crashed("running '" + std::string(call.export_name) + "'");
      case WorkerEvent::Kind::Frame:
        break;
    }
    if (is_reply(event.frame)) return read_reply(event.frame);
    const Result<void> forwarded = forward(event.frame, call);
    if (!forwarded.ok()) return broken(forwarded.error());
  }
}

bool PluginWorker::is_reply(const ipc::Frame& frame) const {
  return is(frame, Message::Reply) && frame.id == last_id_;
}

Result<Json> PluginWorker::read_reply(const ipc::Frame& frame) {
  const Result<RawReply> raw = parse_raw_reply(frame);
  if (!raw.ok()) return broken(raw.error());
  Result<ToolReply> reply = parse_tool_reply(*raw);
  if (!reply.ok()) return broken(reply.error());
  return std::move(reply->outcome);
}

Result<void> PluginWorker::forward(const ipc::Frame& frame, const WorkerCall& call) {
  const bool told = is(frame, Message::Log) || is(frame, Message::Progress);
  if (told && frame.id != last_id_) return {};  // a late word of an earlier call
  if (is(frame, Message::Log)) {
    const LogMessage message = GDN_TRY(parse_log(frame));
    call.host.log(message.level, message.text);
    return {};
  }
  if (is(frame, Message::Progress)) {
    const Progress progress = GDN_TRY(parse_progress(frame));
    call.host.progress(progress);
    return {};
  }
  if (is(frame, Message::Request)) return answer_request(frame, call);
  return Error{
      .code = ErrorCode::ToolBadReply,
      .message = "its worker sent a frame of the unexpected kind " + std::to_string(frame.kind)};
}

Result<void> PluginWorker::answer_request(const ipc::Frame& frame, const WorkerCall& call) {
  const std::uint64_t id = frame.id;
  const Json params = GDN_TRY(parse_json(frame.parts[1], kPluginJsonLimits));
  const auto send = [this, id, &call](const Result<Json>& answer) {
    const std::string text =
        answer.ok() ? to_text(*answer) : to_text(error_to_json(answer.error()));
    const std::string status = status_part(answer.ok() ? GDN_REPLY_OK : GDN_REPLY_ERROR);
    return process_.send_control(make_frame(Message::Answer, id, {status, text}), call.deadline,
                                 os::StopWaker(call.stop));
  };
  Result<void> sent = send(call.host.request(frame.parts[0], params));
  if (!sent.ok() && sent.error().code == ErrorCode::Limit) sent = send(sent.error());
  return {};  // whatever else kept it from being sent is the next event
}

// Tells the handler to stop and gives it a moment to tidy up. Then the worker ends in any case: a
// call that was stopped leaves nothing running, no thread and no child of its handler either.
void PluginWorker::cancel() {
  const Deadline grace = Clock::now() + kCancelGrace;
  const os::StopWaker never;
  const Result<void> sent =
      process_.send_control(make_frame(Message::Cancel, last_id_), grace, never);
  while (sent.ok()) {
    const WorkerEvent event = process_.next_event(grace, never);
    if (event.kind != WorkerEvent::Kind::Frame) break;
    if (is_reply(event.frame)) break;
  }
  process_.end();
}

}  // namespace goondan
