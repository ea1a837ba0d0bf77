// The host and port of a URL: from what was written to what is resolved, judged, connected to and
// sent. Internal to `url.cc` and `host_policy.cc`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace goondan::net {

// Either a host in its one form, or why the text is none.
struct HostReading {
  std::string host = {};
  std::string problem = {};  // empty: `host` is set

  [[nodiscard]] bool ok() const { return problem.empty(); }
};

// `text` is the part of the URL between `//` and the port. Brackets mean IPv6; everything else is
// percent-decoded first. A name whose last label is a number is an IPv4 address or nothing.
HostReading read_host(std::string_view text);

// A port from 1 to 65535 in decimal digits; nothing if `digits` is none.
std::optional<std::uint16_t> read_port(std::string_view digits);

}  // namespace goondan::net
