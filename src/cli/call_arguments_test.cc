#include "cli/call_arguments.h"

#include <gtest/gtest.h>

namespace goondan::cli {
namespace {

const CatalogItem kItem{.name = "a__b",
                        .parameters = Json{{"type", "object"},
                                           {"properties",
                                            {{"text", {{"type", "string"}}},
                                             {"count", {{"type", "integer"}}},
                                             {"either", {{"type", {"string", "null"}}}},
                                             {"list", {{"type", "array"}}},
                                             {"any", JsonObject{}}}}}};

std::string parsed(const std::vector<std::string>& words, const CatalogItem* item = &kItem) {
  const auto result = parse_call_arguments(words, item);
  return result.ok() ? to_text(*result) : result.error().message;
}

TEST(CallArguments, TakesTheTypeFromTheSchema) {
  EXPECT_EQ(parsed({"text=007", "count=007x", "count2=5"}),
            R"({"text":"007","count":"007x","count2":5})");
  EXPECT_EQ(parsed({"text=5", "count=5", "either=null"}),
            R"({"text":"5","count":5,"either":"null"})");
  EXPECT_EQ(parsed({"list=[1,2]", "any=true", "any2=yes"}),
            R"({"list":[1,2],"any":true,"any2":"yes"})");
}

TEST(CallArguments, KeepsEqualSignsAndEmptyValues) {
  EXPECT_EQ(parsed({"text=a=b", "either="}), R"({"text":"a=b","either":""})");
}

TEST(CallArguments, ReadsJsonAfterColonEquals) {
  EXPECT_EQ(parsed({"text:=5"}), R"({"text":5})");
  EXPECT_NE(parsed({"text:={"}).find("not valid JSON"), std::string::npos);
}

TEST(CallArguments, RefusesWhatIsNoPairAndWhatIsGivenTwice) {
  EXPECT_EQ(parsed({"hello"}), "'hello' is not of the form key=value");
  EXPECT_EQ(parsed({"=x"}), "'=x' is not of the form key=value");
  EXPECT_EQ(parsed({"text=a", "text=b"}), "'text' is given twice");
}

TEST(CallArguments, ReadsJsonWhereNothingIsKnown) {
  EXPECT_EQ(parsed({"n=1", "s=x"}, nullptr), R"({"n":1,"s":"x"})");
}

}  // namespace
}  // namespace goondan::cli
