#include "net/socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sys/socket.h>
#include <system_error>
#include <vector>

namespace goondan::net {
namespace {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  // The system's functions take the one type for all families.
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress to_socket_address(const IpAddress& address, std::uint16_t port) {
  SocketAddress result;
  if (address.family == IpAddress::Family::V4) {
    sockaddr_in v4 = {};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&v4.sin_addr, address.bytes.data(), sizeof v4.sin_addr);
    std::memcpy(&result.storage, &v4, sizeof v4);
    result.size = sizeof v4;
  } else {
    sockaddr_in6 v6 = {};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    std::memcpy(&v6.sin6_addr, address.bytes.data(), sizeof v6.sin6_addr);
    std::memcpy(&result.storage, &v6, sizeof v6);
    result.size = sizeof v6;
  }
  return result;
}

bool leads_to(int fd, const IpAddress& address, std::uint16_t port) {
  SocketAddress expected = to_socket_address(address, port);
  SocketAddress actual;
  actual.size = sizeof actual.storage;
  if (::getpeername(fd, actual.get(), &actual.size) != 0) return false;
  return actual.size == expected.size &&
         std::memcmp(&actual.storage, &expected.storage, expected.size) == 0;
}

int pending_error(int fd) {
  int number = 0;
  socklen_t size = sizeof number;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno;
}

// IPv6 and IPv4 in turn, each family in its order, and not too many.
std::vector<IpAddress> in_turn(std::span<const IpAddress> addresses) {
  std::array<std::vector<IpAddress>, 2> families;
  for (const IpAddress& address : addresses) {
    families[address.family == IpAddress::Family::V6 ? 0 : 1].push_back(address);
  }
  std::vector<IpAddress> result;
  for (std::size_t i = 0; i < addresses.size() && result.size() < kMaxTriedAddresses; ++i) {
    for (const auto& family : families) {
      if (i < family.size()) result.push_back(family[i]);
    }
  }
  if (result.size() > kMaxTriedAddresses) result.resize(kMaxTriedAddresses);
  return result;
}

// Attempts side by side, of which one wins.
class Race {
 public:
  Race(std::vector<IpAddress> addresses, std::uint16_t port)
      : addresses_(std::move(addresses)), port_(port) {}

  Result<Connected> run(const Until& until);

 private:
  void start_next();
  void start_what_is_due();
  Result<void> wait(const Until& until);
  std::optional<Connected> settle(std::size_t index);
  [[nodiscard]] bool may_start() const { return started_ < addresses_.size(); }

  std::vector<IpAddress> addresses_;
  std::uint16_t port_;
  std::size_t started_ = 0;
  std::vector<Connected> attempts_;
  std::vector<pollfd> waiting_;
  Deadline next_start_ = Deadline::min();
  Error problem_ = {};
};

void Race::start_next() {
  const IpAddress& address = addresses_[started_++];
  const int family = address.family == IpAddress::Family::V4 ? AF_INET : AF_INET6;
  os::UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  SocketAddress target = to_socket_address(address, port_);
  if (!fd || (::connect(fd.get(), target.get(), target.size) != 0 && errno != EINPROGRESS &&
              errno != EINTR)) {
    problem_ = network_error("cannot connect to " + address.text(), errno);
    return;
  }
  next_start_ = Clock::now() + kNextAddressAfter;
  attempts_.push_back({.fd = std::move(fd), .address = address});
}

Result<void> Race::wait(const Until& until) {
  waiting_.clear();
  for (const Connected& attempt : attempts_) {
    waiting_.push_back({.fd = attempt.fd.get(), .events = POLLOUT, .revents = 0});
  }
  const Deadline end = may_start() ? std::min(until.deadline, next_start_) : until.deadline;
  const os::Wake wake = os::wait_any(waiting_, end, until.stop.waker());
  if (wake == os::Wake::Ready || (wake == os::Wake::TimedOut && end < until.deadline)) return {};
  return wake_error(wake);
}

// What became of an attempt that has something to say; a failed one is taken out.
std::optional<Connected> Race::settle(std::size_t index) {
  Connected attempt = std::move(attempts_[index]);
  attempts_.erase(attempts_.begin() + static_cast<std::ptrdiff_t>(index));
  const int number = pending_error(attempt.fd.get());
  if (number != 0) {
    problem_ = network_error("cannot connect to " + attempt.address.text(), number);
  } else if (!leads_to(attempt.fd.get(), attempt.address, port_)) {
    problem_ = {.code = ErrorCode::Network,
                .message = "the connection to " + attempt.address.text() + " leads elsewhere"};
  } else {
    const int on = 1;
    ::setsockopt(attempt.fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return attempt;
  }
  next_start_ = Deadline::min();
  return std::nullopt;
}

void Race::start_what_is_due() {
  while (may_start() && (attempts_.empty() || next_start_ <= Clock::now())) {
    start_next();
  }
}

Result<Connected> Race::run(const Until& until) {
  while (true) {
    GDN_TRY(check(until));
    start_what_is_due();
    if (attempts_.empty()) return problem_;
    GDN_TRY(wait(until));
    for (std::size_t i = waiting_.size(); i-- > 0;) {
      if (waiting_[i].revents == 0) continue;
      if (auto winner = settle(i)) return std::move(*winner);
    }
  }
}

Result<void> wait_for_room(int fd, OnInput on_input, const Until& until) {
  const int events = on_input == OnInput::Stop ? POLLIN | POLLOUT : POLLOUT;
  const short came = GDN_TRY(wait_for(fd, static_cast<short>(events), until));
  if ((came & (POLLIN | POLLOUT)) != POLLIN) return {};
  return Error{.code = ErrorCode::Network,
               .message = "the server did not wait for the end of the request"};
}

}  // namespace

Error network_error(std::string_view what, int number) {
  return {.code = ErrorCode::Network,
          .message = std::string(what) + ": " + std::generic_category().message(number)};
}

Result<Connected> connect_to_any(std::span<const IpAddress> addresses, std::uint16_t port,
                                 const Until& until) {
  return Race(in_turn(addresses), port).run(until);
}

Result<void> send_all(int fd, std::string_view bytes, OnInput on_input, const Until& until) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      GDN_TRY(wait_for_room(fd, on_input, until));
    } else if (errno != EINTR) {
      return network_error("cannot send", errno);
    }
    if (!bytes.empty()) GDN_TRY(check(until));
  }
  return {};
}

Result<std::size_t> receive_some(int fd, std::span<char> buffer, const Until& until) {
  while (true) {
    GDN_TRY(check(until));
    GDN_TRY(wait_for(fd, POLLIN, until));
    const ssize_t size = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EAGAIN && errno != EINTR) return network_error("cannot receive", errno);
  }
}

}  // namespace goondan::net
