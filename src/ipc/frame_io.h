// Sending and receiving frames over a stream socket.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <goondan/result.h>

#include "ipc/frame.h"
#include "os/wait.h"

namespace goondan::ipc {

// Two connected sockets, both close-on-exec.
Result<std::pair<os::UniqueFd, os::UniqueFd>> make_socket_pair();

// Sends the whole frame. Fails with `E_LIMIT` if it is too large (nothing is sent then), with
// `E_IO` if the other side is gone or the deadline or the stop came first; after that the stream
// may hold half a frame and is of no more use. One sender at a time.
Result<void> send_frame(int socket, const Frame& frame, Deadline deadline,
                        const os::StopWaker& stop);

// Takes frames off a stream. Borrows the socket. One user at a time.
//
// Memory follows what has been received, not what a header announces.
class FrameReader {
 public:
  enum class Block { No, Yes };
  enum class Fill { Received, Nothing, End };

  explicit FrameReader(int socket) : socket_(socket) {}

  // The next frame, if it has been received completely; valid until the next call of anything
  // here. An error means that the other side does not speak this format.
  Result<std::optional<Frame>> next();

  // Receives once. `Nothing` only if it does not block.
  Result<Fill> fill(Block block);

  // Waits for the next frame. Fails with `E_IO` at the end of the stream, at the deadline and on a
  // stop.
  Result<Frame> receive(Deadline deadline, const os::StopWaker& stop);

 private:
  [[nodiscard]] std::string_view pending() const;
  std::size_t room_wanted() const;

  int socket_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what has not been taken yet
  std::size_t end_ = 0;    // of what has been received
};

}  // namespace goondan::ipc
