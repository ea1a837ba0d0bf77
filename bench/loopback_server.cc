#include "loopback_server.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string_view>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace goondan::bench {
namespace {

void watch(int poller, int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
  ::epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

// One request at a time on a connection, each in one piece: what our own client sends.
void answer(int connection, std::string_view response) {
  std::array<char, 8192> request;
  const ssize_t got = ::recv(connection, request.data(), request.size(), 0);
  if (got <= 0) {
    ::close(connection);
    return;
  }
  ::send(connection, response.data(), response.size(), MSG_NOSIGNAL);
}

[[noreturn]] void serve(int listener, const std::string& response) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int poller = ::epoll_create1(0);
  watch(poller, listener);
  std::array<epoll_event, 64> events;
  while (true) {
    const int count = ::epoll_wait(poller, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd != listener) {
        answer(fd, response);
        continue;
      }
      const int connection = ::accept(listener, nullptr, nullptr);
      const int on = 1;
      ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      watch(poller, connection);
    }
  }
}

}  // namespace

LoopbackServer::LoopbackServer(std::string body) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, name, size) != 0 || ::listen(listener, 128) != 0) std::abort();
  ::getsockname(listener, name, &size);
  port_ = ntohs(address.sin_port);
  const std::string response = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: " +
                               std::to_string(body.size()) + "\r\n\r\n" + body;
  process_ = ::fork();
  if (process_ == 0) serve(listener, response);
  ::close(listener);
}

LoopbackServer::~LoopbackServer() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace goondan::bench
