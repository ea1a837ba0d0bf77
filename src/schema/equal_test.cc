#include "schema/equal.h"

#include <gtest/gtest.h>

namespace goondan::schema {
namespace {

Json json(std::string_view text) {
  return parse_json(text).value();
}

bool same(std::string_view a, std::string_view b) {
  Budget budget(kCheckBudget);
  const bool result = equal(json(a), json(b), budget);
  const bool hashes = hash_value(json(a), budget) == hash_value(json(b), budget);
  EXPECT_TRUE(!result || hashes) << a << " " << b;
  return result;
}

TEST(Equal, ComparesByMeaning) {
  EXPECT_TRUE(same("1", "1.0"));
  EXPECT_TRUE(same("-3", "-3.0"));
  EXPECT_TRUE(same("0", "-0.0"));
  EXPECT_TRUE(same("9223372036854775808", "9223372036854775808.0"));
  EXPECT_TRUE(same(R"({"a":1,"b":[2]})", R"({"b":[2.0],"a":1})"));
  EXPECT_TRUE(same("1e300", "1e300"));
}

TEST(Equal, TellsKindsAndOrdersApart) {
  EXPECT_FALSE(same("1", "true"));
  EXPECT_FALSE(same("0", "false"));
  EXPECT_FALSE(same("0", "null"));
  EXPECT_FALSE(same("\"1\"", "1"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992.0"));
}

TEST(Equal, ExhaustsTheBudgetInsteadOfTheStack) {
  Json deep = 1;
  for (int i = 0; i < 10'000; ++i)
    deep = JsonArray{std::move(deep)};
  Budget budget(kCheckBudget);
  EXPECT_FALSE(equal(deep, deep, budget));
  EXPECT_TRUE(budget.exhausted());
}

TEST(FindDuplicate, FindsTheRepeatedItem) {
  using Pair = std::pair<std::size_t, std::size_t>;
  const auto find = [](std::string_view text) {
    Budget budget(kCheckBudget);
    return find_duplicate(json(text).as_array(), budget);
  };
  EXPECT_EQ(find("[]"), std::nullopt);
  EXPECT_EQ(find("[1,true,\"1\",null,[1],{\"a\":1}]"), std::nullopt);
  EXPECT_EQ(find("[1,2,1.0]"), Pair(0, 2));
  EXPECT_EQ(find("[9,8,7,6,5,4,3,2,1,0,[{\"a\":1}],[{\"a\":1.0}]]"), Pair(10, 11));
  EXPECT_EQ(find("[0,1,2,3,4,5,6,7,8,9,false,null,\"\",[],{}]"), std::nullopt);
}

TEST(FindDuplicate, StaysCheapForManyItems) {
  JsonArray numbers;
  JsonArray texts;
  for (int i = 0; i < 100'000; ++i) {
    numbers.emplace_back(i);
    texts.emplace_back("text " + std::to_string(i));
  }
  Budget budget(kCheckBudget);
  EXPECT_EQ(find_duplicate(numbers, budget), std::nullopt);
  EXPECT_EQ(find_duplicate(texts, budget), std::nullopt);
  EXPECT_FALSE(budget.exhausted());
  texts.emplace_back("text 500");
  EXPECT_EQ(find_duplicate(texts, budget), std::pair(std::size_t{500}, std::size_t{100'000}));
}

}  // namespace
}  // namespace goondan::schema
