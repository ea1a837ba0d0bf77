#include "builtin/text_transform/text.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::builtin::text_transform {
namespace {

// Texts of every length around the blocks, of characters of one to four bytes.
std::vector<std::string> texts() {
  constexpr std::array<std::string_view, 6> kCharacters{"a", "b", "é", "군", "😀", "\n"};
  std::vector<std::string> made(1);
  for (std::size_t i = 0; i < 150; ++i)
    made.push_back(made.back() + std::string(kCharacters[(i * i + i / 7) % kCharacters.size()]));
  return made;
}

TEST(Text, CountsCodePoints) {
  for (const std::string& text : texts())
    ASSERT_EQ(count_code_points(text), utf8::length(text)) << text;
  EXPECT_EQ(count_code_points(std::string(100'000, 'x')), 100'000u);
}

TEST(Text, FindsWhereACodePointBegins) {
  for (const std::string& text : texts()) {
    for (std::size_t i = 0; i <= utf8::length(text) + 1; ++i)
      ASSERT_EQ(byte_offset(text, i), utf8::prefix(text, i).size()) << text << i;
  }
}

TEST(Text, IsRepairedOnlyWhereItMust) {
  for (const std::string& text : texts()) {
    const CleanText clean(text);
    ASSERT_EQ(clean.view().data(), text.data());
    const std::string bad = text + "\xE2\x82" + text;
    ASSERT_EQ(CleanText(bad).view(), utf8::repaired(bad));
  }
}

TEST(Text, IsCheckedAsStrictlyAsElsewhere) {
  for (unsigned first = 0x80; first <= 0xFF; ++first) {
    for (unsigned second = 0x70; second <= 0xCF; ++second) {
      for (const std::string_view rest : {"", "\x80", "\xBF\x80", "x"}) {
        std::string text(20, 'x');
        text += static_cast<char>(first);
        text += static_cast<char>(second);
        text += rest;
        ASSERT_EQ(CleanText(text).view() == text, utf8::valid(text)) << first << " " << second;
      }
    }
  }
}

}  // namespace
}  // namespace goondan::builtin::text_transform
