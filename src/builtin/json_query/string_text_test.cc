#include "builtin/json_query/string_text.h"

#include <gtest/gtest.h>

namespace goondan::builtin::json_query {
namespace {

TEST(StringText, IsWhatTheEscapesMean) {
  EXPECT_EQ(unescaped(R"(a\"\\\/\b\f\n\r\tz)"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped(R"(\u0041\u00e9\uAD70\uFFFF)"), "Aé군\uFFFF");
  EXPECT_EQ(unescaped(R"(x\ud83d\ude00y)"), "x😀y");
  EXPECT_EQ(unescaped(R"(\u0000)"), std::string(1, '\0'));
  EXPECT_EQ(unescaped("군단"), "군단");
  EXPECT_EQ(unescaped(""), "");
}

TEST(StringText, HasAReplacementForHalfASurrogatePair) {  // REQ: DEC-3
  EXPECT_EQ(unescaped(R"(\ud800)"), "\uFFFD");
  EXPECT_EQ(unescaped(R"(\udc00x)"), "\uFFFDx");
  EXPECT_EQ(unescaped(R"(\ud800\ud83d\ude00)"), "\uFFFD😀");
  EXPECT_EQ(unescaped(R"(\ud800\n)"), "\uFFFD\n");
  EXPECT_EQ(unescaped(R"(\ud800A)"), "\uFFFDA");
  EXPECT_EQ(unescaped(R"(\ude00\ud83d)"), "\uFFFD\uFFFD");
}

TEST(StringText, IsComparedByItsMeaning) {
  EXPECT_TRUE(means("abc", "abc"));
  EXPECT_TRUE(means(R"(\u0061bc)", "abc"));
  EXPECT_FALSE(means(R"(\u0061bc)", R"(\u0061bc)"));
  EXPECT_TRUE(means(R"(\\)", "\\"));
  EXPECT_FALSE(means("abc", "ab"));
}

TEST(StringText, IsCountedInCodePoints) {  // REQ: DEC-3
  EXPECT_EQ(count_characters(""), 0u);
  EXPECT_EQ(count_characters("a군😀é"), 4u);
  EXPECT_EQ(count_characters(R"(\n\\\"\u0041)"), 4u);
  EXPECT_EQ(count_characters(R"(\ud83d\ude00)"), 1u);
  EXPECT_EQ(count_characters(R"(\ud83d\ud83d\ude00\ude00)"), 3u);
}

}  // namespace
}  // namespace goondan::builtin::json_query
