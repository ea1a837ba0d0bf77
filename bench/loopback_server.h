// A small HTTP server in a process of its own, fast enough not to be what is measured.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace goondan::bench {

// Answers every request with `200 OK` and `body`, keeps connections open. Ends with its object.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::string body);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace goondan::bench
