#include "cli/orchestrator_client.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/json_fields.h"
#include "os/os_error.h"

namespace goondan::cli {
namespace {

constexpr std::string_view kSocketName = "orchestrator.sock";

Error not_running(const std::filesystem::path& folder) {
  return {.code = ErrorCode::NotRunning,
          .message = "no orchestrator runs in '" + folder.string() + "'",
          .suggestion = "Start it with `gdn run`."};
}

// The address of the socket. A path too long for one is reached by way of its open folder, which
// `folder` then holds.
Result<sockaddr_un> socket_address(const std::filesystem::path& workspace, os::UniqueFd& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string path = (workspace / kSocketName).string();
  if (path.size() >= sizeof(address.sun_path)) {
    folder.reset(::open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return not_running(workspace);
    path = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + std::string(kSocketName);
  }
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return address;
}

}  // namespace

Result<OrchestratorClient> OrchestratorClient::connect(
    const std::filesystem::path& workspace_folder) {
  os::UniqueFd folder;
  const sockaddr_un address = GDN_TRY(socket_address(workspace_folder, folder));
  os::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return os::os_error("cannot make a socket", errno);
  // Never waits: either there is room in the queue of the listener or there is not.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how sockets take addresses
  const auto* const plain = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(socket.get(), plain, sizeof(address)) == 0) {
    return OrchestratorClient(std::move(socket));
  }
  if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) {
    return not_running(workspace_folder);
  }
  return os::os_error("cannot connect to the orchestrator in '" + workspace_folder.string() + "'",
                      errno);
}

Result<std::string> OrchestratorClient::post(std::string_view kind, JsonObject params) {
  const std::string id = "req_" + std::to_string(++last_request_);
  params["kind"] = kind;
  params["requestId"] = id;
  GDN_TRY(peer_.send({.type = ipc::MessageType::Event,
                      .from = "cli",
                      .to = "orchestrator",
                      .payload = std::move(params)}));
  return id;
}

Result<void> OrchestratorClient::receive() {
  std::vector<ipc::Message> messages;
  const Result<void> received = peer_.receive(messages);
  for (ipc::Message& message : messages) {
    if (message.payload.is_object()) received_.push_back(std::move(message.payload.get_object()));
  }
  return received;
}

std::optional<JsonObject> OrchestratorClient::next() {
  if (received_.empty()) return std::nullopt;
  JsonObject first = std::move(received_.front());
  received_.pop_front();
  return first;
}

Result<void> OrchestratorClient::wait(Deadline deadline, const os::StopWaker& stop) {
  pollfd socket{.fd = fd(), .events = events(), .revents = 0};
  switch (os::wait_any({&socket, 1}, deadline, stop)) {
    case os::Wake::TimedOut:
      return Error{.code = ErrorCode::ToolTimeout,
                   .message = "the orchestrator has not answered in time",
                   .suggestion = "Look at it with `gdn ps` and `gdn logs`."};
    case os::Wake::Stopped:
      return Error{.code = ErrorCode::ToolCancelled, .message = "waiting was cancelled"};
    case os::Wake::Ready:
      break;
  }
  if ((socket.revents & POLLOUT) != 0) GDN_TRY(flush());
  return receive();
}

Result<Json> OrchestratorClient::request(std::string_view kind, JsonObject params,
                                         Deadline deadline, const os::StopWaker& stop) {
  const std::string id = GDN_TRY(post(kind, std::move(params)));
  const auto is_reply = [&id](const JsonObject& payload) {
    return text_field(payload, "kind") == "reply" && text_field(payload, "requestId") == id;
  };
  while (true) {
    const auto found = std::ranges::find_if(received_, is_reply);
    if (found != received_.end()) {
      const JsonObject reply = std::move(*found);
      received_.erase(found);
      return reply_result(reply);
    }
    const Result<void> waited = wait(deadline, stop);
    if (!waited.ok() && std::ranges::none_of(received_, is_reply)) return waited.error();
  }
}

Result<void> OrchestratorClient::watch(Deadline deadline) {
  GDN_TRY(request("watch", {}, deadline));
  return {};
}

Result<JsonObject> OrchestratorClient::next_event(Deadline deadline, const os::StopWaker& stop) {
  Result<void> waited;
  while (true) {
    std::optional<JsonObject> event = next();
    if (event && text_field(*event, "kind") != "reply") return *std::move(event);
    if (event) continue;  // the answer to a request that nobody waits for any more
    if (!waited.ok()) return waited.error();
    waited = wait(deadline, stop);
  }
}

Result<Json> reply_result(const JsonObject& reply) {
  const Json* const error = reply.if_contains("error");
  if (error != nullptr && !error->is_null()) return error_from(*error);
  return any_field(reply, "result");
}

}  // namespace goondan::cli
