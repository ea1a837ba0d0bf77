#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/socket.h"
#include "oauth/callback/server.h"

namespace goondan::oauth {
namespace {

constexpr int kListenQueue = 4096;  // the kernel has a limit of its own

Error cannot_listen(std::uint16_t port, int number) {
  const std::string where = "127.0.0.1:" + std::to_string(port);
  if (number == EADDRINUSE) {
    return {.code = ErrorCode::AlreadyRunning,
            .message = "another program listens on " + where,
            .suggestion = "End it, or give the OAuthApp another port."};
  }
  Error error = net::network_error("cannot listen on " + where, number);
  if (number == EACCES) error.suggestion = "Use a port above 1023.";
  return error;
}

}  // namespace

Result<LoopbackSocket> listen_on_loopback(std::uint16_t port) {
  LoopbackSocket made{
      .fd = os::UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))};
  if (!made.fd) return cannot_listen(port, errno);
  // Connections of a minute ago do not keep the port; another listener does.
  const int yes = 1;
  ::setsockopt(made.fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(made.fd.get(), generic, size) != 0 || ::listen(made.fd.get(), kListenQueue) != 0 ||
      ::getsockname(made.fd.get(), generic, &size) != 0) {
    return cannot_listen(port, errno);
  }
  made.port = ntohs(address.sin_port);
  return made;
}

}  // namespace goondan::oauth
