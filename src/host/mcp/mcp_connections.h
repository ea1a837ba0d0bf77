// How many connections to a server exist, counting those that calls still hold.
#pragma once

#include <condition_variable>
#include <mutex>

#include "host/mcp/mcp_server.h"

namespace goondan {

// Thread-safe.
struct McpServer::Connections {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t count = 0;

  void begun() {
    const std::lock_guard lock(mutex);
    ++count;
  }

  void ended() {
    const std::lock_guard lock(mutex);
    --count;
    changed.notify_all();
  }

  void wait_until_none(Deadline deadline) {
    std::unique_lock lock(mutex);
    changed.wait_until(lock, deadline, [this] { return count == 0; });
  }
};

}  // namespace goondan
