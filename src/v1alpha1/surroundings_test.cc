#include "v1alpha1/surroundings.h"

#include <gtest/gtest.h>

#include "base/json_fields.h"

namespace goondan::v1alpha1 {
namespace {

Message answer_in(std::string_view step, std::string_view text,
                  const std::vector<ToolCall>& calls = {}) {
  JsonArray parts;
  if (!text.empty()) parts.push_back(text_part(text));
  for (const ToolCall& call : calls)
    parts.push_back(tool_call_part(call));
  Message message = Message::user("");
  message.data = {{"role", "assistant"}, {"content", std::move(parts)}};
  message.source = {{"type", "assistant"}, {"stepId", step}};
  return message;
}

const ToolCall kAdd{.id = "c1", .name = "calc.add", .input = {{"a", 1}}};

// REQ: CTX-3
TEST(LlmMessages, AreThoseOfTheFirstDialect) {
  EXPECT_EQ(to_text(llm_message(Message::user("hi"))), R"({"role":"user","content":"hi"})");
  EXPECT_EQ(
      to_text(llm_message(answer_in("t-step-1", "", {kAdd}))),
      R"({"role":"assistant","toolCalls":[{"id":"c1","name":"calc.add","arguments":{"a":1}}]})");
  EXPECT_EQ(to_text(llm_message(answer_in("t-step-1", "done"))),
            R"({"role":"assistant","content":"done"})");
  EXPECT_EQ(to_text(llm_message(Message::tool_result(ToolCallResult::success(kAdd, 3)))),
            R"({"role":"tool","toolCallId":"c1","toolName":"calc.add","output":3})");
}

TEST(LlmMessages, NeverHaveArgumentsThatAreNoObject) {
  const ToolCall unread = call_from_text("c2", "calc.add", "[1");
  EXPECT_EQ(to_text(llm_message(answer_in("t-step-1", "", {unread}))),
            R"({"role":"assistant","toolCalls":[{"id":"c2","name":"calc.add","arguments":{}}]})");
}

TEST(MessagesOfATurn, BeginWithWhatWasSaidBeforeItsFirstAnswer) {
  const std::vector<Message> all{Message::user("one"),
                                 answer_in("t1-step-1", "first"),
                                 Message::user("two"),
                                 Message::user("two, really"),
                                 answer_in("t2-step-1", "", {kAdd}),
                                 Message::tool_result(ToolCallResult::success(kAdd, 3))};
  EXPECT_EQ(messages_of_turn(all, "t2").size(), 4U);
  EXPECT_EQ(messages_of_turn(all, "t2").front().text(), "two");
  EXPECT_EQ(messages_of_turn(all, "t1").size(), 6U);
  // Before the model was asked for the first time.
  const std::span<const Message> asked = std::span(all).first(4);
  EXPECT_EQ(messages_of_turn(asked, "t2").size(), 2U);
  EXPECT_TRUE(messages_of_turn({}, "t2").empty());
}

class Surroundings : public testing::Test {
 protected:
  Json make() const {
    return make_surroundings({.agent_name = "helper",
                              .instance_id = "helper@k",
                              .turn_id = "t1",
                              .origin = origin,
                              .auth = auth,
                              .metadata = metadata,
                              .messages = messages,
                              .step_id = "t1-step-2",
                              .step_index = 2,
                              .answer = answer ? &*answer : nullptr,
                              .calls = calls,
                              .catalog = catalog});
  }

  Json origin = nullptr;
  Json auth = nullptr;
  JsonObject metadata = {{"m", 1}};
  std::vector<Message> messages;
  std::optional<Message> answer;
  std::vector<ToolCall> calls;
  ToolCatalog catalog;
};

// REQ: CTX-3
TEST_F(Surroundings, HaveTheTurnWithItsResultsByCall) {
  const ToolCall pending{.id = "c2", .name = "build.start"};
  const ToolCall wrong{.id = "c3", .name = "calc.add"};
  messages = {Message::tool_result(ToolCallResult::success(kAdd, JsonObject{{"status", "error"}})),
              Message::tool_result(ToolCallResult::pending(pending, "h1", Json("soon"))),
              Message::tool_result(ToolCallResult::failure(wrong, Error{.message = "no"}))};
  origin = JsonObject{{"channel", "C1"}};
  auth = JsonObject{{"subjects", JsonObject{{"global", "team:T1"}}}};
  const Json made = make();
  const Json& turn = made.at("turn");
  EXPECT_EQ(turn.at("id"), "t1");
  EXPECT_EQ(turn.at("instanceId"), "helper@k");
  EXPECT_EQ(turn.at("agentName"), "helper");
  EXPECT_EQ(turn.at("messages").as_array().size(), 3U);
  EXPECT_EQ(turn.at("origin"), origin);
  EXPECT_EQ(turn.at("auth"), auth);
  EXPECT_EQ(turn.at("metadata"), Json(metadata));
  // What a tool gave back may look like an error and be none.
  EXPECT_EQ(to_text(turn.at("toolResults").at("c1")),
            R"({"status":"ok","output":{"status":"error"}})");
  EXPECT_EQ(to_text(turn.at("toolResults").at("c2")),
            R"({"status":"pending","handle":"h1","output":"soon"})");
  EXPECT_EQ(turn.at("toolResults").at("c3").at("status"), "error");
  EXPECT_EQ(turn.at("toolResults").at("c3").at("error").at("message"), "no");
}

TEST_F(Surroundings, LeaveOutWhatIsNotKnown) {
  const Json made = make();
  EXPECT_FALSE(made.at("turn").as_object().contains("origin"));
  EXPECT_FALSE(made.at("turn").as_object().contains("auth"));
  EXPECT_EQ(to_text(made.at("step")),
            R"({"id":"t1-step-2","index":2,"turnId":"t1","pendingToolCalls":[]})");
}

// REQ: CTX-3
TEST_F(Surroundings, HaveTheStepWithWhatTheModelSaid) {
  answer = answer_in("t1-step-2", "Adding.", {kAdd});
  calls = {kAdd};
  const Json step = make().at("step");
  EXPECT_EQ(to_text(step.at("pendingToolCalls")),
            R"([{"id":"c1","name":"calc.add","arguments":{"a":1}}])");
  EXPECT_EQ(step.at("llmResult").at("message").at("content"), "Adding.");
  EXPECT_EQ(step.at("llmResult").at("toolCalls"), step.at("pendingToolCalls"));
}

// REQ: CAT-5
TEST_F(Surroundings, HaveACatalogWhoseItemsSayWhereTheyAreFrom) {
  const Json tool = JsonObject{{"kind", "Tool"}};
  const Json exported = JsonObject{{"name", "calc.add"}};
  catalog = catalog
                .with({.name = "calc.add",
                       .source = {.name = "calc"},
                       .tool = tool,
                       .export_spec = exported})
                .value();
  catalog = catalog.with({.name = "sky__look", .source = {.name = "sky"}}).value();
  const Json items = make().at("toolCatalog");
  EXPECT_EQ(items.at(0).at("tool"), tool);
  EXPECT_EQ(items.at(0).at("export"), exported);
  EXPECT_EQ(items.at(1).at("tool"), nullptr);
  EXPECT_EQ(items.at(1).at("export"), nullptr);
  EXPECT_EQ(items.at(1).at("source").at("name"), "sky");
}

}  // namespace
}  // namespace goondan::v1alpha1
