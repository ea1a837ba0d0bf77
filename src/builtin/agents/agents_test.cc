#include "builtin/agents/agents.h"

#include "builtin/fake_runtime.h"
#include "support/vectors.h"

namespace goondan::builtin::agents {
namespace {

class Agents : public RuntimeToolTest {
 protected:
  Agents() : RuntimeToolTest("agents") {}
};

// REQ: HAND-6
TEST_F(Agents, AnswerWithTheKeysOfTheSpecificationInItsOrder) {
  answers({{"eventId", "e1"},
           {"correlationId", "c1"},
           {"target", "writer"},
           {"response", "done"},
           {"more", 1}});
  EXPECT_EQ(output("request", {{"target", "writer"}, {"input", "x"}}),
            R"({"target":"writer","eventId":"e1","correlationId":"c1","accepted":true,)"
            R"("async":false,"response":"done"})");
  EXPECT_EQ(output("send", {{"target", "writer"}, {"input", "x"}}),
            R"({"target":"writer","eventId":"e1","accepted":true})");
  answers({{"target", "writer"}, {"instanceKey", "k"}, {"spawned", false}});
  EXPECT_EQ(output("spawn", {{"target", "writer"}}),
            R"({"target":"writer","instanceKey":"k","spawned":false,"cwd":null})");
  answers({{"agents", {{{"cwd", nullptr}, {"target", "w"}, {"instanceKey", "k"}}}}});
  EXPECT_EQ(output("list", {}),
            R"({"count":1,"agents":[{"target":"w","instanceKey":"k","ownerAgent":null,)"
            R"("ownerInstanceKey":null,"createdAt":null,"cwd":null}]})");
  answers({{"availableAgents", {"a", "b"}},
           {"callableAgents", JsonArray{"b"}},
           {"selfAgent", "a"},
           {"entryAgent", "a"},
           {"swarmName", "s"}});
  EXPECT_EQ(output("catalog", {}),
            R"({"swarmName":"s","entryAgent":"a","selfAgent":"a","availableCount":2,)"
            R"("callableCount":1,"availableAgents":["a","b"],"callableAgents":["b"]})");
}

TEST_F(Agents, AskTheRuntimeWithTheDefaultsOfTheSpecification) {
  ASSERT_TRUE(call("request", {{"target", "writer"}, {"input", "x"}}).ok());
  EXPECT_EQ(asked(), R"(agents.request {"target":"writer","input":"x","eventType":"agent.request",)"
                     R"("timeoutMs":60000,"async":false})");
  EXPECT_EQ(runtime_->last_agent, "caller");
  ASSERT_TRUE(call("send", {{"target", "writer"}, {"input", "x"}}).ok());
  EXPECT_EQ(asked(), R"(agents.send {"target":"writer","input":"x","eventType":"agent.send"})");
  ASSERT_TRUE(call("spawn", {{"target", "writer"}}).ok());
  EXPECT_EQ(asked(), R"(agents.spawn {"target":"writer"})");
  ASSERT_TRUE(call("list", {}).ok());
  EXPECT_EQ(asked(), R"(agents.list {"includeAll":false})");
  ASSERT_TRUE(call("catalog", {}).ok());
  EXPECT_EQ(asked(), R"(agents.catalog {})");
}

TEST_F(Agents, PassOnWhatTheModelSays) {
  ASSERT_TRUE(call("request", {{"target", "writer"},
                               {"input", "x"},
                               {"instanceKey", "k"},
                               {"eventType", "my.type"},
                               {"timeoutMs", 1500.5},
                               {"async", true},
                               {"metadata", {{"k", 1}}}})
                  .ok());
  EXPECT_EQ(asked(), R"(agents.request {"target":"writer","input":"x","instanceKey":"k",)"
                     R"("eventType":"my.type","timeoutMs":1501,"async":true,"metadata":{"k":1}})");
  ASSERT_TRUE(call("spawn", {{"target", "w"}, {"instanceKey", "k"}, {"cwd", "sub"}}).ok());
  EXPECT_EQ(asked(), R"(agents.spawn {"target":"w","instanceKey":"k","cwd":"sub"})");
}

TEST_F(Agents, DoNotWaitLongerThanTheirCallMay) {
  timeout_ = std::chrono::milliseconds(30'000);
  fails({.code = ErrorCode::AgentTimeout, .message = "no answer", .suggestion = "Wait."});
  const ToolCallResult result = call("request", {{"target", "w"}, {"input", "x"}});
  EXPECT_LT(runtime_->asked.back().second.at("timeoutMs").as_int64(), 30'000);
  EXPECT_EQ(result.error->code, ErrorCode::AgentTimeout);
  EXPECT_NE(result.error->suggestion.find("operator's limit"), std::string::npos);
  call("request", {{"target", "w"}, {"input", "x"}, {"async", true}, {"timeoutMs", 90'000}});
  EXPECT_EQ(runtime_->asked.back().second.at("timeoutMs"), Json(90'000));
}

TEST_F(Agents, RefuseArgumentsThatMakeNoSense) {
  for (const JsonObject& input :
       {JsonObject{{"target", "w"}, {"input", ""}}, JsonObject{{"target", ""}, {"input", "x"}},
        JsonObject{{"input", "x"}}, JsonObject{{"target", "w"}, {"input", "x"}, {"timeoutMs", 0}},
        JsonObject{{"target", "w"}, {"input", "x"}, {"timeoutMs", -5}},
        JsonObject{{"target", "w"}, {"input", "x"}, {"metadata", 1}}}) {
    EXPECT_EQ(call("request", input).error->code, ErrorCode::ToolInvalidArgs) << to_text(input);
  }
  EXPECT_TRUE(runtime_->asked.empty());
}

// REQ: HAND-5
TEST_F(Agents, TellTheModelWhatTheRuntimeRefused) {
  const Error unknown{.code = ErrorCode::AgentNotFound,
                      .message = "no agent named 'x' in the swarm",
                      .suggestion = "Call one of: writer."};
  fails(unknown);
  for (const char* name : {"request", "send"})
    EXPECT_EQ(call(name, {{"target", "x"}, {"input", "x"}}).error, unknown);
  EXPECT_EQ(call("spawn", {{"target", "x"}}).error, unknown);
}

TEST_F(Agents, SayThatNoRuntimeIsThere) {
  runtime_ = nullptr;
  const ToolCallResult result = call("request", {{"target", "w"}, {"input", "x"}});
  EXPECT_EQ(result.error->code, ErrorCode::RuntimeUnavailable);
  EXPECT_EQ(result.error->message,
            "Agent runtime interface is not available in ToolContext.runtime");
}

TEST_F(Agents, TakeARuntimeThatAnswersAnything) {
  for (const Json& answer : {Json(nullptr), Json("x"), Json(JsonArray{1})}) {
    answers(answer);
    EXPECT_EQ(call("list", {}).error->code, ErrorCode::ToolBadReply);
  }
  answers({{"agents", {1, nullptr, JsonArray{}}}, {"availableAgents", 3}, {"target", 7}});
  EXPECT_EQ(call("list", {}).output->at("count"), Json(3));
  EXPECT_EQ(call("catalog", {}).output->at("availableCount"), Json(0));
  EXPECT_EQ(call("spawn", {{"target", "w"}}).output->at("target"), Json("w"));
}

// REQ: BLT-2
TEST_F(Agents, CutErrorMessagesWhereTheSpecificationSays) {
  EXPECT_EQ(registry_.find("agents__request")->error_message_limit, 1500U);
}

// The runtime that the kept cases describe.
Result<Json> pong(const JsonObject& params) {
  JsonObject answer{{"eventId", "agent_event_1"}, {"correlationId", "corr_1"}};
  for (const std::string_view key : {"target", "instanceKey"}) {
    if (const Json* value = params.if_contains(key)) answer[key] = *value;
  }
  const Json* input = params.if_contains("input");
  const Json* async = params.if_contains("async");
  if (input != nullptr && async != nullptr && !async->as_bool()) {
    answer["response"] = "pong:" + std::string(input->as_string());
  }
  return answer;
}

TEST_F(Agents, PassTheKeptCases) {
  std::size_t count = 0;
  for (const Json& vector : goondan::testing::load_vectors("builtin.jsonl")) {
    const std::string tool(vector.at("tool").as_string());
    if (!tool.starts_with("agents__")) continue;
    ++count;
    const bool fake = vector.at("setup").at("runtime").is_string();
    runtime_ = fake ? std::make_shared<FakeRuntime>() : nullptr;
    if (fake) runtime_->answer = pong;
    const ToolCallResult result =
        call(tool.substr(std::string("agents__").size()), vector.at("input").as_object());
    EXPECT_EQ(goondan::testing::unexpected(vector.at("expect"), result.to_json()), "")
        << to_text(vector);
  }
  EXPECT_EQ(count, 6U);
}

}  // namespace
}  // namespace goondan::builtin::agents
