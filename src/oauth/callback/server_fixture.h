// A callback server that runs, and browsers made of raw sockets.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "oauth/callback/page.h"
#include "oauth/callback/server.h"

namespace goondan::oauth {

inline constexpr int kGenerousMs = 100'000;

// A browser's side of one connection.
class RawBrowser {
 public:
  explicit RawBrowser(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    connected_ = ::connect(fd_.get(), generic, sizeof address) == 0;
    // A port that nobody listens on can be given to the very socket that connects to it.
    socklen_t size = sizeof address;
    ::getsockname(fd_.get(), generic, &size);
    if (ntohs(address.sin_port) == port) connected_ = false;
  }

  [[nodiscard]] bool connected() const { return connected_; }

  bool send(std::string_view text) const {
    return ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }

  // All that comes until the server ends the connection.
  [[nodiscard]] std::string read_all() const {
    std::string text;
    std::array<char, 4096> buffer;
    pollfd ready{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, kGenerousMs) == 1) {
      const ssize_t size = ::recv(fd_.get(), buffer.data(), buffer.size(), 0);
      if (size <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return text + " [and no end]";
  }

 private:
  os::UniqueFd fd_;
  bool connected_ = false;
};

inline std::string get_request(std::uint16_t port, std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nAccept: */*\r\n\r\n";
}

inline std::string ask_raw(std::uint16_t port, std::string_view text) {
  const RawBrowser browser(port);
  browser.send(text);
  return browser.read_all();
}

inline std::string status_of(const std::string& answer) {
  return answer.size() < 12 ? answer : answer.substr(9, 3);
}

// Answers every callback with "Connected"; `/callback` on a free port, also as `bot.example`.
class RunningServer {
 public:
  RunningServer()
      : wake_(::eventfd(0, EFD_CLOEXEC)), server_([this](CallbackServer::Id id, auto parameters) {
          {
            const std::scoped_lock lock(mutex_);
            seen_.push_back(std::move(parameters));
          }
          server_.answer(id, outcome_answer({.page = CallbackOutcome::Page::Connected}));
        }) {
    LoopbackSocket socket = listen_on_loopback(0).value();
    port_ = socket.port;
    server_.adopt(std::move(socket));
    server_.set_places({{.port = port_, .path = "/callback", .host = "bot.example"}});
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested())
        server_.step(Deadline::max(), wake_.get());
    });
  }
  ~RunningServer() {
    thread_.request_stop();
    ::eventfd_write(wake_.get(), 1);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  std::vector<CallbackParameters> seen() {
    const std::scoped_lock lock(mutex_);
    return seen_;
  }

 private:
  os::UniqueFd wake_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<CallbackParameters> seen_;
  CallbackServer server_;
  std::jthread thread_;
};

}  // namespace goondan::oauth
