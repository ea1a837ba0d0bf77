// The agent's end of the socket to its orchestrator.
#pragma once

#include <chrono>
#include <string>

#include "ipc/channel.h"

namespace goondan::agent {

// An orchestrator that takes nothing for so long is as good as gone.
inline constexpr std::chrono::seconds kSendTime{60};

// How deep what an agent sends may be nested: the frame around it adds a few levels, and the reader
// refuses more than 64.
inline constexpr std::size_t kMaxSentLevels = 48;

// Thread-safe, but for `receive`: one thread.
class Link {
 public:
  // `self`: `agent@instanceKey`. Owns the socket.
  Link(os::UniqueFd socket, std::string self)
      : channel_(std::move(socket)), self_(std::move(self)) {}

  // Fails with `E_LIMIT` if the message is too large (nothing is sent then), with `E_IO` if the
  // orchestrator is gone.
  Result<void> send(ipc::MessageType type, Json payload, std::string correlation_id = {});
  // An `event` with this `kind` before the fields of `payload`.
  Result<void> send_event(std::string_view kind, const JsonObject& payload);

  // As `ipc::Channel::receive`.
  Result<ipc::Message> receive(Deadline deadline, const os::StopWaker& stop) {
    return channel_.receive(deadline, stop);
  }

 private:
  ipc::Channel channel_;
  std::string self_;
};

}  // namespace goondan::agent
