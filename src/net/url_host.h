// The host of a URL: from what was written to what is resolved, judged, connected to and sent.
// Internal to `url.cc`.
#pragma once

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

}  // namespace goondan::net
