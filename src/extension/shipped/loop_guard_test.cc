#include <atomic>
#include <latch>

#include "extension/extension_fixture.h"

namespace goondan {
namespace {

using test::call;

class LoopGuard : public test::Extensions {
 protected:
  void SetUp() override {
    add_tool("t__same", "", [this](ToolContext&, const JsonObject&) -> Result<Json> {
      ++runs;
      return JsonObject{{"value", 7}, {"durationMs", runs.load()}};
    });
    add_tool("t__text", "", [](ToolContext&, const JsonObject&) -> Result<Json> { return "hm"; });
    add_tool("t__list", "",
             [](ToolContext&, const JsonObject&) -> Result<Json> { return JsonArray{1}; });
    add_tool("t__count", "",
             [this](ToolContext&, const JsonObject&) -> Result<Json> { return Json(runs++); });
    add_tool("t__fail", "", [](ToolContext&, const JsonObject&) -> Result<Json> {
      return tool_error("no luck", "Try harder.");
    });
  }

  static bool noted(const ToolCallResult& result) {
    return to_text(result.to_json()).find("[loop-guard]") != std::string::npos;
  }
  static bool stopped(const ToolCallResult& result) {
    return result.error && result.error->code == ErrorCode::LoopDetected;
  }

  std::atomic<int> runs = 0;
};

TEST_F(LoopGuard, WarnsAtTheThirdAndStopsAtTheFifth) {  // REQ: MW-1
  add("loop-guard");
  const auto same = [this] { return run("t__same", {{"a", 1}, {"b", 2}}); };
  EXPECT_FALSE(noted(same()));
  EXPECT_FALSE(noted(run("t__same", {{"b", 2}, {"a", 1}})));  // the same call
  const ToolCallResult third = same();
  EXPECT_TRUE(third.ok());
  EXPECT_TRUE(noted(third));
  EXPECT_EQ(third.output->at("value"), 7);
  EXPECT_TRUE(noted(same()));
  const ToolCallResult fifth = same();
  ASSERT_TRUE(stopped(fifth));
  EXPECT_EQ(fifth.error->code_text(), "E_LOOP_DETECTED");
  EXPECT_FALSE(fifth.error->suggestion.empty());
  EXPECT_EQ(runs, 4);
}

TEST_F(LoopGuard, SaysItWhereTheModelReads) {
  add("loop-guard", R"({"warnAt": 2})");
  run("t__text");
  EXPECT_TRUE(run("t__text").output->as_string().starts_with("hm\n\n[loop-guard] This is call 2"));
  run("t__list");
  EXPECT_EQ(run("t__list").output->at("result"), Json(JsonArray{1}));
  run("t__fail");
  const ToolCallResult failed = run("t__fail");
  EXPECT_TRUE(failed.error->suggestion.starts_with("Try harder. [loop-guard]"));
}

TEST_F(LoopGuard, LetsCallsBeWhoseResultsDiffer) {
  add("loop-guard");
  for (int i = 0; i < 8; ++i)
    EXPECT_FALSE(noted(run("t__count")));
}

TEST_F(LoopGuard, CatchesALoopOfSeveralCalls) {
  add("loop-guard");
  for (int round = 1; round <= 4; ++round) {
    EXPECT_EQ(noted(run("t__same")), round >= 3) << round;
    EXPECT_EQ(noted(run("t__text")), round >= 3) << round;
    EXPECT_EQ(noted(run("t__fail")), round >= 3) << round;
  }
  EXPECT_TRUE(stopped(run("t__same")));
  EXPECT_TRUE(stopped(run("t__text")));
  EXPECT_TRUE(stopped(run("t__fail")));
}

TEST_F(LoopGuard, TakesANewCallForProgress) {
  add("loop-guard");
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(stopped(run("t__same"))) << i;
    run("t__text", {{"edit", i}});
  }
}

TEST_F(LoopGuard, DoesNotTakeProgressForAnExcuseForEver) {
  add("loop-guard");
  int ran = 0;
  while (!stopped(run("t__same")) && ran < 100)
    run("t__text", {{"edit", ran++}});
  EXPECT_EQ(ran, 19);
}

TEST_F(LoopGuard, BeginsAnewWithTheTurn) {
  add("loop-guard");
  for (int i = 0; i < 5; ++i)
    run("t__same");
  turn_id = "turn_2";
  EXPECT_FALSE(noted(run("t__same")));
}

TEST_F(LoopGuard, LeavesWaitingAndExcludedToolsAlone) {
  add_tool("handles__wait", "");
  add("loop-guard", R"({"exclude": ["t__te*"]})");
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(noted(run("handles__wait")));
    EXPECT_FALSE(noted(run("t__text")));
  }
}

TEST_F(LoopGuard, LeavesPendingCallsAlone) {
  add_tool("t__later", "", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return JsonObject{{"__async", true}, {"handle", "h"}};
  });
  add("loop-guard");
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(run("t__later").status, CallStatus::Pending);
}

TEST_F(LoopGuard, CountsCallsThatRunAtOnce) {
  std::latch all(4);
  add_tool("t__together", "", [&all](ToolContext&, const JsonObject&) -> Result<Json> {
    all.count_down();
    all.wait();
    return Json(1);
  });
  add("loop-guard");
  std::vector<ToolCall> calls;
  for (const char* id : {"a", "b", "c", "d"})
    calls.push_back(call(id, "t__together"));
  EXPECT_EQ(std::ranges::count_if(run(calls), noted), 2);
  EXPECT_TRUE(stopped(run("t__together")));
}

TEST_F(LoopGuard, EndsATurnThatDoesNotListen) {
  add("loop-guard", R"({"endTurnAfter": 2})");
  const auto again = [this] {
    return step([this](StepContext&) {
      return StepResult{.should_continue = true, .results = {run("t__same")}};
    });
  };
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(again().status, StepResult::Status::Completed) << i;
  const StepResult last = again();
  EXPECT_EQ(last.status, StepResult::Status::Failed);
  ASSERT_TRUE(last.error);
  EXPECT_EQ(last.error->code, ErrorCode::LoopDetected);
}

TEST_F(LoopGuard, EndsATurnThatRepeatsACallThatCannotRun) {
  add("loop-guard");
  int steps = 0;
  StepResult result;
  do {
    result = step([this](StepContext&) {
      const ToolCall wrong = call("x", "t__missing");
      return StepResult{.should_continue = true, .calls = {wrong}, .results = run({wrong})};
    });
  } while (result.status == StepResult::Status::Completed && ++steps < 50);
  EXPECT_EQ(steps, 5);
}

}  // namespace
}  // namespace goondan
