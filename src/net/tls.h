// TLS from the client's side: 1.2 or newer, the server's certificate always verified.
//
// Trusted are the certificates of the system, or those of SSL_CERT_FILE and SSL_CERT_DIR, as
// OpenSSL itself has it. There is no way to switch verification off.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "net/until.h"

namespace goondan::net {

// What all connections share: the library and the trusted certificates. Thread-safe.
class TlsContext {
 public:
  // Loads OpenSSL. Fails with `E_TLS`.
  static Result<std::shared_ptr<const TlsContext>> make();

  struct Parts;
  explicit TlsContext(std::unique_ptr<Parts> parts);
  ~TlsContext();
  [[nodiscard]] const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

// One connection over a socket that someone else owns and keeps open for as long.
// Thread-compatible.
class TlsSession {
 public:
  // The handshake, with `host` (a name or an address) as the one the certificate must be for.
  // Fails with `E_TLS`, `E_NETWORK`, `E_NETWORK_TIMEOUT`, `E_TOOL_CANCELLED`.
  static Result<std::unique_ptr<TlsSession>> connect(std::shared_ptr<const TlsContext> context,
                                                     int fd, const std::string& host,
                                                     const Until& until);

  struct Parts;
  explicit TlsSession(std::unique_ptr<Parts> parts);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // As `Transport` has it.
  [[nodiscard]] Result<void> send(std::string_view bytes, const Until& until);
  [[nodiscard]] Result<std::size_t> receive(std::span<char> buffer, const Until& until);
  [[nodiscard]] bool open_and_quiet();

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace goondan::net
