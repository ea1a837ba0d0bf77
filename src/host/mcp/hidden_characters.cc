#include "host/mcp/hidden_characters.h"

#include <algorithm>
#include <array>
#include <span>

namespace goondan {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool in(std::span<const Range> ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

constexpr std::array kHidden{
    Range{0x00, 0x08},       Range{0x0B, 0x1F},       Range{0x7F, 0x9F},
    Range{0xAD, 0xAD},       Range{0x34F, 0x34F},     Range{0x61C, 0x61C},
    Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},   Range{0x180E, 0x180E},
    Range{0x200B, 0x200B},   Range{0x200E, 0x200F},   Range{0x2028, 0x202E},
    Range{0x2060, 0x206F},   Range{0x3164, 0x3164},   Range{0xFEFF, 0xFEFF},
    Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB},   Range{0x1BCA0, 0x1BCA3},
    Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE00FF}, Range{0xE01F0, 0xE0FFF}};

constexpr std::array kVariation{Range{0x180B, 0x180D}, Range{0x180F, 0x180F}, Range{0xFE00, 0xFE0F},
                                Range{0xE0100, 0xE01EF}};

// Scripts that are written with joiners: Arabic and its neighbours, those of India, Burmese,
// Khmer, Mongolian.
constexpr std::array kJoining{Range{0x600, 0x8FF},   Range{0x900, 0xDFF},   Range{0x1000, 0x109F},
                              Range{0x1780, 0x17FF}, Range{0x1800, 0x18AF}, Range{0xA840, 0xA87F},
                              Range{0xFB50, 0xFDFF}, Range{0xFE70, 0xFEFC}};

constexpr std::array kEmoji{Range{0xA9, 0xA9},     Range{0xAE, 0xAE},      Range{0x203C, 0x203C},
                            Range{0x2049, 0x2049}, Range{0x2122, 0x2122},  Range{0x2139, 0x2139},
                            Range{0x2190, 0x21FF}, Range{0x2300, 0x23FF},  Range{0x2460, 0x24FF},
                            Range{0x25A0, 0x27BF}, Range{0x2900, 0x297F},  Range{0x2B00, 0x2BFF},
                            Range{0x3030, 0x3030}, Range{0x303D, 0x303D},  Range{0x3297, 0x3299},
                            Range{0xFE0F, 0xFE0F}, Range{0x1F000, 0x1FAFF}};

constexpr std::array kIdeographs{Range{0x3400, 0x4DBF}, Range{0x4E00, 0x9FFF},
                                 Range{0xF900, 0xFAFF}, Range{0x20000, 0x3FFFF}};

constexpr std::array kOtherVariants{Range{0x1000, 0x109F}, Range{0x1800, 0x18AF},
                                    Range{0x2200, 0x22FF}, Range{0x2A00, 0x2AFF},
                                    Range{0x3000, 0x303F}, Range{0xFF00, 0xFF65}};

bool keycap(char32_t code) {
  return (code >= U'0' && code <= U'9') || code == U'#' || code == U'*';
}

}  // namespace

Visibility visibility_of(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return Visibility::Visible;
  if (code == 0x200C || code == 0x200D) return Visibility::Joiner;
  if (in(kVariation, code)) return Visibility::Variation;
  return in(kHidden, code) ? Visibility::Hidden : Visibility::Visible;
}

bool joins(char32_t before, char32_t after) {
  if (in(kJoining, before)) return true;  // also at the end of a word
  return in(kEmoji, before) && after != 0xFE0F && in(kEmoji, after);
}

bool has_variants(char32_t before, char32_t selector) {
  if (selector == 0xFE0E || selector == 0xFE0F) {
    return before != 0xFE0F && (in(kEmoji, before) || keycap(before));
  }
  if (selector >= 0xE0100) return in(kIdeographs, before);
  if (selector < 0xFE00) return before >= 0x1800 && before <= 0x18AF;  // Mongolian
  return in(kIdeographs, before) || in(kOtherVariants, before);
}

}  // namespace goondan
