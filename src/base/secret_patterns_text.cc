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

}  // namespace patterns
}  // namespace goondan
