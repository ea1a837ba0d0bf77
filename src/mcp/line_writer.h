// Writes lines to a process that may not read them: what does not go out at once is queued, and no
// caller ever waits.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::mcp {

// What a server may leave unread before it counts as stuck.
inline constexpr std::size_t kMaxUnreadBytes = std::size_t{32} << 20;

// Owns its socket. Thread-safe.
class LineWriter {
 public:
  enum class Left { Nothing, Queued };

  explicit LineWriter(os::UniqueFd socket) : socket_(std::move(socket)) {}

  // Writes `line`, which ends with `\n`, behind what is queued. `Queued`: someone must `flush` once
  // the socket is writable. Fails with `E_MCP_SERVER` if the other side is gone, with `E_LIMIT` if
  // too much is unread; nothing of `line` is written then.
  Result<Left> write(std::string_view line);
  Left flush();

  // Whether the other side still takes anything.
  [[nodiscard]] bool open() const;

  // The descriptor to poll for writing if something is queued, else -1.
  [[nodiscard]] int wanted_fd() const;

  // The other side reads the end of file. What is queued is lost.
  void close();

 private:
  Left flush_locked();

  mutable std::mutex mutex_;
  os::UniqueFd socket_;
  bool gone_ = false;  // the socket stays open until `close`, as it may be polled right now
  std::string queue_;
  std::size_t sent_ = 0;  // of the queue
};

}  // namespace goondan::mcp
