// Sorts the lines that a server writes: answers go to whoever waits for them, the rest to
// `OnMessage`.
#pragma once

#include <string>
#include <string_view>

#include "mcp/pending_requests.h"
#include "mcp/server_log.h"
#include "mcp/transport.h"

namespace goondan::mcp {

// Lines that are no messages (a stray `print`) are noted and left out, up to this many; then the
// stream is given up.
inline constexpr std::size_t kMaxNonsenseLines = 1'000;

// Borrows everything. Confined to the reading thread.
class MessageSorter {
 public:
  struct Parts {
    std::string_view server;  // its name
    PendingRequests& pending;
    ServerLog& log;
    const OnMessage& on_message;
  };

  explicit MessageSorter(Parts parts) : parts_(parts) {}

  // Fails with `E_MCP` if the server is not worth listening to.
  Result<void> take(std::string_view line);

  // How many lines were anything but the answer to a request that waited.
  [[nodiscard]] std::size_t unasked() const { return unasked_; }

 private:
  Result<void> take_message(Json message, std::string_view line);
  void take_response(Json message);
  Result<void> take_nonsense(std::string_view line, std::string_view why);

  Parts parts_;
  std::size_t nonsense_ = 0;
  std::size_t unasked_ = 0;
};

}  // namespace goondan::mcp
