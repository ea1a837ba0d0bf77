#include "model/message.h"

#include <gtest/gtest.h>

#include "model/model.h"

namespace goondan {
namespace {

Json json(std::string_view text) {
  return parse_json(text).value();
}

Message tool_message(const ToolCallResult& result) {
  return Message::tool_result(result);
}

const ToolCall kCall{.id = "c1", .name = "fs__read"};

TEST(Message, OfAUserHasAnIdATimeAndItsText) {
  const Message message = Message::user("안녕", {{"k", 1}});
  EXPECT_TRUE(message.id.starts_with("msg_"));
  EXPECT_FALSE(message.created_at.empty());
  EXPECT_EQ(message.data, json(R"({"role":"user","content":"안녕"})"));
  EXPECT_EQ(message.source, json(R"({"type":"user"})"));
  EXPECT_EQ(message.role(), Role::User);
  EXPECT_EQ(message.text(), "안녕");
  EXPECT_TRUE(message.tool_calls().empty());
}

TEST(Message, ComesBackFromItsJson) {
  const ModelReply reply{.text = "hi", .calls = {kCall}};
  for (const Message& message :
       {Message::user("x", {{"a", "b"}}), tool_message(ToolCallResult::success(kCall, 1)),
        reply.to_message("openai", "turn-step-1")}) {
    EXPECT_EQ(Message::from_json(message.to_json()).value(), message);
  }
}

TEST(Message, IsRefusedWithTheFieldThatIsWrong) {
  const auto problem = [](std::string_view text) {
    return Message::from_json(json(text)).error().message;
  };
  EXPECT_EQ(problem("[]"), "not a message: it is no object");
  EXPECT_EQ(problem("{}"), "not a message: id is missing");
  EXPECT_EQ(problem(R"({"id":"a"})"), "not a message: data is missing");
  EXPECT_EQ(problem(R"({"id":"a","data":{"role":"boss"}})"), "not a message: data.role is 'boss'");
  EXPECT_EQ(problem(R"({"id":"a","data":{"role":"user"}})"),
            "not a message: data.content is missing");
  EXPECT_EQ(problem(R"({"id":"a","data":{"role":"user","content":7}})"),
            "not a message: data.content is neither text nor a list");
  EXPECT_EQ(problem(R"({"id":"a","data":{"role":"assistant","content":[{}]}})"),
            "not a message: a part of data.content has no type");
  EXPECT_EQ(problem(R"({"id":"a","data":{"role":"tool"}})"),
            "not a message: data.toolCallId is missing");
}

TEST(Message, KeepsTheOrderInWhichThePartsOfAReplyCame) {
  const ModelReply reply{
      .text = "firstsecond",
      .calls = {kCall},
      .opaque = json(R"([{"block":{"n":1}},{"block":{"n":2},"textBefore":5,"callsBefore":0}])")
                    .as_array()};
  const Message message = reply.to_message("anthropic", "s1");
  EXPECT_EQ(message.data, json(R"({"role":"assistant","content":[
    {"type":"opaque","provider":"anthropic","block":{"n":1}},
    {"type":"text","text":"first"},
    {"type":"opaque","provider":"anthropic","block":{"n":2}},
    {"type":"text","text":"second"},
    {"type":"tool-call","toolCallId":"c1","toolName":"fs__read","input":{}}]})"));
  EXPECT_EQ(message.source, json(R"({"type":"assistant","stepId":"s1"})"));
  EXPECT_EQ(message.text(), "firstsecond");
}

TEST(Message, OfAnEmptyReplyHasNoParts) {
  EXPECT_EQ(ModelReply{}.to_message("openai", "s").data,
            json(R"({"role":"assistant","content":[]})"));
}

// REQ: DEC-11
TEST(Message, KeepsArgumentsThatAreNoObjectAsTheyWereSent) {
  const ModelReply reply{
      .calls = {call_from_text("1", "a", "{\"x\":"), call_from_text("2", "b", "[1]"),
                call_from_text("3", "c", "\"t\""), call_from_text("4", "d", "{\"ok\":true}")}};
  const Message message = reply.to_message("openai", "s");
  const std::vector<ToolCall> calls = message.tool_calls();
  ASSERT_EQ(calls.size(), 4U);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].id, reply.calls[i].id);
    EXPECT_EQ(calls[i].name, reply.calls[i].name);
    EXPECT_EQ(calls[i].input, reply.calls[i].input);
    EXPECT_EQ(calls[i].input_problem, reply.calls[i].input_problem);
  }
  EXPECT_EQ(calls[0].input, Json("{\"x\":"));
  EXPECT_FALSE(calls[0].input_problem.empty());
  EXPECT_EQ(message.data.at("content").at(1).at("inputText"), Json("[1]"));
  EXPECT_EQ(message.data.at("content").at(2).at("inputText"), Json("\"t\""));
  EXPECT_EQ(calls[3].input, json(R"({"ok":true})"));
}

TEST(Message, WithTheDeepestArgumentsCanBeReadBack) {
  const auto nested = [](std::size_t levels) {
    return call_from_text("1", "a", std::string(levels, '[') + std::string(levels, ']'));
  };
  EXPECT_TRUE(nested(kMaxArgumentDepth).input_problem.empty());
  EXPECT_FALSE(nested(kMaxArgumentDepth + 1).input_problem.empty());
  const ToolCall deep{
      .id = "1", .name = "a", .input = JsonObject{{"a", nested(kMaxArgumentDepth - 1).input}}};
  const Message message = ModelReply{.calls = {deep}}.to_message("openai", "s");
  EXPECT_EQ(Message::from_json(json(to_text(message.to_json()))).value(), message);
}

TEST(ToolMessage, ShowsTextAsItIsAndOtherOutputAsJson) {
  const auto text = [](Json output) {
    return tool_message_text(tool_message(ToolCallResult::success(kCall, std::move(output))));
  };
  EXPECT_EQ(text("plain \"text\""), "plain \"text\"");
  EXPECT_EQ(text(json(R"({"a": [1, 1.5]})")), R"({"a":[1,1.5]})");
  EXPECT_EQ(text(nullptr), "null");
}

TEST(ToolMessage, ShowsAnErrorInLinesAndTellsToFixArguments) {
  const Error error{.code = ErrorCode::ToolInvalidArgs,
                    .message = "path is missing",
                    .suggestion = "Give a path.",
                    .help_url = "https://example.com"};
  const Message message = tool_message(ToolCallResult::failure(kCall, error));
  EXPECT_TRUE(tool_message_is_error(message));
  EXPECT_EQ(tool_message_text(message),
            "ERROR: path is missing\nCODE: E_TOOL_INVALID_ARGS\nSUGGESTION: Give a path.\n"
            "HELP: https://example.com\n"
            "Fix the arguments to match the tool's parameters and call it again.");
  EXPECT_EQ(tool_message_text(tool_message(ToolCallResult::failure(kCall, tool_error("no")))),
            "ERROR: no\nCODE: E_TOOL");
}

TEST(ToolMessage, TellsTheHandleOfWorkThatGoesOn) {
  const Message message = tool_message(ToolCallResult::pending(kCall, "h_1", Json("started")));
  EXPECT_FALSE(tool_message_is_error(message));
  EXPECT_NE(tool_message_text(message).find("under the handle 'h_1'"), std::string::npos);
  EXPECT_TRUE(tool_message_text(message).ends_with("\nstarted"));
}

TEST(ToolMessage, DoesNotTakeAnOutputForAnErrorBecauseItLooksLikeOne) {
  const Json output = json(R"({"status":"error","error":{"message":"of a remote system"}})");
  Message message = tool_message(ToolCallResult::success(kCall, output));
  EXPECT_FALSE(tool_message_is_error(message));
  EXPECT_EQ(tool_message_text(message), to_text(output));
  message.data.as_object().erase("status");
  EXPECT_TRUE(tool_message_is_error(message));
}

TEST(Usage, AddsUpAndLeavesOutZeros) {
  Usage usage{.input = 3, .output = 4};
  EXPECT_EQ(to_text(usage.to_json()), R"({"inputTokens":3,"outputTokens":4})");
  usage += {.input = 1, .output = 1, .cache_read = 2, .cache_write = 5, .reasoning = 7};
  EXPECT_EQ(to_text(usage.to_json()),
            R"({"inputTokens":4,"outputTokens":5,"cacheReadTokens":2,"cacheWriteTokens":5,)"
            R"("reasoningTokens":7})");
}

}  // namespace
}  // namespace goondan
