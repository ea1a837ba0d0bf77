#include "net/header.h"

#include <algorithm>
#include <array>

namespace goondan::net {
namespace {

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (std::size_t c = '0'; c <= '9'; ++c) {
    table[c] = true;
  }
  for (std::size_t c = 'a'; c <= 'z'; ++c) {
    table[c] = table[c - 'a' + 'A'] = true;
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}

constexpr std::array<bool, 256> kTokenTable = make_token_table();

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return kTokenTable[static_cast<unsigned char>(c)];
  });
}

bool is_field_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

bool same_name(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

const Header* find_header(const std::vector<Header>& headers, std::string_view name) {
  const auto found = std::ranges::find_if(
      headers, [name](const Header& header) { return same_name(header.name, name); });
  return found == headers.end() ? nullptr : &*found;
}

std::string joined_values(const std::vector<Header>& headers, std::string_view name) {
  std::string result;
  bool first = true;
  for (const Header& header : headers) {
    if (!same_name(header.name, name)) continue;
    if (!first) result += ", ";
    result += header.value;
    first = false;
  }
  return result;
}

bool list_has(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (same_name(trimmed(list.substr(0, comma)), word)) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace goondan::net
