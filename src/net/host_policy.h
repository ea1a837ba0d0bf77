// Which hosts and addresses may be reached. Decides; connects to nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/result.h>

#include "net/ip_address.h"
#include "net/url.h"

namespace goondan::net {

// A host that an operator allows beyond what is public: `127.0.0.1:8080`, `intranet.example:443`,
// `[::1]:8080`, or without a port, for the default ports of http and https.
struct AllowedHost {
  std::string host;
  std::uint16_t port = 0;  // 0: 80 and 443

  static Result<AllowedHost> parse(std::string_view text);

  friend bool operator==(const AllowedHost&, const AllowedHost&) = default;
};

// A value. Empty: global addresses on web ports only.
class HostPolicy {
 public:
  HostPolicy() = default;
  explicit HostPolicy(std::vector<AllowedHost> allowed) : allowed_(std::move(allowed)) {}

  // From what an operator has written. Fails as `AllowedHost::parse` does.
  static Result<HostPolicy> parse(const std::vector<std::string>& allowed);

  // The same, with one more host allowed.
  [[nodiscard]] HostPolicy with(AllowedHost host) const {
    HostPolicy more = *this;
    more.allowed_.push_back(std::move(host));
    return more;
  }

  // Whether the operator named this host and port.
  [[nodiscard]] bool allows(const Url& url) const;

  // Before anything is resolved: names that are local by meaning (`localhost`,
  // `metadata.google.internal` ...), ports that are not for the web. `E_HOST_NOT_ALLOWED`.
  [[nodiscard]] Result<void> judge_name(const Url& url) const;

  // Every address a name has must be global unicast; one that is not refuses the whole name.
  [[nodiscard]] Result<void> judge_address(const Url& url, const IpAddress& address) const;

 private:
  std::vector<AllowedHost> allowed_;
};

}  // namespace goondan::net
