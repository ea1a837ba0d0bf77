#include "net/host_policy.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"
#include "net/url_host.h"

namespace goondan::net {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::uint16_t kFirstUnprivilegedPort = 1024;

// Where other services listen that a request, or text that looks like one, could command:
// databases, caches, queues, proxies, remote control, container and cluster management.
constexpr std::array<std::uint16_t, 50> kServicePorts{
    1080, 1433,  1521,  1723,  1883,  2049,  2181,  2375,  2376,  2379,  2380, 3128, 3306,
    3389, 4190,  5060,  5061,  5222,  5432,  5672,  5900,  5984,  6000,  6379, 6443, 6660,
    6665, 6666,  6667,  6668,  6669,  6697,  7001,  8125,  8500,  9042,  9092, 9100, 9200,
    9300, 10250, 10255, 11211, 15672, 26379, 27017, 27018, 27019, 50000, 61616};

// Names that mean this machine or this network wherever they are asked for.
constexpr std::array<std::string_view, 10> kLocalNames{
    "localhost", "local",    "internal", "localdomain", "home.arpa",
    "lan",       "intranet", "private",  "corp",        "home"};

bool is_or_is_beneath(std::string_view name, std::string_view zone) {
  if (!name.ends_with(zone)) return false;
  return name.size() == zone.size() || name[name.size() - zone.size() - 1] == '.';
}

bool is_local_name(std::string_view host) {
  return std::ranges::any_of(
      kLocalNames, [host](std::string_view zone) { return is_or_is_beneath(host, zone); });
}

bool is_web_port(std::uint16_t port) {
  if (port == kHttpPort || port == kHttpsPort) return true;
  return port >= kFirstUnprivilegedPort &&
         std::ranges::find(kServicePorts, port) == kServicePorts.end();
}

// As an operator writes it: brackets for IPv6, the port always there.
std::string host_and_port(const Url& url) {
  const std::string origin = url.origin();
  return origin.substr(origin.find("//") + 2);
}

Error not_allowed(const Url& url, std::string message) {
  const std::string entry = host_and_port(url);
  return {.code = ErrorCode::HostNotAllowed,
          .message = std::move(message),
          .suggestion =
              "Use a public host on a web port. If this one is meant, the operator can allow it: "
              "`--allow-host " +
              entry + "` on the command line, or `policy: { http: { allow: [\"" + entry +
              "\"] } }` in the bundle."};
}

Error not_global(const Url& url, const IpAddress& address) {
  const std::string text = address.text();
  const std::string subject =
      text == url.host ? "'" + text + "' is " : "'" + url.host + "' has the address " + text + ", ";
  return not_allowed(
      url, subject + std::string(special_purpose(address)) + "; only public addresses are reached");
}

// A whole URL may have been given, with a password in it, or anything else.
std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShownCodePoints = 200;
  const std::size_t at = text.rfind('@');
  const std::string plain =
      at == std::string_view::npos ? std::string(text) : "***" + std::string(text.substr(at));
  return std::string(utf8::prefix(utf8::repaired(plain), kMaxShownCodePoints));
}

Error not_an_entry(std::string_view text, std::string_view problem) {
  return {.code = ErrorCode::Config,
          .message = "'" + shown(text) + "' is not a host to allow: " + std::string(problem),
          .suggestion =
              "Write HOST or HOST:PORT, such as 127.0.0.1:8080, [::1]:8080 or "
              "intranet.example."};
}

// Why `text` cannot be an entry, told before it is taken apart; empty if it may be one.
std::string_view plain_mistake(std::string_view text) {
  if (text.empty()) return "it is empty";
  if (text.find("://") != std::string_view::npos) return "it is a URL; leave out the scheme";
  if (text.find('*') != std::string_view::npos) return "there are no wildcards; name each host";
  if (text.find_first_of("/@?# \\") != std::string_view::npos)
    return "it holds more than a host and a port";
  if (!text.starts_with('[') && std::ranges::count(text, ':') > 1)
    return "an IPv6 address stands in brackets";
  return {};
}

}  // namespace

Result<AllowedHost> AllowedHost::parse(std::string_view text) {
  const std::string_view mistake = plain_mistake(text);
  if (!mistake.empty()) return not_an_entry(text, mistake);
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) return not_an_entry(text, "the bracket is not closed");
  const std::size_t colon = std::min(text.find(':', bracket), text.size());
  HostReading reading = read_host(text.substr(0, colon));
  if (!reading.ok()) return not_an_entry(text, reading.problem);
  AllowedHost allowed{.host = std::move(reading.host)};
  if (colon == text.size()) return allowed;
  const std::optional<std::uint16_t> port = read_port(text.substr(colon + 1));
  if (!port) return not_an_entry(text, "the port must be a number from 1 to 65535");
  allowed.port = *port;
  return allowed;
}

Result<HostPolicy> HostPolicy::parse(const std::vector<std::string>& allowed) {
  std::vector<AllowedHost> hosts;
  for (const std::string& text : allowed)
    hosts.push_back(GDN_TRY(AllowedHost::parse(text)));
  return HostPolicy(std::move(hosts));
}

bool HostPolicy::allows(const Url& url) const {
  return std::ranges::any_of(allowed_, [&url](const AllowedHost& allowed) {
    if (allowed.host != url.host) return false;
    if (allowed.port != 0) return allowed.port == url.port;
    return url.port == kHttpPort || url.port == kHttpsPort;
  });
}

Result<void> HostPolicy::judge_name(const Url& url) const {
  if (allows(url)) return {};
  const std::optional<IpAddress> address = IpAddress::parse(url.host);
  if (address) GDN_TRY(judge_address(url, *address));
  if (!address && is_local_name(url.host))
    return not_allowed(url, "'" + url.host +
                                "' is a name of this machine or its network; only "
                                "public hosts are reached");
  if (!address && url.host.find('.') == std::string::npos)
    return not_allowed(url, "'" + url.host +
                                "' is a name without a domain, which only this "
                                "network knows; only public hosts are reached");
  if (!is_web_port(url.port))
    return not_allowed(
        url, "port " + std::to_string(url.port) + " of '" + url.host + "' is not one for the web");
  return {};
}

Result<void> HostPolicy::judge_address(const Url& url, const IpAddress& address) const {
  if (allows(url) || is_global_unicast(address)) return {};
  return not_global(url, address);
}

}  // namespace goondan::net
