// The addresses of a host's name, found without threads and never past a deadline.
//
// /etc/hosts first, then, but for `localhost`, DNS as /etc/resolv.conf says, both by c-ares; the
// waiting is ours. Other name services of the machine (mDNS, NIS) are not asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "net/ip_address.h"
#include "net/until.h"

namespace goondan::net {

// A name with more addresses is refused.
inline constexpr std::size_t kMaxAddresses = 64;

// How many of the machine's name servers are asked, as in the C library.
inline constexpr std::size_t kMaxNameServers = 3;

// How long a name server may take at first; each further try waits twice as long.
inline constexpr std::chrono::milliseconds kNameServerTimeout{2000};
inline constexpr int kNameServerTries = 3;

// How long the answer for one family waits for the other's.
inline constexpr std::chrono::milliseconds kOtherFamilyGrace{300};

struct ResolverOptions {
  std::vector<std::string> name_servers = {};  // `127.0.0.1:5353`; none: those of the machine
};

// Immutable, so thread-safe; each lookup stands alone.
class Resolver {
 public:
  explicit Resolver(ResolverOptions options = {}) : options_(std::move(options)) {}

  // IPv4 and IPv6 addresses, never none. Fails with `E_NETWORK` (no such name, no answer, too
  // many), `E_NETWORK_TIMEOUT`, `E_TOOL_CANCELLED`.
  [[nodiscard]] Result<std::vector<IpAddress>> resolve(const std::string& host,
                                                       const Until& until) const;

 private:
  ResolverOptions options_;
};

}  // namespace goondan::net
