#include "net/connection_pool.h"

#include <algorithm>
#include <ranges>

namespace goondan::net {

ConnectionPool::ConnectionPtr ConnectionPool::take(const Url& url, std::chrono::seconds max_idle) {
  // Each one that turns out to be dead is closed here, outside the lock.
  while (ConnectionPtr found = take_newest(url, max_idle)) {
    if (found->transport.open_and_quiet()) return found;
  }
  return nullptr;
}

ConnectionPool::ConnectionPtr ConnectionPool::take_newest(const Url& url,
                                                          std::chrono::seconds max_idle) {
  const std::scoped_lock lock(mutex_);
  const auto newest = std::ranges::find_if(idle_.rbegin(), idle_.rend(),
                                           [&url](const auto& one) { return one->leads_to(url); });
  if (newest == idle_.rend() || Clock::now() - (*newest)->idle_since > max_idle) return nullptr;
  ConnectionPtr taken = std::move(*newest);
  idle_.erase(std::next(newest).base());
  return taken;
}

void ConnectionPool::put(ConnectionPtr connection) {
  connection->idle_since = Clock::now();
  std::vector<ConnectionPtr> surplus;  // closed after the lock is gone
  const std::scoped_lock lock(mutex_);
  surplus = take_surplus(*connection);
  idle_.push_back(std::move(connection));
}

// What has to go because its time is over or its place is needed.
std::vector<ConnectionPool::ConnectionPtr> ConnectionPool::take_surplus(const Connection& added) {
  std::vector<ConnectionPtr> surplus;
  const auto take_out = [this, &surplus](auto place) {
    surplus.push_back(std::move(*place));
    idle_.erase(place);
  };
  while (!idle_.empty() && (idle_.size() >= kMaxIdleConnections ||
                            added.idle_since - idle_.front()->idle_since > kMaxIdleTime)) {
    take_out(idle_.begin());
  }
  const auto same_origin = [&added](const ConnectionPtr& one) {
    return one->port == added.port && one->scheme == added.scheme && one->host == added.host;
  };
  if (idle_.size() >= kMaxIdlePerOrigin &&
      static_cast<std::size_t>(std::ranges::count_if(idle_, same_origin)) >= kMaxIdlePerOrigin) {
    take_out(std::ranges::find_if(idle_, same_origin));
  }
  return surplus;
}

std::size_t ConnectionPool::size() const {
  const std::scoped_lock lock(mutex_);
  return idle_.size();
}

}  // namespace goondan::net
