#include "net/ip_address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <span>

namespace goondan::net {
namespace {

constexpr std::string_view kReserved = "a reserved address";
constexpr std::string_view kPrivate = "an address of a private network";
constexpr std::string_view kLoopback = "a loopback address";
constexpr std::string_view kLinkLocal = "a link-local address, as cloud metadata services use";
constexpr std::string_view kMulticast = "a multicast address";
constexpr std::string_view kDocumentation = "an address for documentation only";

struct Block {
  std::array<std::uint8_t, 16> prefix;
  unsigned bits;
  std::string_view purpose;
};

constexpr Block block(const std::array<std::uint8_t, 16>& prefix, unsigned bits,
                      std::string_view purpose) {
  return {.prefix = prefix, .bits = bits, .purpose = purpose};
}

// The IANA registry of special-purpose addresses, multicast, and what clouds put elsewhere. The
// few registered blocks that are reachable (AS112, AMT) serve no web pages and are left out too.
constexpr std::array kSpecialV4{
    block({0}, 8, "an address of this host"),
    block({10}, 8, kPrivate),
    block({100, 64}, 10, "an address of a carrier's shared network"),
    block({127}, 8, kLoopback),
    block({168, 63, 129, 16}, 32, "the address of a cloud metadata service"),
    block({169, 254}, 16, kLinkLocal),
    block({172, 16}, 12, kPrivate),
    block({192, 0, 0}, 24, kReserved),
    block({192, 0, 2}, 24, kDocumentation),
    block({192, 31, 196}, 24, kReserved),
    block({192, 52, 193}, 24, kReserved),
    block({192, 88, 99}, 24, kReserved),
    block({192, 168}, 16, kPrivate),
    block({192, 175, 48}, 24, kReserved),
    block({198, 18}, 15, "an address for benchmarks only"),
    block({198, 51, 100}, 24, kDocumentation),
    block({203, 0, 113}, 24, kDocumentation),
    block({224}, 4, kMulticast),
    block({240}, 4, kReserved),
};

// Outside of 2000::/3 everything is refused; these say what some of it is, and what within it is
// not public.
constexpr std::array kSpecialV6{
    block({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 128, "an address of this host"),
    block({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, kLoopback),
    block({0xfc}, 7, kPrivate),
    block({0xfe, 0x80}, 10, kLinkLocal),
    block({0xfe, 0xc0}, 10, kPrivate),
    block({0xff}, 8, kMulticast),
    block({0x20, 0x01}, 23, kReserved),  // Teredo, ORCHID, benchmarks and others
    block({0x20, 0x01, 0x0d, 0xb8}, 32, kDocumentation),
    block({0x26, 0x20, 0x00, 0x4f, 0x80}, 48, kReserved),
    block({0x3f, 0xff}, 20, kDocumentation),
};

constexpr Block kGlobalUnicastV6 = block({0x20}, 3, {});

// IPv6 addresses with an IPv4 address inside, at `offset`. The packet ends at that one.
struct Carrier {
  std::array<std::uint8_t, 16> prefix;
  unsigned bits;
  std::size_t offset;
};

constexpr std::array kCarriers{
    Carrier{
        .prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, .bits = 96, .offset = 12},  // mapped
    Carrier{.prefix = {0x00, 0x64, 0xff, 0x9b}, .bits = 96, .offset = 12},                // NAT64
    Carrier{.prefix = {0x20, 0x02}, .bits = 16, .offset = 2},                             // 6to4
};

bool has_prefix(const IpAddress& address, const std::array<std::uint8_t, 16>& prefix,
                unsigned bits) {
  const std::size_t whole = bits / 8;
  if (!std::equal(prefix.begin(), prefix.begin() + whole, address.bytes.begin())) return false;
  if (bits % 8 == 0) return true;
  const unsigned mask = 0xffU << (8 - bits % 8);
  return ((address.bytes[whole] ^ prefix[whole]) & mask & 0xffU) == 0;
}

std::string_view purpose_in(std::span<const Block> blocks, const IpAddress& address) {
  for (const Block& block : blocks)
    if (has_prefix(address, block.prefix, block.bits)) return block.purpose;
  return {};
}

std::optional<IpAddress> carried(const IpAddress& address) {
  for (const Carrier& carrier : kCarriers) {
    if (!has_prefix(address, carrier.prefix, carrier.bits)) continue;
    IpAddress inner;
    std::copy_n(address.bytes.begin() + carrier.offset, 4, inner.bytes.begin());
    return inner;
  }
  return std::nullopt;
}

// The longest run of two or more zero groups, which is written as `::`.
struct Run {
  std::size_t begin = 8;
  std::size_t length = 1;
};

Run longest_zero_run(const std::array<unsigned, 8>& groups) {
  Run best;
  for (std::size_t begin = 0; begin < groups.size(); ++begin) {
    std::size_t end = begin;
    while (end < groups.size() && groups[end] == 0)
      ++end;
    if (end - begin > best.length) best = {.begin = begin, .length = end - begin};
  }
  return best;
}

std::string text_v4(const std::array<std::uint8_t, 16>& bytes) {
  std::string out;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) out += '.';
    out += std::to_string(bytes[i]);
  }
  return out;
}

void append_hex(std::string& out, unsigned group) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  bool begun = false;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const unsigned digit = (group >> shift) & 0xfU;
    begun = begun || digit != 0 || shift == 0;
    if (begun) out += kDigits[digit];
  }
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  constexpr std::size_t kLongest = INET6_ADDRSTRLEN;
  if (text.size() >= kLongest || text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string copy(text);  // ends in a NUL
  const bool v6 = text.find(':') != std::string_view::npos;
  IpAddress address{.family = v6 ? Family::V6 : Family::V4};
  if (::inet_pton(v6 ? AF_INET6 : AF_INET, copy.c_str(), address.bytes.data()) != 1)
    return std::nullopt;
  return address;
}

std::string IpAddress::text() const {
  if (family == Family::V4) return text_v4(bytes);
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i] = (static_cast<unsigned>(bytes[2 * i]) << 8U) | bytes[2 * i + 1];
  const Run zeros = longest_zero_run(groups);
  std::string out;
  for (std::size_t i = 0; i < groups.size();) {
    if (i == zeros.begin) {
      out += "::";
      i += zeros.length;
      continue;
    }
    if (!out.empty() && !out.ends_with(':')) out += ':';
    append_hex(out, groups[i++]);
  }
  return out;
}

std::string_view special_purpose(const IpAddress& address) {
  if (address.family == IpAddress::Family::V4) return purpose_in(kSpecialV4, address);
  if (const std::optional<IpAddress> inner = carried(address)) return special_purpose(*inner);
  const std::string_view purpose = purpose_in(kSpecialV6, address);
  if (!purpose.empty()) return purpose;
  const bool global = has_prefix(address, kGlobalUnicastV6.prefix, kGlobalUnicastV6.bits);
  return global ? std::string_view() : kReserved;
}

bool is_global_unicast(const IpAddress& address) {
  return special_purpose(address).empty();
}

}  // namespace goondan::net
