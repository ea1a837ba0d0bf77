#include "extension/extension_fixture.h"

namespace goondan {
namespace {

class Logging : public test::Extensions {
 protected:
  void everything() {
    add_tool("t__ok", "");
    add_tool("t__bad", "", [](ToolContext&, const JsonObject&) -> Result<Json> {
      return tool_error("it broke");
    });
    turn("hi", [this](TurnContext&) {
      step([this](StepContext&) {
        run("t__ok", {{"secret", "plans"}});
        run("t__bad");
        return StepResult{.calls = {test::call("a", "t__ok")}};
      });
      step([](StepContext&) {
        return StepResult{.status = StepResult::Status::Failed,
                          .error = Error{.code = ErrorCode::ModelBusy, .message = "busy"}};
      });
      return TurnOutcome{.status = TurnStatus::Error,
                         .error = Error{.code = ErrorCode::ModelBusy, .message = "busy"}};
    });
  }
};

TEST_F(Logging, TellsTurnsAndStepsAndNoCallsByDefault) {  // REQ: MW-1, MW-2
  add("logging");
  everything();
  const auto info = log_texts(LogLevel::Info);
  ASSERT_EQ(info.size(), 2U);
  EXPECT_EQ(info[0], "turn turn_1 started (event user_input)");
  EXPECT_TRUE(info[1].starts_with("step 1 of turn_1 ended after ")) << info[1];
  EXPECT_TRUE(info[1].ends_with(" ms, calls: 1")) << info[1];
  EXPECT_EQ(log_texts(LogLevel::Warn).size(), 1U);
  const auto errors = log_texts(LogLevel::Error);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].ends_with("E_MODEL_BUSY: busy")) << errors[0];
  EXPECT_TRUE(log_texts(LogLevel::Debug).empty());
}

TEST_F(Logging, TellsCallsAtDebugWithoutTheirArguments) {
  add("logging", R"({"level": "debug"})");
  everything();
  const auto calls = log_texts(LogLevel::Debug);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_TRUE(calls[0].starts_with("call t__ok (call_1): ok after ")) << calls[0];
  EXPECT_TRUE(calls[1].ends_with("E_TOOL: it broke")) << calls[1];
}

TEST_F(Logging, ShowsArgumentsWhereItIsToldTo) {
  add("logging", R"({"level": "debug", "includeToolArgs": true})");
  everything();
  const auto calls = log_texts(LogLevel::Debug);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_NE(calls[0].find(R"({"secret":"plans"})"), std::string::npos) << calls[0];
}

TEST_F(Logging, LeavesOutWhatIsBelowItsLevel) {
  add("logging", R"({"level": "error"})");
  everything();
  EXPECT_EQ(logged.size(), 1U);
}

}  // namespace
}  // namespace goondan
