#include "builtin/text_transform/finder.h"

#include <gtest/gtest.h>

namespace goondan::builtin::text_transform {
namespace {

std::vector<std::size_t> found(std::string_view text, std::string_view needle) {
  std::vector<std::size_t> places;
  Finder finder(text, needle);
  for (std::size_t at = finder.next(); at != Finder::kNone; at = finder.next())
    places.push_back(at);
  EXPECT_EQ(finder.next(), Finder::kNone);
  return places;
}

std::vector<std::size_t> expected(std::string_view text, std::string_view needle) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(needle); at != std::string_view::npos;
       at = text.find(needle, at + needle.size())) {
    places.push_back(at);
  }
  return places;
}

TEST(Finder, FindsWhatAPlainSearchFinds) {
  std::string text;
  for (unsigned i = 0; i < 300; ++i) {
    text += "aab"[(i * i * 7 + i / 3) % 3];
    for (const std::string_view needle :
         {"a", "b", "aa", "ab", "ba", "aab", "aba", "aaaa", "abaabaaab", "aabaabaabaabaaba",
          "aabaabaabaabaabaa", "abaabaabaabaabaabaabaabaab", "c", "ac"}) {
      ASSERT_EQ(found(text, needle), expected(text, needle)) << text << ' ' << needle;
    }
  }
}

TEST(Finder, FindsNothingLongerThanTheText) {
  EXPECT_TRUE(found("", "a").empty());
  EXPECT_TRUE(found("a", "aa").empty());
  EXPECT_TRUE(found("aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaa").empty());
}

// Comparing at each place would need 10^12 steps here.
TEST(Finder, IsNotSlowedDownByANeedleThatNearlyFits) {
  const std::string text(4'000'000, 'a');
  std::string needle(250'001, 'a');
  needle.back() = 'b';
  EXPECT_TRUE(found(text, needle).empty());
  needle.back() = 'a';
  needle.front() = 'b';
  EXPECT_TRUE(found(text, needle).empty());
}

}  // namespace
}  // namespace goondan::builtin::text_transform
