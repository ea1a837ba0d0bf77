#include "os/path_text.h"

namespace goondan::os {
namespace {

TEST(PathText, ResolvesDotsAsText) {
  EXPECT_EQ(normal_path("/w", "a.txt"), "/w/a.txt");
  EXPECT_EQ(normal_path("/w", "a/../b//./c/"), "/w/b/c");
  EXPECT_EQ(normal_path("/w", "../x"), "/x");
  EXPECT_EQ(normal_path("/w", "../../../x"), "/x");
  EXPECT_EQ(normal_path("/w", "/etc/../etc/passwd"), "/etc/passwd");
  EXPECT_EQ(normal_path("/w", "."), "/w");
  EXPECT_EQ(normal_path("/w", ".."), "/");
  EXPECT_EQ(normal_path("/", "a"), "/a");
}

TEST(PathText, KeepsWhatOnlyLooksSpecial) {
  EXPECT_EQ(normal_path("/w", "~/a"), "/w/~/a");
  EXPECT_EQ(normal_path("/w", "..."), "/w/...");
  EXPECT_EQ(normal_path("/w", ".. "), "/w/.. ");
  EXPECT_EQ(normal_path("/w", "..\\x"), "/w/..\\x");
  EXPECT_EQ(normal_path("/w", "a."), "/w/a.");
  EXPECT_EQ(normal_path("/w", "'a'"), "/w/'a'");
}

TEST(PathText, ComparesFoldersPartByPart) {
  EXPECT_TRUE(lies_in("/safe/x", "/safe"));
  EXPECT_TRUE(lies_in("/safe", "/safe"));
  EXPECT_FALSE(lies_in("/safe-evil/x", "/safe"));
  EXPECT_FALSE(lies_in("/", "/safe"));
  EXPECT_TRUE(lies_in("/safe", "/"));
  EXPECT_EQ(below("/safe/a/b", "/safe"), "a/b");
  EXPECT_EQ(below("/safe", "/safe"), ".");
  EXPECT_EQ(below("/a/b", "/"), "a/b");
  EXPECT_EQ(below("/", "/"), ".");
}

TEST(PathText, SplitsTheLastPartOff) {
  EXPECT_EQ(split_path("a/b/c").folder, "a/b");
  EXPECT_EQ(split_path("a/b/c").name, "c");
  EXPECT_EQ(split_path("c").folder, ".");
  EXPECT_EQ(split_path("/c").folder, "/");
  EXPECT_EQ(split_path("a/").name, "");
}

TEST(PathText, ShowsPathsThatCannotHurtAMessage) {
  EXPECT_EQ(quoted_path("a b"), "'a b'");
  EXPECT_EQ(quoted_path("a\n\x1b[1m"), "'a??[1m'");
  EXPECT_EQ(quoted_path("a\xFF"), "'a\uFFFD'");
  EXPECT_EQ(quoted_path(std::string(5000, 'x')).size(), 245u);
}

}  // namespace
}  // namespace goondan::os
