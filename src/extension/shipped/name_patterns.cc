#include "extension/shipped/name_patterns.h"

#include <algorithm>

namespace goondan::shipped {

// Only the last `*` is ever tried again, so the time is at most pattern times name.
bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool NamePatterns::match(std::string_view name) const {
  return std::ranges::any_of(
      patterns_, [name](const std::string& pattern) { return matches_pattern(pattern, name); });
}

}  // namespace goondan::shipped
