#include "host/native/extension_worker.h"

#include <cerrno>
#include <cstdio>
#include <sys/socket.h>

#include "base/json_fields.h"
#include "host/native/check_extension.h"
#include "host/native/extension_bridge.h"
#include "host/native/extension_frames.h"
#include "host/native/plugin_json.h"
#include "host/native/protocol.h"

namespace goondan {
namespace {

// The runtime as one call sees it, or the extension for its whole life: everything becomes a frame.
class FrameBridge final : public ExtensionBridge {
 public:
  FrameBridge(ExtensionWorker& worker, std::optional<std::uint64_t> call,
              const std::stop_token& stop)
      : ExtensionBridge(stop), worker_(worker), call_(call), stop_(stop) {}

  RawReply request(std::string_view method, std::string_view params_json) override {
    if (params_json.size() > kPluginJsonLimits.max_bytes) {
      return raw_reply(
          Error{.code = ErrorCode::Limit,
                .message = "what '" + std::string(method) + "' was given is too large"});
    }
    if (is_notice(method)) {
      worker_.sender.send(notify_frame(call_, method, params_json));
      return {.status = GDN_REPLY_OK, .json = "null"};
    }
    const std::uint64_t number = worker_.calls.next_request();
    worker_.sender.send(request_frame(number, call_, method, params_json));
    std::optional<RawReply> answer = worker_.calls.wait_for_answer(number, stop_);
    if (answer) return *std::move(answer);
    return raw_reply(Error{.code = ErrorCode::ToolCancelled, .message = "the call was cancelled"});
  }

 private:
  void notify(const std::string& method, const Json& params) override {
    worker_.sender.send(notify_frame(call_, method, to_text(params)));
  }

  ExtensionWorker& worker_;
  std::optional<std::uint64_t> call_;
  std::stop_token stop_;
};

Result<Json> load(ExtensionWorker& worker, std::string_view json) {
  const Json call = GDN_TRY(parse_json(json, kExtensionJsonLimits));
  const Json given = any_field(object_or_empty(call), "params");
  const JsonObject& params = object_or_empty(given);
  auto library = GDN_TRY(PluginLibrary::load(text_field(params, "path")));
  GDN_TRY(check_extension(text_field(params, "module"), library->export_names()));
  const std::scoped_lock lock(worker.mutex);
  worker.library = std::move(library);
  if (worker.life == nullptr) {
    worker.life = life_host(std::make_unique<FrameBridge>(worker, std::nullopt, std::stop_token()));
  }
  return JsonObject();
}

RawReply run_call(ExtensionWorker& worker, std::string_view json, CallBridge& bridge) {
  std::unique_lock lock(worker.mutex);
  const std::shared_ptr<const PluginLibrary> library = worker.library;
  gdn_host* const life = worker.life;
  lock.unlock();
  if (library == nullptr) {
    return raw_reply(Error{.code = ErrorCode::ExtensionLoad, .message = "nothing is loaded"});
  }
  Result<RawReply> reply =
      invoke_export(*library->find(GDN_EXTENSION_EXPORT),
                    {.input = json, .context = "{}", .bridge = bridge, .life = life});
  return reply.ok() ? *std::move(reply) : raw_reply(reply.error());
}

}  // namespace

void FrameSender::send(std::string_view frame) {
  const std::scoped_lock lock(mutex_);
  while (!frame.empty()) {
    const ssize_t sent = ::send(kCallSocket, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent >= 0) frame.remove_prefix(static_cast<std::size_t>(sent));
    if (sent >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;
    os::wait_writable(kCallSocket, Deadline::max(), never_);
  }
}

void serve(ExtensionWorker& worker, const WorkerJob& job) {
  FrameBridge bridge(worker, job.id, job.stop);
  const RawReply reply = job.kind == WorkerJob::Kind::Load ? raw_reply(load(worker, job.json))
                                                           : run_call(worker, job.json, bridge);
  std::fflush(stdout);  // what was printed comes before the reply
  worker.calls.end(job.id);
  worker.sender.send(reply_frame(job.id, reply));
}

}  // namespace goondan
