#include "schema/uri.h"

#include <gtest/gtest.h>

namespace goondan::schema {
namespace {

// The examples of RFC 3986, section 5.4, without fragments.
TEST(Uri, ResolvesAsTheStandardShows) {
  constexpr std::string_view kBase = "http://a/b/c/d;p?q";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"./", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(resolve_uri(kBase, reference), expected) << reference;
  }
}

TEST(Uri, LeavesAReferenceWithoutABaseAsItIs) {
  EXPECT_EQ(resolve_uri("", "a/b.json"), "a/b.json");
  EXPECT_EQ(resolve_uri("", "http://x/y"), "http://x/y");
  EXPECT_EQ(resolve_uri("urn:uuid:1", ""), "urn:uuid:1");
  EXPECT_EQ(resolve_uri("http://host", "a"), "http://host/a");
}

TEST(Uri, KnowsAnAbsoluteOne) {
  EXPECT_TRUE(is_absolute_uri("http://x"));
  EXPECT_TRUE(is_absolute_uri("urn:x"));
  EXPECT_FALSE(is_absolute_uri("a/b:c"));
  EXPECT_FALSE(is_absolute_uri("//host/x"));
  EXPECT_FALSE(is_absolute_uri(""));
  EXPECT_FALSE(is_absolute_uri(":x"));
}

TEST(Uri, SplitsAtTheFirstHash) {
  EXPECT_EQ(split_fragment("a#b").uri, "a");
  EXPECT_EQ(split_fragment("a#b").fragment, "b");
  EXPECT_EQ(split_fragment("a").fragment, "");
}

TEST(Uri, DecodesPercentSignsAndRefusesBrokenOnes) {
  EXPECT_EQ(percent_decoded("a%25b%22"), "a%b\"");
  EXPECT_EQ(percent_decoded("%"), std::nullopt);
  EXPECT_EQ(percent_decoded("%4"), std::nullopt);
  EXPECT_EQ(percent_decoded("%zz"), std::nullopt);
}

TEST(Uri, ReadsAndWritesPointers) {
  using Steps = std::vector<std::string>;
  EXPECT_EQ(parse_pointer(""), Steps{});
  EXPECT_EQ(parse_pointer("/a~1b/m~0n//0"), (Steps{"a/b", "m~n", "", "0"}));
  EXPECT_EQ(parse_pointer("a"), std::nullopt);
  EXPECT_EQ(parse_pointer("/~2"), std::nullopt);
  EXPECT_EQ(parse_pointer("/~"), std::nullopt);
  std::string pointer;
  append_pointer_step(pointer, "a/b~c");
  EXPECT_EQ(pointer, "/a~1b~0c");
}

}  // namespace
}  // namespace goondan::schema
