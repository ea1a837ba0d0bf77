#include "base/redactor_scan.h"

#include <algorithm>

#include "base/redactor_patterns.h"

namespace goondan {
namespace {

// Whether a mask in the text has a byte in `range`. What was masked is not looked at again.
bool touches_mask(std::string_view text, TextRange range) {
  constexpr std::size_t kReach = kRedacted.size() - 1;
  const std::size_t begin = range.begin - std::min(range.begin, kReach);
  const std::size_t end = std::min(text.size(), range.end + kReach);
  return text.substr(begin, end - begin).find(kRedacted) != text.npos;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t length_by_first_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// The beginning of the UTF-8 character that goes on at `position`; `position` if none does.
std::size_t character_begin(std::string_view text, std::size_t position) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, position); ++back) {
    const char c = text[position - back];
    if (length_by_first_byte(c) > back) return position - back;
    if (!is_continuation(c)) break;
  }
  return position;
}

std::size_t character_end(std::string_view text, std::size_t position) {
  const std::size_t begin = character_begin(text, position);
  if (begin == position) return position;
  const std::size_t end = std::min(text.size(), begin + length_by_first_byte(text[begin]));
  while (position < end && is_continuation(text[position]))
    ++position;
  return position;
}

TextRange whole_characters(std::string_view text, TextRange range) {
  if (is_continuation(text[range.begin])) range.begin = character_begin(text, range.begin);
  return {.begin = range.begin, .end = character_end(text, range.end)};
}

// How much of a mask the text ends with; 0 if nothing.
std::size_t begun_mask(std::string_view text) {
  for (std::size_t size = std::min(text.size(), kRedacted.size() - 1); size > 0; --size) {
    if (text.ends_with(kRedacted.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace

bool SecretScanner::finds_in(std::string_view text) const {
  TextRange range = forms_.find(text, 0);
  while (range.begin < text.size()) {
    if (!touches_mask(text, range)) return true;
    range = forms_.find(text, range.begin + 1);
  }
  return finds_pattern(text);
}

TextRange SecretScanner::part_at_cut(std::string_view text, CutSide side) const {
  // What was masked is not looked at again.
  if (side == CutSide::Begin) {
    const std::size_t size = forms_.end_before(text.substr(0, text.find(kRedacted)));
    if (size < kMinCutBytes) return {};
    return whole_characters(text, {.begin = 0, .end = size});
  }
  // Only the end is searched: a form that began before `longest` bytes of it would be whole.
  const std::size_t near = std::min(text.size(), forms_.longest() + kRedacted.size());
  const std::size_t mask = text.substr(text.size() - near).rfind(kRedacted);
  const std::size_t first = mask == text.npos ? 0 : text.size() - near + mask + kRedacted.size();
  std::size_t begin = std::max(first, text.size() - std::min(text.size(), forms_.longest()));
  for (; begin + kMinCutBytes <= text.size(); ++begin) {
    if (!forms_.may_continue(text.substr(begin))) continue;
    return whole_characters(text, {.begin = begin, .end = text.size()});
  }
  return {};
}

void SecretScanner::scan_forms(std::string_view text, std::size_t first, TextEnd end,
                               Findings& findings) const {
  TextRange range = forms_.find(text, first);
  for (; range.begin < text.size(); range = forms_.find(text, range.begin + 1)) {
    if (touches_mask(text, range)) continue;
    const TextRange whole = whole_characters(text, range);
    // A secret that overlaps itself may be everywhere. Joining is for texts that are complete: of
    // one that goes on, each hit is looked at when its end is near.
    const bool joins = end == TextEnd::Final && !findings.hits.empty() &&
                       findings.hits.back().range.end >= whole.begin;
    if (joins) {
      findings.hits.back().range.end = std::max(findings.hits.back().range.end, whole.end);
    } else {
      findings.hits.push_back({.anchor = whole.begin, .range = whole});
    }
  }
}

// What the end of a text that goes on leaves open.
void SecretScanner::look_at_end(std::string_view text, std::size_t first,
                                Findings& findings) const {
  std::size_t& open = findings.undecided_from;
  PatternText pattern_text(text, TextEnd::MoreFollows);
  const std::size_t anchors = text.size() - std::min(text.size(), kLongestAnchor);
  for (std::size_t position = std::max(first, anchors); position < open; ++position) {
    for (const SecretPattern& pattern : secret_patterns()) {
      (void)match_at(pattern_text, pattern, position);
      if (pattern_text.undecided()) open = std::min(open, position);
    }
  }
  const std::size_t starts = text.size() - std::min(text.size(), forms_.longest());
  for (std::size_t position = std::max(first, starts); position < open; ++position) {
    if (forms_.may_continue(text.substr(position))) open = position;
  }
  // A mask that is only beginning may swallow a hit, and a character may go on.
  const std::size_t certain =
      std::min(text.size() - begun_mask(text), character_begin(text, text.size()));
  for (const Hit& hit : findings.hits) {
    if (hit.range.end > certain) open = std::min(open, hit.anchor);
  }
  open = character_begin(text, open);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Hit& hit : findings.hits) {
      if (hit.anchor >= open || hit.range.begin < open) continue;
      open = hit.anchor;
      changed = true;
    }
  }
}

SecretScanner::Findings SecretScanner::scan(std::string_view text, std::size_t first,
                                            TextEnd end) const {
  Findings findings{.hits = {}, .undecided_from = text.size()};
  scan_forms(text, first, end, findings);
  PatternText pattern_text(text, end);
  scan_patterns(pattern_text, first, findings);
  std::ranges::sort(findings.hits, {}, [](const Hit& hit) { return hit.range.begin; });
  if (end == TextEnd::MoreFollows) look_at_end(text, first, findings);
  return findings;
}

}  // namespace goondan
