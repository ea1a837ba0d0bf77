#include "host/native/worker_runner.h"

#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

#include "host/native/call_control.h"
#include "host/native/plugin_json.h"
#include "host/native/plugin_library.h"
#include "host/native/protocol.h"
#include "ipc/frame_io.h"

namespace goondan {
namespace {

using ipc::Frame;
using ipc::FrameReader;

// Sends on the call socket, from any thread. A failure means that gdn is gone; the supervisor sees
// that too and ends this process, so waiting for ever is safe here.
class Sender {
 public:
  void send(Message kind, std::uint64_t id, std::string_view first, std::string_view second) {
    const Frame frame{.kind = static_cast<std::uint32_t>(kind), .id = id, .parts = {first, second}};
    const std::scoped_lock lock(mutex_);
    const Result<void> sent = ipc::send_frame(kCallSocket, frame, Deadline::max(), never_);
    if (!sent.ok()) return;
  }

 private:
  std::mutex mutex_;
  os::StopWaker never_;
};

// One call's view of the runtime: everything becomes a frame.
class RunnerBridge final : public CallBridge {
 public:
  RunnerBridge(std::uint64_t id, Sender& sender, CallControl& control)
      : CallBridge(control.begin(id)), id_(id), sender_(sender), control_(control) {}
  ~RunnerBridge() override { control_.end(); }

  void log(int level, std::string_view text) override {
    sender_.send(Message::Log, id_, level_part(level), text.substr(0, kMaxLogBytes));
  }

  void progress(double done, double total, std::string_view text) override {
    sender_.send(Message::Progress, id_, progress_part(done, total), text.substr(0, kMaxLogBytes));
  }

  RawReply request(std::string_view method, std::string_view params_json) override {
    const std::uint64_t request = control_.next_request();
    sender_.send(Message::Request, request, method, params_json);
    std::optional<RawReply> answer = control_.wait_for_answer(request);
    if (answer) return *std::move(answer);
    const Error cancelled{.code = ErrorCode::ToolCancelled, .message = "the call was cancelled"};
    return {.status = GDN_REPLY_ERROR, .json = to_text(error_to_json(cancelled))};
  }

 private:
  std::uint64_t id_;
  Sender& sender_;
  CallControl& control_;
};

// The next frame of a socket; nothing when the other side is gone or talks nonsense.
std::optional<Frame> next_frame(FrameReader& reader) {
  while (true) {
    const Result<std::optional<Frame>> frame = reader.next();
    if (!frame.ok()) return std::nullopt;
    if (frame->has_value()) return *frame;
    const auto filled = reader.fill(FrameReader::Block::Yes);
    if (!filled.ok() || *filled == FrameReader::Fill::End) return std::nullopt;
  }
}

// Hears what gdn says while plugin code runs on the main thread, perhaps for ever.
void listen(CallControl& control) {
  FrameReader reader(kControlSocket);
  while (const std::optional<Frame> frame = next_frame(reader)) {
    if (frame->kind == static_cast<std::uint32_t>(Message::Cancel)) control.cancel(frame->id);
    if (frame->kind == static_cast<std::uint32_t>(Message::Answer)) {
      Result<RawReply> reply = parse_raw_reply(*frame);
      if (reply.ok()) control.answer(frame->id, *std::move(reply));
    }
  }
}

RawReply run_call(const PluginLibrary& library, const Frame& call, CallBridge& bridge) {
  const std::string_view name = call.parts[0];
  const gdn_export* const exported = library.find(name);
  if (exported == nullptr) {
    const Error missing{.code = ErrorCode::PluginHandlerMissing,
                        .message = "the plugin has no handler '" + std::string(name) + "' any more",
                        .suggestion = "The file has changed since it was loaded: start gdn again."};
    return {.status = GDN_REPLY_ERROR, .json = to_text(error_to_json(missing))};
  }
  Result<RawReply> reply = invoke_export(
      *exported, {.input = call.parts[1], .context = call.parts[2], .bridge = bridge});
  if (reply.ok()) return *std::move(reply);
  return {.status = GDN_REPLY_ERROR, .json = to_text(error_to_json(reply.error()))};
}

void serve(const PluginLibrary& library, Sender& sender) {
  CallControl control;
  const std::jthread listener([&control] { listen(control); });
  FrameReader reader(kCallSocket);
  while (const std::optional<Frame> call = next_frame(reader)) {
    if (call->kind != static_cast<std::uint32_t>(Message::Call)) break;
    RunnerBridge bridge(call->id, sender, control);
    const RawReply reply = run_call(library, *call, bridge);
    // What the handler printed comes before its answer and is never lost. Not every stream: a
    // thread of the plugin may wait in one of its own.
    std::fflush(stdout);
    sender.send(Message::Reply, call->id, status_part(reply.status), reply.json);
  }
  ::_exit(0);  // the listener may wait for ever
}

}  // namespace

void run_plugin(const std::filesystem::path& path) {
  Sender sender;
  const auto library = PluginLibrary::load(path);
  if (!library.ok()) {
    sender.send(Message::Hello, 0, hello_text(library.error()), {});
    ::_exit(0);
  }
  const Hello hello{.abi_version = GDN_ABI_VERSION, .exports = (*library)->export_names()};
  sender.send(Message::Hello, 0, hello_text(hello), {});
  serve(**library, sender);
  ::_exit(0);
}

}  // namespace goondan
