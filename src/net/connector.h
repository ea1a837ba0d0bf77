// Opens connections: the name is resolved, every address judged, one connected to, TLS made.
#pragma once

#include <memory>
#include <mutex>

#include <goondan/result.h>

#include "net/connection_pool.h"
#include "net/host_policy.h"
#include "net/resolver.h"
#include "net/tls.h"
#include "net/until.h"

namespace goondan::net {

// Thread-safe.
class Connector {
 public:
  explicit Connector(ResolverOptions names) : resolver_(std::move(names)) {}

  // A new connection to the origin of `url`, whose name the policy has been asked about. No byte
  // goes to an address the policy refuses; one refused address refuses the name.
  [[nodiscard]] Result<std::unique_ptr<Connection>> open(const Url& url, const HostPolicy& policy,
                                                         const Until& until);

 private:
  Result<std::vector<IpAddress>> judged_addresses(const Url& url, const HostPolicy& policy,
                                                  const Until& until) const;
  Result<std::shared_ptr<const TlsContext>> tls();

  Resolver resolver_;
  std::mutex mutex_;
  std::shared_ptr<const TlsContext> tls_;  // made with the first https connection; by `mutex_`
};

}  // namespace goondan::net
