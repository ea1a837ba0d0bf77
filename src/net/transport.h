// Bytes to and from a server, plain or through TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <goondan/result.h>

#include "net/tls.h"
#include "net/until.h"
#include "os/unique_fd.h"

namespace goondan::net {

// Owns one connection. A resource: moved, never copied. Thread-compatible.
class Transport {
 public:
  explicit Transport(os::UniqueFd fd) : fd_(std::move(fd)) {}
  // `tls` has been made over `fd`.
  Transport(os::UniqueFd fd, std::unique_ptr<TlsSession> tls)
      : fd_(std::move(fd)), tls_(std::move(tls)) {}

  // Sends all of `bytes`. A failure with `E_NETWORK` says that the server takes no more; it may
  // have answered all the same.
  [[nodiscard]] Result<void> send(std::string_view bytes, const Until& until);

  // Waits for bytes and takes what there is; 0 is the proper end.
  [[nodiscard]] Result<std::size_t> receive(std::span<char> buffer, const Until& until);

  // Whether the connection, used by nobody, is open and has nothing to say: fit to be used again.
  [[nodiscard]] bool open_and_quiet();

 private:
  os::UniqueFd fd_;
  std::unique_ptr<TlsSession> tls_;  // null: plain; goes before `fd_` does
};

}  // namespace goondan::net
