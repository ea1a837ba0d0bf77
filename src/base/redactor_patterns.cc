#include "base/redactor_patterns.h"

#include <algorithm>
#include <bit>

#include "base/redactor_anchors.h"

namespace goondan {
namespace {

// Made of constants only; one for the process.
const AnchorTable& anchor_table() {
  static const AnchorTable table;
  return table;
}

// Calls `visit(anchor, range)` for every pattern that the sample could belong to, until it returns
// false.
template <class Visit>
void visit_matches(PatternText& text, AnchorTable::Sample sample, const Visit& visit) {
  for (; sample.groups != 0; sample.groups &= sample.groups - 1) {
    const int bit = std::countr_zero(sample.groups);
    for (const SecretPattern& pattern : secret_patterns(static_cast<unsigned>(bit) / 2)) {
      const auto anchor =
          static_cast<std::ptrdiff_t>(sample.position) + anchor_distance(pattern, bit % 2);
      if (anchor < 0) continue;
      const auto position = static_cast<std::size_t>(anchor);
      if (!visit(position, match_at(text, pattern, position))) return;
    }
  }
}

}  // namespace

TextRange match_at(PatternText& text, const SecretPattern& pattern, std::size_t position) {
  text.forget_end();
  const bool there = pattern.letters == AnchorCase::Exact
                         ? text.has(position, pattern.anchor)
                         : text.has_any_case(position, pattern.anchor);
  if (!there) return {};
  return pattern.match(text, {.begin = position, .end = position + pattern.anchor.size()});
}

bool finds_pattern(std::string_view text) {
  PatternText pattern_text(text, TextEnd::Final);
  bool found = false;
  AnchorTable::Sample sample = anchor_table().find(text, 0);
  while (!found && sample.position < text.size()) {
    visit_matches(pattern_text, sample, [&found](std::size_t, TextRange match) {
      found = match.begin < match.end;
      return !found;
    });
    sample = anchor_table().find(text, sample.position + 2);
  }
  return found;
}

void scan_patterns(PatternText& text, std::size_t first, SecretScanner::Findings& findings) {
  const auto note = [&](std::size_t anchor, TextRange range) {
    if (anchor < first) return true;
    if (text.undecided()) {
      findings.undecided_from = std::min(findings.undecided_from, anchor);
    } else if (range.begin < range.end) {
      findings.hits.push_back({.anchor = anchor, .range = range});
    }
    return true;
  };
  std::size_t from = first - std::min<std::size_t>(first, 2 + first % 2);
  while (true) {
    const AnchorTable::Sample sample = anchor_table().find(text.all(), from);
    if (sample.position >= text.all().size()) return;
    visit_matches(text, sample, note);
    from = sample.position + 2;
  }
}

}  // namespace goondan
