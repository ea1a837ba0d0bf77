#include "extension/extension_fixture.h"
#include "extension/shipped/found_tools.h"
#include "resource/builtin_names.h"

namespace goondan {
namespace {

using Texts = std::vector<std::string>;

class ToolSearch : public test::Extensions {
 protected:
  void SetUp() override {
    add_tool("files__read", "Reads a file.");
    add_tool("files__write", "Writes a file.");
    add_tool("mail__send", "Sends a mail.");
    add_tool("weather__now", "날씨를 알려 줍니다.");
  }
  Json search(std::string_view query, int limit = 10) {
    const ToolCallResult result =
        run("tool-search__search", JsonObject{{"query", query}, {"limit", limit}});
    EXPECT_TRUE(result.ok()) << to_text(result.to_json());
    return result.output.value_or(nullptr);
  }
};

TEST_F(ToolSearch, ShowsOnlyTheSearchToolAtFirst) {  // REQ: CAT-3, MW-4
  add("tool-search");
  EXPECT_EQ(shown(), Texts{"tool-search__search"});
}

TEST_F(ToolSearch, ShowsWhatWasFoundInTheNextStep) {  // REQ: CAT-3, CAT-4
  add("tool-search");
  shown();
  EXPECT_EQ(run("mail__send").error.value().code, ErrorCode::ToolNotInCatalog);
  const Json found = search("send mail");
  ASSERT_EQ(found.at("tools").as_array().size(), 1U);
  EXPECT_EQ(found.at("tools").at(0).at("name"), "mail__send");
  EXPECT_EQ(found.at("tools").at(0).at("description"), "Sends a mail.");
  EXPECT_GT(found.at("tools").at(0).at("score").to_number<double>(), 0);
  EXPECT_EQ(found.at("toolCount"), 4);
  EXPECT_EQ(shown(), (Texts{"tool-search__search", "mail__send"}));
  EXPECT_TRUE(run("mail__send").ok());
}

TEST_F(ToolSearch, FindsKoreanToo) {
  add("tool-search");
  shown();
  EXPECT_EQ(search("오늘 날씨").at("tools").at(0).at("name"), "weather__now");
}

TEST_F(ToolSearch, AlwaysShowsWhatItIsToldTo) {
  add_tool("handles__wait", "Waits.");
  add("tool-search", R"({"alwaysInclude": ["files__*"]})");
  EXPECT_EQ(shown(),
            (Texts{"files__read", "files__write", "handles__wait", "tool-search__search"}));
  search("read file");
  EXPECT_EQ(shown().size(), 4U);
}

TEST_F(ToolSearch, DoesNothingWithFewTools) {
  add("tool-search", R"({"minTools": 5})");
  EXPECT_EQ(shown(), (Texts{"files__read", "files__write", "mail__send", "weather__now"}));
  add_tool("one__more", "");
  EXPECT_EQ(shown(), Texts{"tool-search__search"});
}

TEST_F(ToolSearch, FindsToolsThatAreRegisteredLater) {  // REQ: CAT-4
  add("tool-search");
  shown();
  search("mail");
  add_tool("map__route", "Finds the way between two places.");
  shown();
  EXPECT_EQ(search("route on the map").at("tools").at(0).at("name"), "map__route");
  EXPECT_EQ(shown().back(), "map__route");
}

TEST_F(ToolSearch, RemembersOverARestart) {  // REQ: MW-5
  add("tool-search");
  shown();
  search("mail");
  layers = {};
  add("tool-search");
  EXPECT_EQ(shown(), (Texts{"tool-search__search", "mail__send"}));
}

TEST_F(ToolSearch, SaysWhatThereIsWhenNothingFits) {
  add("tool-search");
  shown();
  const Json found = search("xyzzyplugh");
  EXPECT_TRUE(found.at("tools").as_array().empty());
  EXPECT_NE(found.at("hint").as_string().find("files, mail"), std::string::npos) << to_text(found);
}

TEST_F(ToolSearch, ShowsAToolThatWasCalledUnseen) {
  add("tool-search");
  shown();
  step([this](StepContext&) {
    return StepResult{.should_continue = true, .results = {run("files__write")}};
  });
  EXPECT_EQ(shown(), (Texts{"tool-search__search", "files__write"}));
}

TEST_F(ToolSearch, SearchesAtOnceFromSeveralCalls) {
  add("tool-search");
  shown();
  std::vector<ToolCall> calls;
  for (const char* query : {"read", "write", "mail", "weather 날씨"})
    calls.push_back(test::call(query, "tool-search__search", {{"query", query}}));
  for (const ToolCallResult& result : run(calls))
    EXPECT_TRUE(result.ok());
  EXPECT_EQ(shown().size(), 5U);
}

TEST(FoundTools, ForgetWhatIsUsedLeast) {
  test::MemoryState state;
  shipped::FoundTools found(state, 3);
  ASSERT_TRUE(found.add(Texts{"a", "b"}).ok());
  ASSERT_TRUE(found.add(Texts{"c"}).ok());
  found.touch("a");
  ASSERT_TRUE(found.add(Texts{"d"}).ok());
  EXPECT_EQ(found.names(), (Texts{"a", "c", "d"}));
  EXPECT_EQ(state.get(), test::json(R"({"found": ["a", "c", "d"]})"));
}

TEST(FoundTools, ReadWhateverIsKept) {
  test::MemoryState state;
  for (const char* kept : {"null", "[]", R"({"found": 3})", R"({"found": [1, "a", "a", null]})"}) {
    ASSERT_TRUE(state.set(test::json(kept)).ok());
    EXPECT_LE(shipped::FoundTools(state, 3).names().size(), 1U) << kept;
  }
}

TEST(BuiltinExtensions, AreThoseThatBundlesMayName) {
  for (const std::string_view name : kBuiltinExtensions)
    EXPECT_NE(find_builtin_extension(name), nullptr) << name;
  EXPECT_EQ(find_builtin_extension("no-such-thing"), nullptr);
}

}  // namespace
}  // namespace goondan
