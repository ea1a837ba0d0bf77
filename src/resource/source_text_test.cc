#include "resource/source_text.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

SourceText text_of(std::string text) {
  return SourceText({.name = "a.yaml", .text = std::move(text)});
}

std::string located(const SourceText& text, std::size_t offset) {
  const auto [line, column] = text.locate(offset);
  return std::to_string(line) + ":" + std::to_string(column);
}

TEST(SourceText, CountsLinesTheWayEditorsDo) {
  const SourceText text = text_of("a\nb\r\nc\rd");
  EXPECT_EQ(located(text, 0), "1:1");
  EXPECT_EQ(located(text, 2), "2:1");
  EXPECT_EQ(located(text, 5), "3:1");
  EXPECT_EQ(located(text, 7), "4:1");
  EXPECT_EQ(located(text, 100), "4:2");
}

TEST(SourceText, CountsColumnsInCodePoints) {
  EXPECT_EQ(located(text_of("이름: x"), 8), "1:5");
}

TEST(SourceText, CountsColumnsFarIntoALongLine) {
  std::string line;
  for (int i = 0; i < 3000; ++i)
    line += "가a";
  const SourceText text = text_of("x\n" + line);
  EXPECT_EQ(located(text, 2 + 4 * 2999), "2:5999");
  EXPECT_EQ(located(text, 2 + 4 * 2999 + 3), "2:6000");
  EXPECT_EQ(located(text_of(std::string(2048, 'x')), 2048), "1:2049");
}

TEST(SourceText, DropsAByteOrderMark) {
  const SourceText text = text_of("\xEF\xBB\xBFkind: Tool");
  EXPECT_EQ(text.text(), "kind: Tool");
  EXPECT_EQ(located(text, 6), "1:7");
}

TEST(SourceText, ShowsALineWithoutWhatATerminalWouldObey) {
  const SourceText text = text_of("one\na\x1b[31m\tb\xff\xc2\x9b\ntwo");
  EXPECT_EQ(text.shown_line(2), "a\xEF\xBF\xBD[31m\tb\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(text.shown_line(0), "");
  EXPECT_EQ(text.shown_line(4), "");
}

TEST(SourceText, CutsALongLine) {
  EXPECT_EQ(text_of(std::string(1'000'000, 'x')).shown_line(1).size(), 200);
}

TEST(InBackticks, SpellsOutControlCharactersAndCutsLongText) {
  EXPECT_EQ(in_backticks("a\x1b[0m\n\x7f"), "`a\\x1b[0m\\n\\x7f`");
  EXPECT_EQ(in_backticks("\xff\xc2\x9b"), "`\\xff\\xc2\\x9b`");
  EXPECT_EQ(in_backticks("이름"), "`이름`");
  EXPECT_EQ(in_backticks(std::string(81, 'x')), "`" + std::string(80, 'x') + "...`");
}

}  // namespace
}  // namespace goondan
