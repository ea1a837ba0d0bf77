// An http or https URL, parsed once; what is parsed is what is connected to and sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan::net {

enum class Scheme { Http, Https };

struct Url {
  Scheme scheme = Scheme::Https;
  // In lower case: a name, an IPv4 address in dotted form (all of `127.1`, `0x7f000001`,
  // `2130706433` become `127.0.0.1`), or an IPv6 address without brackets. Names beyond ASCII are
  // refused in this form; write them in punycode.
  std::string host;
  std::uint16_t port = 0;     // always set
  std::string path = "/";     // percent-encoded, begins with `/`, dot segments resolved
  std::string query = {};     // percent-encoded, with its `?`; empty: none
  std::string fragment = {};  // with its `#`; never sent

  // Fails with `E_URL_INVALID`: another scheme, credentials, control characters, backslashes, a
  // space outside of path, query and fragment (where it becomes `%20`), a host or port that is
  // none. Messages show neither credentials nor the query.
  static Result<Url> parse(std::string_view text);

  // A reference as in a `Location` header, relative to this URL.
  [[nodiscard]] Result<Url> resolve(std::string_view reference) const;

  [[nodiscard]] std::string text() const;    // normalised; the default port left out
  [[nodiscard]] std::string origin() const;  // `https://host:port`, the port always there
  [[nodiscard]] std::string target() const { return path + query; }
  // `host:port` as in a Host header: brackets for IPv6, the default port left out.
  [[nodiscard]] std::string host_header() const;
  // For messages and logs: no query and no fragment, which may hold secrets.
  [[nodiscard]] std::string safe_text() const;

  friend bool operator==(const Url&, const Url&) = default;
};

}  // namespace goondan::net
