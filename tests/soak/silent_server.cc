#include "silent_server.h"

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <signal.h>
#include <string_view>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace goondan::soak {
namespace {

constexpr std::array<std::string_view, 4> kAnswers{
    "", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe beginning"};

void watch(int poller, int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
  ::epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
}

void take(int connection, std::string_view answer) {
  std::array<char, 8192> request;
  if (::recv(connection, request.data(), request.size(), 0) <= 0) {
    ::close(connection);
    return;
  }
  ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
}

[[noreturn]] void serve(int listener) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int poller = ::epoll_create1(0);
  watch(poller, listener);
  std::array<epoll_event, 64> events;
  std::size_t turn = 0;
  while (true) {
    const int count = ::epoll_wait(poller, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd != listener) {
        take(fd, kAnswers[turn++ % kAnswers.size()]);
      } else if (const int connection = ::accept(listener, nullptr, nullptr); connection >= 0) {
        watch(poller, connection);
      }
    }
  }
}

}  // namespace

SilentServer::SilentServer() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, name, size) != 0 || ::listen(listener, 128) != 0) std::abort();
  ::getsockname(listener, name, &size);
  port_ = ntohs(address.sin_port);
  process_ = ::fork();
  if (process_ == 0) serve(listener);
  ::close(listener);
}

SilentServer::~SilentServer() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace goondan::soak
