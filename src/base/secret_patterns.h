// Secrets that are known by their shape: tokens with a prefix, keys, passwords in URLs.
//
// Each shape has an anchor, a fixed word that every match holds, and a function that looks at the
// text around it. What is masked never begins before the anchor. Shapes ask for realistic lengths
// and, where words could look alike, for digits, so that prose and source code stay as they are.
//
// A text that has been redacted holds masks. No shape reaches over one, and next to one counts as
// inside a word: masking a text twice changes nothing more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/redactor_index.h"

namespace goondan {

// No match is longer; what follows in a longer run is not masked.
inline constexpr std::size_t kMaxPatternBytes = 16384;

// How far before its anchor a shape looks.
inline constexpr std::size_t kPatternLookBehind = 16;

enum class TextEnd { Final, MoreFollows };

// Reads a text and remembers whether its end has mattered, which is when more text could change
// the answer.
class PatternText {
 public:
  PatternText(std::string_view text, TextEnd end) : text_(text), end_(end) {}

  [[nodiscard]] std::string_view all() const { return text_; }

  // NUL past the end.
  [[nodiscard]] char at(std::size_t position) {
    if (position < text_.size()) return text_[position];
    reached_end_ = true;
    return '\0';
  }

  // Whether `word` stands at `position`; in lower case if case does not matter.
  [[nodiscard]] bool has(std::size_t position, std::string_view word);
  [[nodiscard]] bool has_any_case(std::size_t position, std::string_view word);

  [[nodiscard]] bool undecided() const { return reached_end_ && end_ == TextEnd::MoreFollows; }
  void forget_end() { reached_end_ = false; }

 private:
  std::string_view text_;
  TextEnd end_;
  bool reached_end_ = false;
};

enum class AnchorCase { Exact, Any };

// Returns what to mask; an empty range for nothing.
using PatternMatch = TextRange (*)(PatternText& text, TextRange anchor);

struct SecretPattern {
  std::string_view anchor;  // in lower case if case does not matter
  AnchorCase letters = AnchorCase::Exact;
  // Five characters around the anchor that are quick to look for, and where they begin relative to
  // it. `?` is any character, `#` a digit.
  std::string_view window;
  int window_offset = 0;
  // Patterns of one group are looked for together; words of one group should have little in common.
  std::uint8_t group = 0;
  PatternMatch match = nullptr;
};

inline constexpr std::size_t kPatternGroups = 5;
inline constexpr std::size_t kLongestAnchor = 16;

std::span<const SecretPattern> secret_patterns();
std::span<const SecretPattern> secret_patterns(unsigned group);

// What is secret in the value of a field, judged by its name: `access_token`, `clientSecret`,
// `password`, `Set-Cookie` ... An empty range for nothing.
TextRange secret_in_field(std::string_view field, std::string_view value);

// Whether it stands in an example for a secret: `YOUR_KEY`, `example-...`, `xxxx...`, `<token>`,
// `${TOKEN}`, `%TOKEN%`.
bool is_placeholder(std::string_view value);

}  // namespace goondan
