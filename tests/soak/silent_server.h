// An HTTP server on loopback that keeps its callers waiting: it answers nothing, half a head, or a
// head and part of a body. A process of its own, which ends with its object.
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace goondan::soak {

class SilentServer {
 public:
  SilentServer();
  ~SilentServer();
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace goondan::soak
