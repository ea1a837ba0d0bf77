// The texts that the handlers work on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::builtin::text_transform {

// Borrowed text that is always valid UTF-8; ill-formed bytes have become U+FFFD. Arguments that
// were read as JSON are valid, those of an embedder need not be.
class CleanText {
 public:
  explicit CleanText(std::string_view text);

  [[nodiscard]] std::string_view view() const {
    return repaired_ ? std::string_view(*repaired_) : given_;
  }

 private:
  std::string_view given_;
  std::optional<std::string> repaired_;
};

// The string under `key`; fails if there is none or it is empty.
Result<CleanText> required_text(const JsonObject& input, std::string_view key);

// The string under `key`, or `fallback`.
CleanText optional_text(const JsonObject& input, std::string_view key, std::string_view fallback);

// A number in a result: signed, as numbers that were read from JSON are.
inline Json number_json(std::size_t number) {
  return static_cast<std::int64_t>(number);
}

// The number of code points of valid UTF-8.
std::size_t count_code_points(std::string_view text);

// Where, in bytes, the code point with the number `index` begins; the end if there are fewer.
std::size_t byte_offset(std::string_view text, std::size_t index);

}  // namespace goondan::builtin::text_transform
