#include "net/url_host.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "net/ip_address.h"
#include "net/url_encoding.h"

namespace goondan::net {
namespace {

// RFC 1035.
constexpr std::size_t kMaxNameBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;

constexpr std::uint64_t kPastIpv4 = std::uint64_t{1} << 32U;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What names in use consist of; the underscore is no letter of host names, but met in them.
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '.' || c == '_';
}

std::vector<std::string_view> labels_of(std::string_view name) {
  std::vector<std::string_view> labels;
  for (std::size_t begin = 0;;) {
    const std::size_t dot = name.find('.', begin);
    labels.push_back(name.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return labels;
    begin = dot + 1;
  }
}

// One part of an IPv4 address in any of the C forms: `127`, `0177`, `0x7f`. Saturates.
std::optional<std::uint64_t> read_number(std::string_view part) {
  unsigned base = 10;
  if (part.starts_with("0x")) {
    base = 16;
    part.remove_prefix(2);
  } else if (part.size() > 1 && part.starts_with('0')) {
    base = 8;
    part.remove_prefix(1);
  } else if (part.empty()) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (const char c : part) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return std::nullopt;
    value = std::min(value * base + static_cast<unsigned>(digit), kPastIpv4);
  }
  return value;
}

// Resolvers read such a name as an address, whether or not it is a right one.
bool ends_in_number(std::string_view last_label) {
  if (!last_label.empty() && std::ranges::all_of(last_label, is_digit)) return true;
  return last_label.starts_with("0x") && read_number(last_label).has_value();
}

// The last part fills all bytes that are left: `127.1` is `127.0.0.1`.
std::optional<IpAddress> read_ipv4(const std::vector<std::string_view>& parts) {
  if (parts.size() > 4) return std::nullopt;
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<std::uint64_t> number = read_number(parts[i]);
    if (!number) return std::nullopt;
    const bool last = i + 1 == parts.size();
    const std::uint64_t end = last ? kPastIpv4 >> (8 * i) : 256;
    if (*number >= end) return std::nullopt;
    address |= last ? *number : *number << (24 - 8 * i);
  }
  IpAddress result;
  for (std::size_t i = 0; i < 4; ++i)
    result.bytes[i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
  return result;
}

HostReading problem(std::string_view text) {
  return {.problem = std::string(text)};
}

HostReading read_ipv6(std::string_view text) {
  if (text.find('%') != std::string_view::npos)
    return problem("addresses with a zone id are not reached");
  const std::optional<IpAddress> address = IpAddress::parse(text);
  if (!address || address->family != IpAddress::Family::V6)
    return problem("what stands in brackets is not an IPv6 address");
  return {.host = address->text()};
}

HostReading read_name(std::string name) {
  const std::vector<std::string_view> labels = labels_of(name);
  if (ends_in_number(labels.back())) {
    const std::optional<IpAddress> address = read_ipv4(labels);
    if (!address) return problem("the host ends in a number but is not an IPv4 address");
    return {.host = address->text()};
  }
  for (const std::string_view label : labels)
    if (label.empty() || label.size() > kMaxLabelBytes)
      return problem("each label of a host name has 1 to 63 characters");
  if (name.size() > kMaxNameBytes) return problem("the host name is longer than 253 characters");
  return {.host = std::move(name)};
}

}  // namespace

HostReading read_host(std::string_view text) {
  if (text.starts_with('[')) return read_ipv6(text.substr(1, text.size() - 2));
  std::string name = percent_decoded(text);
  std::ranges::transform(name, name.begin(), lower_ascii);
  // The dot of an absolute name: `localhost.` is the same host.
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return problem("there is no host");
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
    return problem("host names beyond ASCII must be written in punycode, as xn--...");
  if (!std::ranges::all_of(name, is_name_character))
    return problem("the host holds a character that no host name has");
  return read_name(std::move(name));
}

std::optional<std::uint16_t> read_port(std::string_view digits) {
  constexpr unsigned kMaxPort = 65'535;
  unsigned port = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    port = std::min(port * 10 + static_cast<unsigned>(c - '0'), kMaxPort + 1);
  }
  if (port == 0 || port > kMaxPort) return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

}  // namespace goondan::net
