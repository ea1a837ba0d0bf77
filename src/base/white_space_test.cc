#include "base/white_space.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::unicode {
namespace {

// The code points with the property White_Space, and U+FEFF.
bool expected(char32_t c) {
  return (c >= 0x9 && c <= 0xD) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000 || c == 0xFEFF;
}

// None lies beyond the first plane, of which every code point is tried.
TEST(WhiteSpace, IsDecidedForEveryCodePoint) {
  for (char32_t c = 0; c < 0x110000; c += c < 0x10000 ? 1 : 251) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    utf8::append(text, c);
    ASSERT_EQ(trim_start(text).empty(), expected(c)) << std::uint32_t{c};
    ASSERT_EQ(trim_end(text).empty(), expected(c)) << std::uint32_t{c};
  }
}

TEST(WhiteSpace, IsRemovedFromOneEnd) {
  EXPECT_EQ(trim_start("\uFEFF \u3000\t x y \u00A0"), "x y \u00A0");
  EXPECT_EQ(trim_end(" x y \u00A0\u2028\n"), " x y");
  EXPECT_EQ(trim_start(""), "");
  EXPECT_EQ(trim_end(" \n"), "");
  EXPECT_EQ(trim_start("\u200Bx"), "\u200Bx");
}

TEST(WhiteSpace, IsNotSeenInPartsOfCharacters) {
  EXPECT_EQ(trim_end("\xF0\x9F\x98\x85"), "\xF0\x9F\x98\x85");  // ends like U+0085
  EXPECT_EQ(trim_end("\x85"), "\x85");
  EXPECT_EQ(trim_start("\xE2\x80"), "\xE2\x80");
}

}  // namespace
}  // namespace goondan::unicode
