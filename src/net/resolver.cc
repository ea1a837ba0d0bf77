#include "net/resolver.h"

#include <algorithm>
#include <ares.h>
#include <array>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/time.h>

namespace goondan::net {
namespace {

Error lookup_error(std::string message, std::string suggestion = {}) {
  return {.code = ErrorCode::Network,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

IpAddress to_address(int family, const void* bytes) {
  IpAddress address{.family = family == AF_INET ? IpAddress::Family::V4 : IpAddress::Family::V6};
  std::memcpy(address.bytes.data(), bytes, family == AF_INET ? 4 : 16);
  return address;
}

// A name that means this machine, whatever a name server would say (RFC 6761).
bool is_localhost(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost");
}

// One name, one channel; everything of it ends with the object.
class Lookup {
 public:
  explicit Lookup(const std::string& host) : host_(host) {}
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;
  ~Lookup() {
    if (channel_ != nullptr) ares_destroy(channel_);
  }

  Result<void> open(const ResolverOptions& options);
  void look_in_hosts_file();
  Result<void> ask_name_servers(const Until& until);
  Result<std::vector<IpAddress>> outcome();

 private:
  // What has become of the question for one family.
  struct Question {
    Lookup* lookup = nullptr;
    std::optional<int> status = {};
  };

  static void answered(void* question, int status, int timeouts, ares_addrinfo* answer);
  void ask(Question& question, int family);
  void add(const ares_addrinfo& answer);
  Result<void> keep_few_servers();
  Result<void> wait_once(const Until& until);
  [[nodiscard]] Deadline next_wake(Deadline deadline) const;
  [[nodiscard]] bool finished() const { return first_.status && second_.status; }

  const std::string& host_;
  ares_channel channel_ = nullptr;
  std::vector<IpAddress> addresses_;
  Question first_{.lookup = this};
  Question second_{.lookup = this};
  Deadline grace_end_ = Deadline::max();  // after the first addresses have come
};

Result<void> Lookup::open(const ResolverOptions& options) {
  ares_options settings = {};
  settings.timeout = static_cast<int>(kNameServerTimeout.count());
  settings.tries = kNameServerTries;
  // The file is looked at before, for both families at once.
  std::string lookups = "b";
  settings.lookups = lookups.data();
  const int wanted = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS;
  if (const int status = ares_init_options(&channel_, &settings, wanted); status != ARES_SUCCESS) {
    channel_ = nullptr;
    return lookup_error(std::string("cannot look up names: ") + ares_strerror(status));
  }
  if (options.name_servers.empty()) return keep_few_servers();
  std::string list;
  for (const std::string& server : options.name_servers) {
    list += (list.empty() ? "" : ",") + server;
  }
  if (ares_set_servers_ports_csv(channel_, list.c_str()) != ARES_SUCCESS) {
    return lookup_error("cannot use the name servers '" + list + "'");
  }
  return {};
}

// So that their sockets fit into one wait.
Result<void> Lookup::keep_few_servers() {
  ares_addr_port_node* servers = nullptr;
  if (ares_get_servers_ports(channel_, &servers) != ARES_SUCCESS) return {};
  ares_addr_port_node* last = servers;
  for (std::size_t i = 1; i < kMaxNameServers && last != nullptr; ++i) {
    last = last->next;
  }
  int status = ARES_SUCCESS;
  if (last != nullptr && last->next != nullptr) {
    ares_addr_port_node* rest = std::exchange(last->next, nullptr);
    status = ares_set_servers_ports(channel_, servers);
    last->next = rest;
  }
  ares_free_data(servers);
  if (status == ARES_SUCCESS) return {};
  return lookup_error(std::string("cannot look up names: ") + ares_strerror(status));
}

void Lookup::look_in_hosts_file() {
  for (const int family : {AF_INET, AF_INET6}) {
    hostent* entry = nullptr;
    if (ares_gethostbyname_file(channel_, host_.c_str(), family, &entry) != ARES_SUCCESS) continue;
    for (char** address = entry->h_addr_list; *address != nullptr; ++address) {
      if (entry->h_addrtype == family) addresses_.push_back(to_address(family, *address));
    }
    ares_free_hostent(entry);
  }
  if (addresses_.empty() && is_localhost(host_))
    addresses_ = {IpAddress{.family = IpAddress::Family::V4, .bytes = {127, 0, 0, 1}},
                  IpAddress{.family = IpAddress::Family::V6,
                            .bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}};
}

void Lookup::ask(Question& question, int family) {
  ares_addrinfo_hints hints = {};
  // Sorting would open a socket towards every address before one has been judged.
  hints.ai_flags = ARES_AI_NOSORT;
  hints.ai_family = family;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(channel_, host_.c_str(), nullptr, &hints, &Lookup::answered, &question);
}

void Lookup::answered(void* question, int status, int /*timeouts*/, ares_addrinfo* answer) {
  auto& asked = *static_cast<Question*>(question);
  asked.status = status;
  if (answer == nullptr) return;
  if (status == ARES_SUCCESS) asked.lookup->add(*answer);
  ares_freeaddrinfo(answer);
}

void Lookup::add(const ares_addrinfo& answer) {
  for (const ares_addrinfo_node* node = answer.nodes; node != nullptr; node = node->ai_next) {
    // One more than allowed is enough to refuse the name.
    if (addresses_.size() > kMaxAddresses) break;
    if (node->ai_family == AF_INET) {
      const auto* v4 = reinterpret_cast<const sockaddr_in*>(node->ai_addr);
      addresses_.push_back(to_address(AF_INET, &v4->sin_addr));
    } else if (node->ai_family == AF_INET6) {
      const auto* v6 = reinterpret_cast<const sockaddr_in6*>(node->ai_addr);
      addresses_.push_back(to_address(AF_INET6, &v6->sin6_addr));
    }
  }
  if (!addresses_.empty() && grace_end_ == Deadline::max()) {
    grace_end_ = Clock::now() + kOtherFamilyGrace;
  }
}

Result<void> Lookup::ask_name_servers(const Until& until) {
  if (!addresses_.empty()) return {};
  ask(first_, AF_INET6);
  ask(second_, AF_INET);
  while (!finished() && Clock::now() < grace_end_) {
    GDN_TRY(check(until));
    GDN_TRY(wait_once(until));
  }
  return {};
}

// When c-ares wants to look at its own clock again, at the latest.
Deadline Lookup::next_wake(Deadline deadline) const {
  timeval store = {};
  const timeval* left = ares_timeout(channel_, nullptr, &store);
  deadline = std::min(deadline, grace_end_);
  if (left == nullptr) return deadline;
  return std::min(deadline, Clock::now() + std::chrono::seconds(left->tv_sec) +
                                std::chrono::microseconds(left->tv_usec));
}

Result<void> Lookup::wait_once(const Until& until) {
  std::array<ares_socket_t, os::kMaxWaitFds> sockets{};
  const auto bits = static_cast<unsigned>(
      ares_getsock(channel_, sockets.data(), static_cast<int>(sockets.size())));
  std::vector<pollfd> waiting;
  for (unsigned i = 0; i < sockets.size(); ++i) {
    const bool reads = ARES_GETSOCK_READABLE(bits, i) != 0;
    const bool writes = ARES_GETSOCK_WRITABLE(bits, i) != 0;
    if (!reads && !writes) break;
    const int events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0);
    waiting.push_back({.fd = sockets[i], .events = static_cast<short>(events), .revents = 0});
  }
  const os::Wake wake = os::wait_any(waiting, next_wake(until.deadline), until.stop.waker());
  if (wake == os::Wake::Stopped) return wake_error(wake);
  for (const pollfd& fd : waiting) {
    const bool reads = (fd.revents & (POLLIN | POLLERR | POLLHUP)) != 0;
    const bool writes = (fd.revents & POLLOUT) != 0;
    if (!reads && !writes) continue;
    ares_process_fd(channel_, reads ? fd.fd : ARES_SOCKET_BAD, writes ? fd.fd : ARES_SOCKET_BAD);
  }
  ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // what has timed out
  return {};
}

Result<std::vector<IpAddress>> Lookup::outcome() {
  if (addresses_.size() > kMaxAddresses) {
    return lookup_error("the host '" + host_ + "' has more than " + std::to_string(kMaxAddresses) +
                        " addresses");
  }
  if (!addresses_.empty()) return std::move(addresses_);
  const auto missing = [](const Question& question) {
    return question.status == ARES_ENOTFOUND || question.status == ARES_ENODATA;
  };
  if (missing(first_) && missing(second_)) {
    return lookup_error("there is no host named '" + host_ + "'", "Check the name in the URL.");
  }
  const int status = (missing(first_) ? second_ : first_).status.value_or(ARES_ETIMEOUT);
  return lookup_error("cannot look up the host '" + host_ + "': " + ares_strerror(status));
}

}  // namespace

Result<std::vector<IpAddress>> Resolver::resolve(const std::string& host,
                                                 const Until& until) const {
  Lookup lookup(host);
  GDN_TRY(lookup.open(options_));
  lookup.look_in_hosts_file();
  GDN_TRY(lookup.ask_name_servers(until));
  return lookup.outcome();
}

}  // namespace goondan::net
