// Finds one text in another, again and again.
#pragma once

#include <string_view>

#include "base/byte_block.h"

namespace goondan::builtin::text_transform {

// The places where `needle` stands in `text`, from left to right and without overlap. Takes time
// linear in `text`, whatever is searched for: comparing at each place would take hours to look for
// `aaa...b` in a text of `a`. Borrows both; a value.
class Finder {
 public:
  static constexpr std::size_t kNone = std::string_view::npos;

  // `needle` is not empty.
  Finder(std::string_view text, std::string_view needle);

  // The byte where it stands next; `kNone` if nowhere any more.
  std::size_t next();

 private:
  std::size_t next_short();
  std::size_t next_near_the_end();
  std::size_t next_long();
  void load_block();
  [[nodiscard]] bool stands_at(std::size_t at) const;

  std::string_view text_;
  std::string_view needle_;
  std::size_t after_ = 0;           // the end of what was found last
  std::size_t block_ = 0;           // where the block begins that `candidates_` is about
  ByteBlock::Mask candidates_ = 0;  // where the needle's first and last byte fit
};

}  // namespace goondan::builtin::text_transform
