#include "base/secret_patterns_text.h"

#include <algorithm>

#include "base/redactor.h"

namespace goondan {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool PatternText::has(std::size_t position, std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (at(position + i) != word[i]) return false;
  }
  return true;
}

bool PatternText::has_any_case(std::size_t position, std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(at(position + i)) != word[i]) return false;
  }
  return true;
}

namespace patterns {
namespace {

std::size_t skip_quote(PatternText& text, std::size_t position) {
  if (text.at(position) == '\\') ++position;
  const char c = text.at(position);
  return c == '"' || c == '\'' ? position + 1 : position;
}

// All in one case, but for the first letter.
bool is_word(std::string_view text) {
  constexpr std::size_t kLongest = 20;
  const auto in = [](CharacterSet set) { return [set](char c) { return (set_of(c) & set) != 0; }; };
  if (text.empty()) return true;
  if (text.size() > kLongest || !in(kUpper | kLower)(text[0])) return false;
  return std::ranges::all_of(text, in(kUpper)) || std::ranges::all_of(text.substr(1), in(kLower));
}

}  // namespace

Run read_run(PatternText& text, std::size_t begin, CharacterSet sets, std::size_t limit) {
  Run run{.begin = begin, .end = begin};
  while (run.end < limit) {
    const CharacterSet set = set_of(text.at(run.end));
    if ((set & sets) == 0) break;
    run.seen |= set;
    ++run.end;
  }
  return run;
}

bool begins_at(std::string_view text, std::size_t position, CharacterSet sets) {
  if (position == 0) return true;
  return (set_of(text[position - 1]) & sets) == 0 && !text.substr(0, position).ends_with(kRedacted);
}

std::string_view before(std::string_view text, std::size_t position) {
  const std::size_t size = std::min(position, kPatternLookBehind);
  return text.substr(position - size, size);
}

std::size_t skip_blanks(PatternText& text, std::size_t position, std::size_t most) {
  return read_run(text, position, kBlank, position + most).end;
}

bool ends_with_any_case(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::ranges::equal(text.substr(text.size() - lower_case.size()), lower_case, {}, lower);
}

std::size_t skip_padding(PatternText& text, std::size_t position) {
  for (int i = 0; i < 2 && text.at(position) == '='; ++i)
    ++position;
  return position;
}

bool looks_random(const Run& run) {
  constexpr std::size_t kWithDigits = 8;
  constexpr std::size_t kWithoutDigits = 40;
  if (run.has(kDigit)) return run.size() >= kWithDigits;
  return run.has(kUpper | kLower) && run.size() >= kWithoutDigits;
}

bool is_wordy(std::string_view text) {
  constexpr std::size_t kMostDigits = 4;
  const std::size_t digits = text.size() - (text.find_last_not_of("0123456789") + 1);
  if (digits > kMostDigits) return false;
  text.remove_suffix(digits);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("_-."), text.size());
    if (!is_word(text.substr(0, end))) return false;
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return true;
}

bool is_example(std::string_view text) {
  return is_wordy(text) || is_placeholder(text) || text.find("xxxx") != text.npos ||
         text.find("XXXX") != text.npos;
}

bool has_mask(PatternText& text, std::size_t position) {
  return text.at(position) == '[' && text.has(position, kRedacted);
}

std::size_t skip_to_value(PatternText& text, std::size_t position) {
  position = skip_blanks(text, skip_quote(text, position), kMostBlanks);
  if (text.has_any_case(position, "%3d")) return position + 3;
  const char c = text.at(position);
  if (c != '=' && c != ':') return 0;
  return skip_quote(text, skip_blanks(text, position + 1, kMostBlanks));
}

std::size_t skip_key_word(PatternText& text, std::size_t position) {
  constexpr std::string_view kKey = "key";
  const char c = text.at(position);
  if (c == '_' || c == '-') ++position;
  return text.has_any_case(position, kKey) ? position + kKey.size() : 0;
}

}  // namespace patterns
bool is_placeholder(std::string_view value) {
  using namespace patterns;  // NOLINT(google-build-using-namespace): the same room's words
  constexpr std::array<std::string_view, 6> kStarts{"your_", "your-", "example",
                                                    "xxxx",  "${",    "{{"};
  const auto starts = [value](std::string_view word) {
    return ends_with_any_case(value.substr(0, word.size()), word);
  };
  const auto between = [value](char first, char last) {
    return value.starts_with(first) && value.ends_with(last);
  };
  return std::ranges::any_of(kStarts, starts) || between('<', '>') || between('%', '%');
}

}  // namespace goondan
