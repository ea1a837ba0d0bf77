// The regular expressions of `pattern` and `patternProperties`, matched in linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "schema/budget.h"

namespace re2 {
class RE2;
}

namespace goondan::schema {

// Thread-safe. The automaton behind it is built while texts are matched, so the first matches
// allocate memory, at most what the pattern was compiled with.
class Pattern {
 public:
  // The error's message says what is wrong with the pattern; the caller knows its place.
  // `max_memory` is in bytes.
  static Result<Pattern> compile(std::string_view source, std::size_t max_memory);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  // Whether some part of `text` matches. False if the budget does not allow to look.
  [[nodiscard]] bool found_in(std::string_view text, Budget& budget) const;

  [[nodiscard]] const std::string& source() const { return source_; }
  // How large the compiled program is, in instructions.
  [[nodiscard]] std::size_t instructions() const { return instructions_; }

 private:
  Pattern(std::string_view source, std::unique_ptr<re2::RE2> program);

  std::string source_;
  std::unique_ptr<re2::RE2> program_;
  std::size_t instructions_;
  std::size_t steps_per_byte_;  // at worst
};

}  // namespace goondan::schema
