#include "base/redactor_scan.h"

#include <algorithm>
#include <bit>

#include "base/redactor.h"

namespace goondan {
namespace {

// Made of constants only; one for the process.
const AnchorTable& anchor_table() {
  static const AnchorTable table;
  return table;
}

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

// The pattern's match with its anchor at `position`; an empty range for none.
TextRange match_at(PatternText& text, const SecretPattern& pattern, std::size_t position) {
  text.forget_end();
  const bool there = pattern.letters == AnchorCase::Exact
                         ? text.has(position, pattern.anchor)
                         : text.has_any_case(position, pattern.anchor);
  if (!there) return {};
  return pattern.match(text, {.begin = position, .end = position + pattern.anchor.size()});
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

void MaskWriter::write(std::string& out, std::string_view text,
                       const std::vector<SecretScanner::Hit>& hits, std::size_t end) {
  const auto copy_to = [&](std::size_t to) {
    if (to > written_) out.append(text.substr(written_, to - written_));
    written_ = std::max(written_, to);
  };
  if (masked_ != kNothing) written_ = std::max(written_, std::min(masked_, end));
  for (const SecretScanner::Hit& hit : hits) {
    if (hit.range.begin >= end) break;
    if (masked_ == kNothing || hit.range.begin > masked_) {
      copy_to(hit.range.begin);
      out += kRedacted;
      masked_ = hit.range.end;
    }
    masked_ = std::max(masked_, hit.range.end);
    written_ = std::min(masked_, end);
  }
  copy_to(end);
}

void MaskWriter::forget(std::size_t count) {
  written_ -= count;
  masked_ = masked_ == kNothing || masked_ < count ? kNothing : masked_ - count;
}

}  // namespace goondan
