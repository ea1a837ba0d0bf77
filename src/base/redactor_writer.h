// From a text and what was found in it to the masked text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/redactor_scan.h"

namespace goondan {

// Writes a text with its hits masked, in one go or in parts. A value.
class MaskWriter {
 public:
  // Appends `text` from where the last call ended up to `end`. All hits that begin there are given.
  void write(std::string& out, std::string_view text, const std::vector<SecretScanner::Hit>& hits,
             std::size_t end);

  [[nodiscard]] std::size_t written() const { return written_; }

  // The first `count` bytes of the text are no longer given; they have been written.
  void forget(std::size_t count);

 private:
  std::size_t written_ = 0;
  std::size_t masked_ = kNothing;  // where the last mask's range ends; ranges from there on join it

  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);
};

}  // namespace goondan
