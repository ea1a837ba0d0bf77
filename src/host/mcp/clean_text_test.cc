#include "host/mcp/clean_text.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

using namespace std::string_literals;

// SECURITY 5.5
TEST(McpCleanText, HiddenCharactersAreRemovedAndCounted) {
  const std::vector<std::pair<std::string, std::size_t>> cases{
      {"a\U000E0041\U000E0042\U000E007Fb", 3},  // tags
      {"a\u200Bb", 1},
      {"a\u200D\u200Cb", 2},  // joiners that join nothing
      {"a\uFEFFb", 1},
      {"a\u202Eb", 1},
      {"a\u2066\u2069b", 2},
      {"a\u2060\u2064\u206Fb", 3},
      {"a\u00ADb", 1},
      {"a\u3164b", 1},  // a letter of Hangul that shows nothing
      {"a\x01\x7F\u0090b", 3},
      {"a\x1B[31mb", 5},
      {"a\x1B]0;title\ab", 10},
      {"a\x1B]8;;http://x\x1B\\b", 15},
      {"a\x1B(Bb", 3},
      {"a\rb", 1},
      {"a\0b"s, 1},
      {"a\uFE0Fb", 1},
      {"a\U000E0100\U000E0101b", 2}};
  for (const auto& [text, removed] : cases) {
    const CleanText clean = clean_text(text);
    EXPECT_EQ(clean.text, "ab") << to_text(Json(JsonString(text)));
    EXPECT_EQ(clean.removed, removed) << to_text(Json(JsonString(text)));
  }
}

// SECURITY 5.5
TEST(McpCleanText, OrdinaryTextSurvives) {
  for (const std::string text :
       {"plain\ttext\nof two lines\r\n", "한국어 설명입니다.",
        "각"  // composed by hand
        "日本語 \u845B\U000E0100 中文",
        "Ünïcödé «quotes» — dash",
        "👍🏽 👩\u200D💻 👨\u200D👩\u200D👧\u200D👦 ❤\uFE0F 1\uFE0F\u20E3",
        "🏳\uFE0F\u200D🌈 🇰🇷", "می\u200Cخواهم", "क्\u200Dष", "עברית العربية", ""}) {
    const CleanText clean = clean_text(text);
    EXPECT_EQ(clean.text, text);
    EXPECT_EQ(clean.removed, 0U) << text;
  }
}

TEST(McpCleanText, OneVariationSelectorStaysAndARunDoesNot) {
  const CleanText clean = clean_text("❤\uFE0F\uFE0F\uFE01\U000E0154x");
  EXPECT_EQ(clean.text, "❤\uFE0Fx");
  EXPECT_EQ(clean.removed, 3U);
}

TEST(McpCleanText, AnEscapeThatDoesNotEndTakesNothingWithIt) {
  EXPECT_EQ(clean_text("\x1B]no end of this").text, "]no end of this");
  EXPECT_EQ(clean_text("\x1B[").text, "[");
  EXPECT_EQ(clean_text("\x1B").text, "");
  EXPECT_EQ(clean_text("\x1B]" + std::string(10'000, 'x') + "\a").text.size(), 10'001U);
}

TEST(McpCleanText, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(clean_text("a\xFF\xC3").text, "a\uFFFD\uFFFD");
}

TEST(McpCleanText, JsonIsCleanedInItsKeysAndTexts) {
  Json value = *parse_json(R"({"a\u200b":["x\u202ey",{"b":"z"}],"n":1})");
  EXPECT_EQ(clean_json(value), 2U);
  EXPECT_EQ(to_text(value), R"({"a":["xy",{"b":"z"}],"n":1})");
}

TEST(McpCleanText, ACutNeverSplitsACharacter) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "가";
  const std::string cut = cut_text(text, kMaxMcpDescription);
  EXPECT_LE(cut.size(), kMaxMcpDescription);
  EXPECT_TRUE(cut.ends_with("가 ... (cut)")) << cut.substr(cut.size() - 20);
  EXPECT_EQ(cut_text("short", 10), "short");
  EXPECT_EQ(one_line("a\nb\x1B[1m c\n", 100), "a b c");
}

}  // namespace
}  // namespace goondan
