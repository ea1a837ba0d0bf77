// A server on loopback for tests: says whatever a test wants it to, on threads of its own.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>

#include "net/http_client.h"
#include "os/unique_fd.h"

namespace goondan::net {

// The server's side of one connection. Blocking; the server's end wakes it.
class TestConnection {
 public:
  explicit TestConnection(int fd) : fd_(fd) {}

  [[nodiscard]] int fd() const { return fd_; }

  // The next request, head and body; empty if the client has gone.
  std::string read_request() {
    while (true) {
      const std::size_t head = buffered_.find("\r\n\r\n");
      if (head != std::string::npos) {
        const std::size_t size = head + 4 + body_length(buffered_.substr(0, head + 2));
        if (buffered_.size() >= size) return take(size);
      }
      if (!read_more()) return {};
    }
  }

  // Only the head of the next request, with its blank line.
  std::string read_head() {
    while (buffered_.find("\r\n\r\n") == std::string::npos) {
      if (!read_more()) return {};
    }
    return take(buffered_.find("\r\n\r\n") + 4);
  }

  // Whether the client took it all.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Returns once the client has closed its side, or the server ends.
  void wait_for_end() {
    while (read_more()) {
      buffered_.clear();
    }
  }

  // The same, but what the client sends is left where it is.
  void wait_without_reading() const {
    pollfd end{.fd = fd_, .events = POLLRDHUP, .revents = 0};
    ::poll(&end, 1, -1);
  }

  // The connection will end with RST instead of FIN.
  void reset_at_end() const {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

 private:
  static std::size_t body_length(const std::string& head) {
    constexpr std::string_view kName = "\r\nContent-Length: ";
    const std::size_t at = head.find(kName);
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + kName.size()));
  }

  bool read_more() {
    std::array<char, 65536> buffer;
    const ssize_t size = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (size > 0) buffered_.append(buffer.data(), static_cast<std::size_t>(size));
    return size > 0;
  }

  std::string take(std::size_t size) {
    std::string taken = buffered_.substr(0, size);
    buffered_.erase(0, size);
    return taken;
  }

  int fd_;
  std::string buffered_;
};

class TestServer {
 public:
  using Handler = std::function<void(TestConnection&)>;

  // `handler` is given each connection, on a thread of its own; the connection is closed after it.
  explicit TestServer(Handler handler) : handler_(std::move(handler)) {
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), generic, size) != 0 || ::listen(listener_.get(), 256) != 0 ||
        ::getsockname(listener_.get(), generic, &size) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    accepter_ = std::thread([this] { accept_all(); });
  }

  ~TestServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    accepter_.join();
    {
      const std::scoped_lock lock(mutex_);
      for (const auto& one : connections_) {
        if (one.fd >= 0) ::shutdown(one.fd, SHUT_RDWR);
      }
    }
    for (auto& one : connections_) {
      one.thread.join();
    }
  }

  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] int accepted() const { return accepted_; }

  [[nodiscard]] Url url(std::string_view path = "/") const {
    return Url::parse("http://127.0.0.1:" + std::to_string(port_) + std::string(path)).value();
  }

  // Lets requests reach this server and nothing else that is local.
  [[nodiscard]] HostPolicy policy() const {
    return HostPolicy({AllowedHost{.host = "127.0.0.1", .port = port_}});
  }

 private:
  struct Served {
    int fd;  // -1 after its end
    std::thread thread;
  };

  void accept_all() {
    while (true) {
      const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) return;
      ++accepted_;
      const std::scoped_lock lock(mutex_);
      Served& served = connections_.emplace_back(fd);
      served.thread = std::thread([this, &served, fd] { serve(served, fd); });
    }
  }

  void serve(Served& served, int fd) {
    TestConnection connection(fd);
    handler_(connection);
    const std::scoped_lock lock(mutex_);
    served.fd = -1;
    ::close(fd);
  }

  Handler handler_;
  os::UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> accepted_ = 0;
  std::mutex mutex_;
  std::list<Served> connections_;
  std::thread accepter_;
};

// Answers every request on a connection with what `answer` makes of it.
inline TestServer::Handler answering(std::function<std::string(const std::string&)> answer) {
  return [answer = std::move(answer)](TestConnection& connection) {
    while (true) {
      const std::string request = connection.read_request();
      if (request.empty() || !connection.send(answer(request))) return;
    }
  };
}

inline TestServer::Handler answering(std::string answer) {
  return answering([answer = std::move(answer)](const std::string&) { return answer; });
}

inline std::string ok_answer(std::string_view body, std::string_view headers = {}) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

inline Request get(const Url& url) {
  return {.url = url, .deadline = Clock::now() + std::chrono::seconds(60)};
}

}  // namespace goondan::net
