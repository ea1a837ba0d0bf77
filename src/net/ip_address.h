// An IPv4 or IPv6 address, and whether it is one of the public internet. Values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace goondan::net {

struct IpAddress {
  enum class Family { V4, V6 };

  Family family = Family::V4;
  std::array<std::uint8_t, 16> bytes = {};  // in network order; V4 uses the first four

  // Strict text forms only: four decimal parts, or RFC 4291 without a zone.
  static std::optional<IpAddress> parse(std::string_view text);

  // IPv6 as in RFC 5952, in hexadecimal throughout: `::ffff:7f00:1`.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

// Whether packets to it leave for the public internet: global unicast, with addresses that carry
// an IPv4 address inside (mapped, NAT64, 6to4) judged by that. Anything not known to be public is
// not.
bool is_global_unicast(const IpAddress& address);

// What an address that is not global unicast is for, to tell a person: "a loopback address".
// Empty if it is global unicast.
std::string_view special_purpose(const IpAddress& address);

}  // namespace goondan::net
