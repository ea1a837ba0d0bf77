// A connection to an orchestrator: requests with their answers, and the events that come in
// between. `docs/protocol.md` lists both.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "ipc/channel.h"
#include "os/unique_fd.h"
#include "os/wait.h"

namespace goondan::cli {

// How long an orchestrator may take for what it does at once.
inline constexpr std::chrono::seconds kReplyTime{10};

// Owns its socket. Thread-compatible. Two ways to use it, which may be mixed: `request` waits for
// its answer and keeps the events that come first; a loop polls `fd`, calls `receive` and takes
// everything from `next`. After an `E_IO` or `E_IPC` the connection is of no more use.
class OrchestratorClient {
 public:
  // To the orchestrator that runs in this workspace. `E_NOT_RUNNING` if none does.
  static Result<OrchestratorClient> connect(const std::filesystem::path& workspace_folder);
  // Over a socket that is connected already.
  explicit OrchestratorClient(os::UniqueFd socket) : peer_(std::move(socket)) {}
  OrchestratorClient(OrchestratorClient&&) noexcept = default;
  OrchestratorClient& operator=(OrchestratorClient&&) noexcept = default;

  // Sends and waits for the result. Fails with the error that the orchestrator answers, with
  // `E_TOOL_TIMEOUT` at the deadline, `E_TOOL_CANCELLED` on a stop, `E_IO` if it is gone.
  Result<Json> request(std::string_view kind, JsonObject params, Deadline deadline,
                       const os::StopWaker& stop = os::StopWaker());
  // From now on observations come. Waits for the answer.
  Result<void> watch(Deadline deadline);
  // Waits for the next event: its payload, with `kind`. Errors as above.
  Result<JsonObject> next_event(Deadline deadline, const os::StopWaker& stop = os::StopWaker());

  // Sends without waiting; returns the `requestId` by which the answer is known.
  Result<std::string> post(std::string_view kind, JsonObject params);
  // Takes in what has come, without waiting. What came before an error can still be taken.
  Result<void> receive();
  // The next payload that has been taken in, replies (kind `reply`) and events alike.
  std::optional<JsonObject> next();
  // Sends more of what could not be sent at once.
  Result<void> flush() { return peer_.flush(); }

  [[nodiscard]] int fd() const { return peer_.fd(); }
  // What to ask `poll` for.
  [[nodiscard]] short events() const { return peer_.events(); }

 private:
  Result<void> wait(Deadline deadline, const os::StopWaker& stop);

  ipc::Peer peer_;
  std::deque<JsonObject> received_;
  std::uint64_t last_request_ = 0;
};

// What a reply says: its result, or the error in it.
Result<Json> reply_result(const JsonObject& reply);

}  // namespace goondan::cli
