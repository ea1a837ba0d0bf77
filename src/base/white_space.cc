#include "base/white_space.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace goondan::unicode {
namespace {

constexpr std::size_t kLongest = 3;  // bytes of one white-space character

bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_wide_space(std::string_view character) {
  using namespace std::string_view_literals;
  constexpr std::array kSpaces{"\u0085"sv, "\u00A0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv,
                               "\u2002"sv, "\u2003"sv, "\u2004"sv, "\u2005"sv, "\u2006"sv,
                               "\u2007"sv, "\u2008"sv, "\u2009"sv, "\u200A"sv, "\u2028"sv,
                               "\u2029"sv, "\u202F"sv, "\u205F"sv, "\u3000"sv, "\uFEFF"sv};
  return std::ranges::find(kSpaces, character) != kSpaces.end();
}

// Whether `character`, some bytes at an end of the text, is white space.
bool is_space(std::string_view character) {
  return character.size() == 1 ? is_ascii_space(character.front()) : is_wide_space(character);
}

// How many bytes the white space at one end has; `bytes(n)` are the `n` at that end.
template <class Bytes>
std::size_t space_length(std::size_t size, Bytes bytes) {
  for (std::size_t length = 1; length <= std::min(kLongest, size); ++length) {
    if (is_space(bytes(length))) return length;
  }
  return 0;
}

}  // namespace

std::string_view trim_start(std::string_view text) {
  const auto front = [&text](std::size_t count) { return text.substr(0, count); };
  while (const std::size_t length = space_length(text.size(), front))
    text.remove_prefix(length);
  return text;
}

std::string_view trim_end(std::string_view text) {
  const auto back = [&text](std::size_t count) { return text.substr(text.size() - count); };
  while (const std::size_t length = space_length(text.size(), back))
    text.remove_suffix(length);
  return text;
}

}  // namespace goondan::unicode
