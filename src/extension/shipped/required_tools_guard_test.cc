#include "extension/extension_fixture.h"

namespace goondan {
namespace {

using test::call;

class RequiredToolsGuard : public test::Extensions {
 protected:
  void SetUp() override { input.input = "do it"; }

  // A step that ends with these results.
  StepResult end_step(std::vector<ToolCallResult> results = {}) {
    return step([&](StepContext&) {
      StepResult result{.should_continue = !results.empty(), .results = results};
      return result;
    });
  }
  static ToolCallResult ok(const char* name) { return ToolCallResult::success(call("a", name), 1); }
  static ToolCallResult bad(const char* name) {
    return ToolCallResult::failure(call("a", name), tool_error("no"));
  }
  std::string last_text() {
    return conversation.texts().empty() ? "" : conversation.texts().back();
  }
};

TEST_F(RequiredToolsGuard, AsksForAnotherStepAndNamesTheTools) {  // REQ: MW-2
  add("required-tools-guard", R"({"requiredTools": ["files__write", "mail__send"]})");
  said("do it");
  EXPECT_TRUE(end_step().should_continue);
  EXPECT_EQ(
      last_text(),
      "This turn is not finished: it must use at least one of these tools successfully before "
      "it may end, and has not yet: files__write, mail__send. Call it now; if a call failed, "
      "correct its arguments and call it again.");
  EXPECT_EQ(conversation.messages().back().role(), Role::User);
}

TEST_F(RequiredToolsGuard, IsContentOnceOneOfThemHasSucceeded) {
  add("required-tools-guard", R"({"requiredTools": ["files__write", "mail__send"]})");
  end_step({bad("files__write")});
  EXPECT_TRUE(end_step().should_continue);
  end_step({ok("mail__send")});
  EXPECT_FALSE(end_step().should_continue);
}

TEST_F(RequiredToolsGuard, WantsAllOfThemWhereItIsToldTo) {
  add("required-tools-guard", R"({"requiredTools": ["a__x", "b__y"], "mode": "all"})");
  end_step({ok("a__x")});
  EXPECT_TRUE(end_step().should_continue);
  EXPECT_NE(last_text().find("this tool successfully"), std::string::npos) << last_text();
  EXPECT_NE(last_text().find("not yet: b__y."), std::string::npos) << last_text();
  end_step({ToolCallResult::pending(call("a", "b__y"), "h1", {})});
  EXPECT_FALSE(end_step().should_continue);
}

TEST_F(RequiredToolsGuard, GivesUpAfterSomeReminders) {
  add("required-tools-guard", R"({"requiredTools": ["a__x"], "maxReminders": 2})");
  EXPECT_TRUE(end_step().should_continue);
  EXPECT_TRUE(end_step().should_continue);
  EXPECT_FALSE(end_step().should_continue);
  EXPECT_EQ(conversation.messages().size(), 2U);
  EXPECT_EQ(log_texts(LogLevel::Warn).size(), 1U);
}

TEST_F(RequiredToolsGuard, BeginsAnewWithEachTurn) {
  add("required-tools-guard", R"({"requiredTools": ["a__x"]})");
  said("do it");
  end_step({ok("a__x")});
  EXPECT_FALSE(end_step().should_continue);
  turn_id = "turn_2";
  input.input = "again";
  said("again");
  EXPECT_TRUE(end_step().should_continue);
}

TEST_F(RequiredToolsGuard, KnowsWhatATurnDidBeforeARestart) {
  add("required-tools-guard", R"({"requiredTools": ["a__x"]})");
  said("do it");
  const ToolCall done = call("c1", "a__x");
  answered("", {done});
  returned(done, "written");
  EXPECT_FALSE(end_step().should_continue);
}

TEST_F(RequiredToolsGuard, CountsRemindersFromBeforeARestart) {
  add("required-tools-guard", R"({"requiredTools": ["a__x"], "maxReminders": 1})");
  said("do it");
  EXPECT_TRUE(end_step().should_continue);
  layers = {};
  add("required-tools-guard", R"({"requiredTools": ["a__x"], "maxReminders": 1})");
  EXPECT_FALSE(end_step().should_continue);
}

TEST_F(RequiredToolsGuard, LeavesAFailedStepAlone) {
  add("required-tools-guard", R"({"requiredTools": ["a__x"]})");
  const StepResult result =
      step([](StepContext&) { return StepResult{.status = StepResult::Status::Failed}; });
  EXPECT_FALSE(result.should_continue);
  EXPECT_TRUE(conversation.messages().empty());
}

TEST_F(RequiredToolsGuard, NeedsTools) {
  const Result<void> added = try_add("required-tools-guard");
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().message,
            "config.requiredTools of extension 'required-tools-guard' names no tool");
}

}  // namespace
}  // namespace goondan
