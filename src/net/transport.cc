#include "net/transport.h"

#include <cerrno>
#include <sys/socket.h>

#include "net/socket.h"

namespace goondan::net {

Result<void> Transport::send(std::string_view bytes, const Until& until) {
  if (tls_) return tls_->send(bytes, until);
  return send_all(fd_.get(), bytes, OnInput::Stop, until);
}

Result<std::size_t> Transport::receive(std::span<char> buffer, const Until& until) {
  if (tls_) return tls_->receive(buffer, until);
  return receive_some(fd_.get(), buffer, until);
}

bool Transport::open_and_quiet() {
  if (tls_) return tls_->open_and_quiet();
  char byte = 0;
  return ::recv(fd_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

}  // namespace goondan::net
