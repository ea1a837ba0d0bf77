// Hearing from a modern server that its tools have changed: one long request, in the background.
#pragma once

#include <thread>

#include "mcp/exchange.h"
#include "mcp/server_log.h"

namespace goondan::mcp {

// One `subscriptions/listen`; then the next. So no wait is without an end.
inline constexpr std::chrono::minutes kListenTime{60};
// Between two of them, growing while they fail.
inline constexpr std::chrono::seconds kFirstListenPause{1};
inline constexpr std::chrono::seconds kLastListenPause{60};

// Borrows everything. Runs until it is destroyed, the connection is gone, or the server refuses.
class Subscription {
 public:
  struct Parts {
    Exchange& exchange;
    ServerLog& log;
    const std::function<void()>& on_tools_changed;
  };

  explicit Subscription(Parts parts);

 private:
  void run(const std::stop_token& stop);
  enum class Next { Listen, GiveUp };
  Next listen_once(const std::stop_token& stop);

  Parts parts_;
  std::jthread thread_;
};

}  // namespace goondan::mcp
