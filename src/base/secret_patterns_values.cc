// Secrets that may be made of any characters: passwords and cookies.
#include <algorithm>
#include <array>

#include "base/redactor.h"
#include "base/secret_patterns_matches.h"
#include "base/secret_patterns_text.h"

namespace goondan::patterns {
namespace {

constexpr std::size_t kLongestPassword = 512;
constexpr std::size_t kLongestCookie = 4096;

bool is_printable(char c) {
  return c > ' ' && c < '\x7F';
}

// Up to the quote; empty if none follows on the line.
TextRange read_quoted(PatternText& text, std::size_t begin, char quote) {
  const bool escaped = begin >= 2 && text.at(begin - 2) == '\\';
  for (std::size_t i = begin; i < begin + kLongestPassword; ++i) {
    const char c = text.at(i);
    if (c == '\0' || c == '\n' || has_mask(text, i)) return {};
    if (c == quote || (c == '\\' && escaped)) return {.begin = begin, .end = i};
    if (c == '\\') ++i;
  }
  return {};
}

// Up to what ends a value in a file, a URL or a command; empty if it is a piece of source code.
TextRange read_bare(PatternText& text, std::size_t begin) {
  constexpr std::string_view kEnds = "\"'`,;&<>()[]{}\\|";
  std::size_t end = begin;
  while (end < begin + kLongestPassword && is_printable(text.at(end)) &&
         kEnds.find(text.at(end)) == kEnds.npos)
    ++end;
  if (text.at(end) == '(' || text.at(end) == '[') return {};
  return {.begin = begin, .end = end};
}

bool same_line(std::string_view text) {
  return text.find('\n') == text.npos;
}

bool contains_any(std::string_view text, CharacterSet sets) {
  return std::ranges::any_of(text, [sets](char c) { return (set_of(c) & sets) != 0; });
}

bool is_attribute(std::string_view name) {
  constexpr std::array<std::string_view, 6> kAttributes{"expires", "max-age",  "path",
                                                        "domain",  "samesite", "version"};
  return std::ranges::any_of(kAttributes, [name](std::string_view attribute) {
    return name.size() == attribute.size() && ends_with_any_case(name, attribute);
  });
}

bool ends_cookies(PatternText& text, std::size_t position) {
  const char c = text.at(position);
  return (!is_printable(c) && c != ' ' && c != '\t') || c == '"' || c == '\'' || c == '\\' ||
         has_mask(text, position);
}

}  // namespace

bool is_password(std::string_view value) {
  constexpr std::size_t kShortest = 8;
  constexpr CharacterSet kPlain = kWord | kDash | kDotTilde;
  const bool wrong = value.size() < kShortest || value.starts_with('$') || is_placeholder(value) ||
                     contains_any(value, kBlank) || value.find(kRedacted) != value.npos;
  if (wrong || value.find("xxxx") != value.npos) return false;
  // `user.password2` is source code; of words with digits, only a name in it has dots.
  if (is_wordy(value) && value.find('.') != value.npos) return false;
  if (contains_any(value, kDigit)) return true;
  const bool symbols = std::ranges::any_of(
      value, [](char c) { return is_printable(c) && (set_of(c) & kPlain) == 0; });
  return symbols && contains_any(value, kUpper) && contains_any(value, kLower);
}

TextRange match_password(PatternText& text, TextRange name) {
  // `/etc/passwd:1:...` is a line of a file. A mask could hide the slash.
  const std::string_view head = before(text.all(), name.begin);
  if (head.ends_with('/') || head.ends_with(kRedacted)) return {};
  const std::size_t value = skip_to_value(text, name.end);
  if (value == 0 || !same_line(text.all().substr(name.end, value - name.end))) return {};
  const char quote = text.at(value - 1);
  TextRange range;
  if (quote == '"' || quote == '\'') range = read_quoted(text, value, quote);
  if (range.begin == range.end) range = read_bare(text, value);
  if (!is_password(text.all().substr(range.begin, range.end - range.begin))) return {};
  return range;
}

TextRange find_cookie_values(PatternText& text, std::size_t begin) {
  const std::size_t limit = begin + kLongestCookie;
  std::size_t found = 0;
  for (std::size_t i = begin; found == 0; ++i) {
    const Run name = read_run(text, skip_blanks(text, i, 1), kToken, limit);
    const bool pair = name.size() > 0 && text.at(name.end) == '=';
    if (!pair && i == begin) return {};
    const Run value = read_run(text, name.end + 1, kToken, limit);
    const bool secret = pair && !is_attribute(text_of(text, name)) && looks_random(value);
    if (secret && !is_example(text_of(text, value)) && !has_mask(text, value.end))
      found = value.begin;
    for (i = name.end; found == 0 && text.at(i) != ';' && text.at(i) != ','; ++i) {
      if (i >= limit || ends_cookies(text, i)) return {};
    }
  }
  std::size_t end = found;
  while (end < limit && !ends_cookies(text, end))
    ++end;
  return {.begin = found, .end = end};
}

TextRange match_cookie(PatternText& text, TextRange anchor) {
  const std::size_t value = skip_to_value(text, anchor.end);
  if (value == 0 || !same_line(text.all().substr(anchor.end, value - anchor.end))) return {};
  return find_cookie_values(text, value);
}

}  // namespace goondan::patterns
