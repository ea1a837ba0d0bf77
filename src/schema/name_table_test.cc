#include "schema/name_table.h"

#include <gtest/gtest.h>

namespace goondan::schema {
namespace {

TEST(NameTable, FindsEachNameByItsIndex) {
  std::vector<std::string> names;
  for (std::size_t length = 0; length < 40; ++length)
    names.emplace_back(length, 'x');
  for (int i = 0; i < 5000; ++i)
    names.push_back("name" + std::to_string(i));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const NameTable table(views);
  ASSERT_EQ(table.size(), names.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(table.find(names[i]), i) << names[i];
    EXPECT_EQ(table.name(i), names[i]);
  }
}

TEST(NameTable, FindsNothingElse) {
  const std::string_view names[] = {"a", "ab", "abc", "", std::string_view("a\0b", 3)};
  const NameTable table(names);
  for (const std::string_view other : {"b", "abcd", "ac", "aab", " "}) {
    EXPECT_EQ(table.find(other), kNone) << other;
  }
  EXPECT_EQ(table.find(std::string_view("a\0b", 3)), 4u);
  EXPECT_EQ(NameTable().find("a"), kNone);
}

TEST(NameTable, KeepsTheFirstOfTwoEqualNames) {
  const std::string_view names[] = {"a", "b", "a"};
  const NameTable table(names);
  EXPECT_EQ(table.find("a"), 0u);
  EXPECT_EQ(table.find("b"), 1u);
}

}  // namespace
}  // namespace goondan::schema
