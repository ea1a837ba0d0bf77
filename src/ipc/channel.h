// One end of a stream of messages, in two forms: `Channel` waits, for agents and the command line;
// `Peer` never does, for the orchestrator's loop.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include <goondan/tool_context.h>

#include "ipc/message.h"
#include "os/unique_fd.h"
#include "os/wait.h"

namespace goondan::ipc {

// Owns its socket. `send` may be called from any thread; `receive` from one at a time.
class Channel {
 public:
  explicit Channel(os::UniqueFd socket) : socket_(std::move(socket)) {}

  // The whole message or nothing but an error: `E_LIMIT` (too large, nothing was sent), `E_IO` (the
  // other side is gone, or the deadline came first; if that was in the middle of the message, every
  // further one fails too).
  Result<void> send(const Message& message, Deadline deadline);

  // Waits for the next message. Fails with `E_IO` at the end of the stream, `E_IPC` for what is no
  // message, `E_TOOL_TIMEOUT` at the deadline, `E_TOOL_CANCELLED` on a stop.
  Result<Message> receive(Deadline deadline, const os::StopWaker& stop);

  [[nodiscard]] int fd() const { return socket_.get(); }

 private:
  os::UniqueFd socket_;
  std::mutex send_mutex_;
  bool cut_off_ = false;  // part of a message went out and the rest never will
  MessageDecoder decoder_;
};

// What one peer may leave unread before it counts as stuck.
inline constexpr std::size_t kMaxQueuedBytes = std::size_t{16} << 20;
// What is taken off one peer before others have their turn.
inline constexpr std::size_t kMaxReceiveBytes = std::size_t{4} << 20;

// Owns its socket, on which it never waits. Thread-compatible.
class Peer {
 public:
  // `received`: bytes that an earlier owner of the socket has taken off it; `unsent`: bytes that it
  // still had to send.
  explicit Peer(os::UniqueFd socket, std::string_view received = {}, std::string_view unsent = {});

  // Queues and sends what goes out without waiting. Fails with `E_LIMIT` if the message is too
  // large or the queue is full (nothing is queued then), with `E_IO` if the other side is gone.
  Result<void> send(const Message& message);
  Result<void> flush();

  // What has come so far, at most `kMaxReceiveBytes` and what was left of before: a peer that never
  // stops cannot hold up the others. `E_IO`: the other side is gone; `E_IPC`: it speaks nonsense.
  // The messages that came before that are in `into` all the same.
  Result<void> receive(std::vector<Message>& into);

  // What to ask `poll` for.
  [[nodiscard]] short events() const;
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] std::size_t queued() const { return out_.size() - sent_; }
  // What has come of a message that is not complete.
  [[nodiscard]] std::string_view rest() const { return decoder_.rest(); }
  // What is queued.
  [[nodiscard]] std::string_view unsent() const { return std::string_view(out_).substr(sent_); }
  // Gives the socket away; the peer is of no more use.
  os::UniqueFd release() { return std::move(socket_); }

 private:
  os::UniqueFd socket_;
  MessageDecoder decoder_;
  std::string out_;
  std::size_t sent_ = 0;
};

}  // namespace goondan::ipc
