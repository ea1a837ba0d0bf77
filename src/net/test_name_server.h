// A DNS server on loopback for tests, over UDP and TCP, on a thread of its own.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "net/ip_address.h"
#include "net/resolver.h"
#include "os/unique_fd.h"

namespace goondan::net {

class TestNameServer {
 public:
  using Addresses = std::vector<IpAddress>;
  // The addresses of a name, of both families; nothing: silence.
  using Answer = std::function<std::optional<Addresses>(const std::string& name)>;

  explicit TestNameServer(Answer answer) : answer_(std::move(answer)) {
    while (!bind_both()) {  // the port may be in use by others with the second protocol
    }
    thread_ = std::thread([this] { serve(); });
  }

  ~TestNameServer() {
    const std::uint64_t one = 1;
    if (::write(stop_.get(), &one, sizeof one) < 0) std::abort();
    thread_.join();
  }

  TestNameServer(const TestNameServer&) = delete;
  TestNameServer& operator=(const TestNameServer&) = delete;

  [[nodiscard]] ResolverOptions options() const {
    return {.name_servers = {"127.0.0.1:" + std::to_string(port_)}};
  }

  [[nodiscard]] int queries() const { return queries_; }

 private:
  static constexpr std::size_t kHeader = 12;
  static constexpr std::size_t kMaxUdp = 512;
  static constexpr char kTypeA = 1;
  static constexpr char kTypeAaaa = 28;

  bool bind_both() {
    udp_.reset(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    tcp_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(udp_.get(), generic, size) != 0 || ::getsockname(udp_.get(), generic, &size) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    return ::bind(tcp_.get(), generic, size) == 0 && ::listen(tcp_.get(), 16) == 0;
  }

  void serve() {
    while (true) {
      std::array<pollfd, 3> fds{pollfd{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = udp_.get(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = tcp_.get(), .events = POLLIN, .revents = 0}};
      ::poll(fds.data(), fds.size(), -1);
      if (fds[0].revents != 0) return;
      if (fds[1].revents != 0) serve_udp();
      if (fds[2].revents != 0) serve_tcp();
    }
  }

  void serve_udp() {
    std::array<char, 2048> buffer;
    sockaddr_in from{};
    socklen_t size = sizeof from;
    auto* generic = reinterpret_cast<sockaddr*>(&from);
    const ssize_t got = ::recvfrom(udp_.get(), buffer.data(), buffer.size(), 0, generic, &size);
    std::string reply =
        reply_to({buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
    if (reply.empty()) return;
    if (reply.size() > kMaxUdp) {
      reply.resize(reply.find('\0', kHeader) + 5);
      reply[2] = static_cast<char>(reply[2] | 0x02);  // truncated: ask again over TCP
      reply[6] = reply[7] = 0;
    }
    ::sendto(udp_.get(), reply.data(), reply.size(), 0, generic, size);
  }

  void serve_tcp() {
    const os::UniqueFd peer(::accept4(tcp_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<char, 2048> buffer;
    const ssize_t got = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
    if (got < 2) return;
    const std::string reply = reply_to({buffer.data() + 2, static_cast<std::size_t>(got) - 2});
    const std::string framed = number(reply.size()) + reply;
    ::send(peer.get(), framed.data(), framed.size(), MSG_NOSIGNAL);
  }

  static std::string number(std::size_t value) {
    return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)};
  }

  std::string reply_to(std::string_view query) {
    const std::size_t name_end = query.find('\0', kHeader);
    if (name_end == std::string_view::npos || query.size() < name_end + 5) return {};
    ++queries_;
    std::string name;
    for (std::size_t at = kHeader; at < name_end; at += static_cast<std::size_t>(query[at]) + 1) {
      name += std::string(name.empty() ? "" : ".") +
              std::string(query.substr(at + 1, static_cast<std::size_t>(query[at])));
    }
    const std::optional<Addresses> addresses = answer_(name);
    if (!addresses) return {};
    const char type = query[name_end + 2];
    std::string records;
    std::size_t count = 0;
    for (const IpAddress& address : *addresses) {
      const bool v4 = address.family == IpAddress::Family::V4;
      if (type != (v4 ? kTypeA : kTypeAaaa)) continue;
      const std::size_t size = v4 ? 4 : 16;
      records += std::string("\xc0\x0c\0", 3) + type + std::string("\0\1\0\0\0\0", 6) +
                 number(size) + std::string(address.bytes.begin(), address.bytes.begin() + size);
      ++count;
    }
    // No address at all: there is no such name.
    const std::string flags = addresses->empty() ? "\x81\x83" : "\x81\x80";
    return std::string(query.substr(0, 2)) + flags + number(1) + number(count) + number(0) +
           number(0) + std::string(query.substr(kHeader, name_end + 5 - kHeader)) + records;
  }

  Answer answer_;
  os::UniqueFd udp_;
  os::UniqueFd tcp_;
  os::UniqueFd stop_{::eventfd(0, EFD_CLOEXEC)};
  std::uint16_t port_ = 0;
  std::atomic<int> queries_ = 0;
  std::thread thread_;
};

}  // namespace goondan::net
