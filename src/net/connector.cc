#include "net/connector.h"

#include "net/socket.h"

namespace goondan::net {

Result<std::vector<IpAddress>> Connector::judged_addresses(const Url& url, const HostPolicy& policy,
                                                           const Until& until) const {
  std::vector<IpAddress> addresses;
  if (const auto literal = IpAddress::parse(url.host)) {
    addresses.push_back(*literal);
  } else {
    addresses = GDN_TRY(resolver_.resolve(url.host, until));
  }
  for (const IpAddress& address : addresses) {
    GDN_TRY(policy.judge_address(url, address));
  }
  return addresses;
}

Result<std::shared_ptr<const TlsContext>> Connector::tls() {
  const std::scoped_lock lock(mutex_);
  if (!tls_) tls_ = GDN_TRY(TlsContext::make());
  return tls_;
}

Result<std::unique_ptr<Connection>> Connector::open(const Url& url, const HostPolicy& policy,
                                                    const Until& until) {
  GDN_TRY(check(until));
  const std::vector<IpAddress> addresses = GDN_TRY(judged_addresses(url, policy, until));
  Connected connected = GDN_TRY(connect_to_any(addresses, url.port, until));
  std::unique_ptr<TlsSession> session;
  if (url.scheme == Scheme::Https) {
    std::shared_ptr<const TlsContext> context = GDN_TRY(tls());
    session = GDN_TRY(TlsSession::connect(std::move(context), connected.fd.get(), url.host, until));
  }
  return std::make_unique<Connection>(
      Connection{.transport = Transport(std::move(connected.fd), std::move(session)),
                 .scheme = url.scheme,
                 .host = url.host,
                 .port = url.port,
                 .address = connected.address});
}

}  // namespace goondan::net
