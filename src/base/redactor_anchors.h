// Finds the places where a secret's shape could be, by the windows of `SecretPattern`.
//
// A text is looked at in steps of two bytes. A table says for each pair of bytes to which windows
// it could be the first half, and to which the second; where two neighbours agree, the patterns of
// that group are tried. So a text costs one look-up for every two bytes, and no branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/secret_patterns.h"

namespace goondan {

// Immutable and thread-safe.
class AnchorTable {
 public:
  AnchorTable();

  struct Sample {
    std::size_t position = 0;  // past the text: there is none
    unsigned groups = 0;       // bit `2 * group + alignment`
  };

  // The first sample at `from` (even) or later that could belong to a window.
  [[nodiscard]] Sample find(std::string_view text, std::size_t from) const;

 private:
  void add_half(std::string_view pair, AnchorCase letters, unsigned bit);

  [[nodiscard]] unsigned entry(const char* pair) const {
    return pairs_[static_cast<unsigned char>(pair[0]) |
                  static_cast<std::size_t>(static_cast<unsigned char>(pair[1])) << 8];
  }

  // Lower half: first halves of windows; upper half: second halves.
  std::vector<std::uint32_t> pairs_;
};

// How far a window's anchor begins behind the sample that found it; may be negative.
constexpr int anchor_distance(const SecretPattern& pattern, int alignment) {
  return -pattern.window_offset - alignment;
}

}  // namespace goondan
