// Connections that have answered and wait to be used again.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <goondan/tool_context.h>

#include "net/ip_address.h"
#include "net/transport.h"
#include "net/url.h"

namespace goondan::net {

inline constexpr std::size_t kMaxIdleConnections = 128;
inline constexpr std::size_t kMaxIdlePerOrigin = 64;
inline constexpr std::chrono::seconds kMaxIdleTime{30};
// For requests that must not be sent twice: a server that closes the connection in the same moment
// leaves nobody knowing whether it has seen them, so they only get one that was used just now.
inline constexpr std::chrono::seconds kMaxIdleTimeUnrepeatable{4};

// One connection with what it leads to.
struct Connection {
  Transport transport;
  Scheme scheme;
  std::string host;
  std::uint16_t port;
  IpAddress address;  // the judged one it was made to
  Clock::time_point idle_since = {};

  [[nodiscard]] bool leads_to(const Url& url) const {
    return port == url.port && scheme == url.scheme && host == url.host;
  }
};

// Thread-safe. Holds a bounded number of connections, for a bounded time; those whose time is over
// are closed with the next use of the pool.
class ConnectionPool {
 public:
  using ConnectionPtr = std::unique_ptr<Connection>;

  // The connection to the origin of `url` that was used last, at most `max_idle` ago and still
  // open; null if there is none. The caller judges its address before using it.
  [[nodiscard]] ConnectionPtr take(const Url& url, std::chrono::seconds max_idle);

  // Keeps a connection whose last response has been read to its end.
  void put(ConnectionPtr connection);

  [[nodiscard]] std::size_t size() const;

 private:
  [[nodiscard]] ConnectionPtr take_newest(const Url& url, std::chrono::seconds max_idle);
  std::vector<ConnectionPtr> take_surplus(const Connection& added);

  mutable std::mutex mutex_;
  std::vector<ConnectionPtr> idle_;  // the longest idle first
};

}  // namespace goondan::net
