#include "base/utf8.h"

#include <gtest/gtest.h>

namespace goondan::utf8 {
namespace {

TEST(Utf8, CountsCodePointsNotBytes) {  // REQ: DEC-3
  EXPECT_EQ(length(""), 0u);
  EXPECT_EQ(length("abc"), 3u);
  EXPECT_EQ(length("군단"), 2u);
  EXPECT_EQ(length("a😀b"), 3u);
}

TEST(Utf8, RefusesOverlongSurrogateAndTooLarge) {
  EXPECT_TRUE(valid("군단 😀"));
  EXPECT_FALSE(valid("\xC0\x80"));
  EXPECT_FALSE(valid("\xE0\x80\x80"));
  EXPECT_FALSE(valid("\xED\xA0\x80"));
  EXPECT_FALSE(valid("\xF4\x90\x80\x80"));
  EXPECT_FALSE(valid("\xE2\x82"));
  EXPECT_FALSE(valid("\x80"));
}

TEST(Utf8, CutsBetweenCodePoints) {  // REQ: DEC-3
  EXPECT_EQ(prefix("군단", 1), "군");
  EXPECT_EQ(prefix("a😀b", 2), "a😀");
  EXPECT_EQ(prefix("ab", 9), "ab");
}

TEST(Utf8, RepairsEachStrayByte) {
  EXPECT_EQ(repaired("a\xFF"
                     "b"),
            "a\uFFFDb");
  EXPECT_EQ(repaired("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(repaired("좋아"), "좋아");
}

TEST(Utf8, AppendsEveryLength) {
  std::string out;
  for (const char32_t c : {U'a', U'é', U'군', U'😀'})
    append(out, c);
  EXPECT_EQ(out, "aé군😀");
}

}  // namespace
}  // namespace goondan::utf8
