#include "builtin/json_query/path.h"

#include <gtest/gtest.h>

namespace goondan::builtin::json_query {
namespace {

using Segments = std::vector<std::string>;

TEST(JsonPath, IsSplitAtDotsAndBrackets) {
  EXPECT_EQ(parse_path("users[0].name"), (Segments{"users", "0", "name"}));
  EXPECT_EQ(parse_path(".items.count"), (Segments{"items", "count"}));
  EXPECT_EQ(parse_path("a[1][2]"), (Segments{"a", "1", "2"}));
  EXPECT_EQ(parse_path("[0]a"), (Segments{"0", "a"}));
}

TEST(JsonPath, MeansTheWholeDocumentWithoutSegments) {
  for (const char* path : {"", ".", "..", "[]", ".[].[]"})
    EXPECT_EQ(parse_path(path), Segments{}) << path;
}

TEST(JsonPath, LeavesOutEmptySegments) {
  EXPECT_EQ(parse_path("a..b"), (Segments{"a", "b"}));
  EXPECT_EQ(parse_path("a.b."), (Segments{"a", "b"}));
  EXPECT_EQ(parse_path("a[]"), (Segments{"a"}));
}

TEST(JsonPath, TakesADotInBracketsForAPartOfTheKey) {
  EXPECT_EQ(parse_path("[a.b]"), (Segments{"a.b"}));
  EXPECT_EQ(parse_path("x[a.b].c"), (Segments{"x", "a.b", "c"}));
  EXPECT_EQ(parse_path("a[b.c"), (Segments{"a", "b.c"}));
}

TEST(JsonPath, EndsSegmentsAtUnpairedBrackets) {
  EXPECT_EQ(parse_path("a]b.c"), (Segments{"a", "b", "c"}));
  EXPECT_EQ(parse_path("[a[b]"), (Segments{"a", "b"}));
}

TEST(JsonPath, TakesEverythingElseLiterally) {
  EXPECT_EQ(parse_path("[\"a b\"]. c"), (Segments{"\"a b\"", " c"}));
  EXPECT_EQ(parse_path("a\\.b.*"), (Segments{"a\\", "b", "*"}));
  EXPECT_EQ(parse_path("이름.한글"), (Segments{"이름", "한글"}));
}

TEST(ArrayPosition, IsTheDigitsThatTheSegmentBeginsWith) {
  EXPECT_EQ(array_position("0"), 0u);
  EXPECT_EQ(array_position("01"), 1u);
  EXPECT_EQ(array_position("1x"), 1u);
  EXPECT_EQ(array_position("1.9"), 1u);
  EXPECT_EQ(array_position("1e3"), 1u);
  EXPECT_EQ(array_position("0x10"), 0u);
  EXPECT_EQ(array_position(" \t\u00A0 7 "), 7u);
  EXPECT_EQ(array_position("+3"), 3u);
  EXPECT_EQ(array_position("-0"), 0u);
}

TEST(ArrayPosition, IsNoneWithoutDigitsOrBelowZero) {
  for (const char* segment : {"", "x", "*", "-1", "-", "+", "--1", "- 1", "\"0\"", ":"})
    EXPECT_EQ(array_position(segment), std::nullopt) << segment;
}

TEST(ArrayPosition, OfTooManyDigitsIsBeyondEveryArray) {
  EXPECT_EQ(array_position(std::string(1'000, '9')), std::size_t(-1));
  EXPECT_EQ(array_position("-99999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace goondan::builtin::json_query
