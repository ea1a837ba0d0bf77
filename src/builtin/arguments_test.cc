#include "builtin/arguments.h"

namespace goondan::builtin {
namespace {

// REQ: DEC-2
TEST(Arguments, TakeTheCanonicalNameBeforeAnAlias) {
  const JsonObject both{{"ts", "2"}, {"messageTs", "1"}};
  EXPECT_EQ(text_argument(both, {"messageTs", "ts"}), "1");
  EXPECT_EQ(text_argument(JsonObject{{"ts", "2"}}, {"messageTs", "ts"}), "2");
  EXPECT_EQ(text_argument(JsonObject{{"messageTs", ""}, {"ts", "2"}}, {"messageTs", "ts"}), "2");
  EXPECT_EQ(text_argument(JsonObject{}, {"messageTs", "ts"}), std::nullopt);
}

TEST(Arguments, ReadNumbersOfEveryKind) {
  const JsonObject input{{"a", 1}, {"b", 1.5}, {"c", std::uint64_t{3}}, {"d", "4"}};
  EXPECT_EQ(number_argument(input, "a"), 1);
  EXPECT_EQ(number_argument(input, "b"), 1.5);
  EXPECT_EQ(number_argument(input, "c"), 3);
  EXPECT_EQ(number_argument(input, "d"), std::nullopt);
}

}  // namespace
}  // namespace goondan::builtin
