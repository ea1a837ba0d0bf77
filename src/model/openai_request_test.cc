#include "model/openai_request.h"

#include <gtest/gtest.h>

#include "model/http_fixture.h"

namespace goondan {
namespace {

std::string body(const Asked& asked, const OpenAiSettings& settings = {.model = "gpt-x"}) {
  const WireNames names(asked.tools, asked.messages);
  return openai_body(settings,
                     {.system = asked.system,
                      .messages = asked.messages,
                      .tools = asked.tools,
                      .params = asked.params,
                      .deadline = Clock::now()},
                     names)
      .value();
}

TEST(OpenAiRequest, OfASimpleQuestion) {
  EXPECT_EQ(body({.system = "Be brief.", .messages = {Message::user("안녕?")}, .tools = {}}),
            R"({"model":"gpt-x","messages":[{"role":"system","content":"Be brief."},)"
            R"({"role":"user","content":"안녕?"}],)"
            R"("stream":true,"stream_options":{"include_usage":true}})");
}

TEST(OpenAiRequest, OffersToolsUnderNamesThatAreAccepted) {
  const ToolCatalog tools =
      ToolCatalog()
          .with({.name = "fs__read",
                 .description = "Reads a file.",
                 .parameters = json(R"({"type":"object","properties":{"path":{"type":"string"}},)"
                                    R"("required":["path"]})")})
          .value()
          .with({.name = "slack.post"})
          .value();
  EXPECT_EQ(body({.tools = tools}),
            R"({"model":"gpt-x","messages":[{"role":"user","content":"hi"}],"tools":[)"
            R"({"type":"function","function":{"name":"fs__read","description":"Reads a file.",)"
            R"("parameters":{"type":"object","properties":{"path":{"type":"string"}},)"
            R"("required":["path"]},"strict":false}},)"
            R"({"type":"function","function":{"name":"slack_post",)"
            R"("parameters":{"type":"object","properties":{}},"strict":false}}],)"
            R"("parallel_tool_calls":true,)"
            R"("stream":true,"stream_options":{"include_usage":true}})");
}

// REQ: NAME-3, DEC-8, DEC-11
TEST(OpenAiRequest, HasTheResultOfEachCallRightAfterIt) {
  const std::vector<ToolCall> calls{
      {.id = "call_1", .name = "slack.post", .input = json(R"({"text":"가나"})")},
      call_from_text("call_2", "fs__read", "{\"path\":")};
  const Asked asked{
      .messages = {Message::user("post"),
                   ModelReply{.text = "I will.", .calls = calls}.to_message("openai", "s1"),
                   Message::tool_result(ToolCallResult::success(calls[0], json(R"({"ok":true})"))),
                   Message::tool_result(ToolCallResult::failure(
                       calls[1], {.code = ErrorCode::ToolInvalidArgs, .message = "args: cut"}))},
      .tools = {}};
  EXPECT_EQ(body(asked),
            R"({"model":"gpt-x","messages":[{"role":"user","content":"post"},)"
            R"({"role":"assistant","content":"I will.","tool_calls":[)"
            R"({"id":"call_1","type":"function","function":{"name":"slack_post_)" +
                wire_form("slack.post", 64).substr(11) +
                R"(","arguments":"{\"text\":\"가나\"}"}},)"
                R"({"id":"call_2","type":"function","function":{"name":"fs__read",)"
                R"("arguments":"{\"_not_an_object\":\"{\\\"path\\\":\"}"}}]},)"
                R"({"role":"tool","tool_call_id":"call_1","content":"{\"ok\":true}"},)"
                R"({"role":"tool","tool_call_id":"call_2","content":)"
                R"("ERROR: args: cut\nCODE: E_TOOL_INVALID_ARGS\n)"
                R"(Fix the arguments to match the tool's parameters and call it again."}],)"
                R"("stream":true,"stream_options":{"include_usage":true}})");
}

TEST(OpenAiRequest, HasCallsWithoutText) {
  const ToolCall call{.id = "c", .name = "t"};
  const Asked asked{
      .messages = {Message::user("a"), ModelReply{.calls = {call}}.to_message("openai", "s"),
                   Message::tool_result(ToolCallResult::success(call, "done"))},
      .tools = {}};
  EXPECT_EQ(body(asked),
            R"({"model":"gpt-x","messages":[{"role":"user","content":"a"},)"
            R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",)"
            R"("function":{"name":"t","arguments":"{}"}}]},)"
            R"({"role":"tool","tool_call_id":"c","content":"done"}],)"
            R"("stream":true,"stream_options":{"include_usage":true}})");
}

TEST(OpenAiRequest, HasParametersUnderTheServersNames) {
  const Asked asked{.tools = {},
                    .params = json(R"({"temperature":0.5,"maxTokens":100,"topP":0.9,"seed":7,
                                       "stream_options":null})")
                                  .as_object()};
  EXPECT_EQ(body(asked, {.model = "m",
                         .max_tokens_field = "max_completion_tokens",
                         .fields = json(R"({"seed":1,"user":"u"})").as_object()}),
            R"({"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,)"
            R"("seed":7,"user":"u","temperature":0.5,"max_completion_tokens":100,"top_p":0.9})");
}

TEST(OpenAiRequest, RefusesParametersThatAreNone) {
  const Asked asked{.params = json(R"({"messages":[]})").as_object()};
  const WireNames names(asked.tools, asked.messages);
  const Result<std::string> refused = openai_body({.model = "m"},
                                                  {.system = "",
                                                   .messages = asked.messages,
                                                   .tools = asked.tools,
                                                   .params = asked.params,
                                                   .deadline = Clock::now()},
                                                  names);
  EXPECT_EQ(refused.error().code, ErrorCode::ModelConfig);
  EXPECT_EQ(refused.error().message,
            "`modelConfig.params` of the agent sets `messages`, which is not a parameter");
}

TEST(OpenAiRequest, SendsReasoningAndSignaturesBack) {
  const ToolCall call{.id = "c", .name = "t"};
  const ModelReply reply{.calls = {call},
                         .opaque = json(R"([
      {"block":{"reasoning_content":"hm"}},
      {"block":{"type":"call-extra","toolCallId":"c","extra_content":{"sig":"x"}}}])")
                                       .as_array()};
  const Asked asked{.messages = {Message::user("a"), reply.to_message("openai", "s"),
                                 Message::tool_result(ToolCallResult::success(call, "r"))},
                    .tools = {}};
  EXPECT_EQ(body(asked, {.model = "m", .reasoning = ModelOptions::Reasoning::SendBack}),
            R"({"model":"m","messages":[{"role":"user","content":"a"},)"
            R"({"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[)"
            R"({"id":"c","type":"function","function":{"name":"t","arguments":"{}"},)"
            R"("extra_content":{"sig":"x"}}]},)"
            R"({"role":"tool","tool_call_id":"c","content":"r"}],)"
            R"("stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(body(asked).find("reasoning_content"), std::string::npos);
}

}  // namespace
}  // namespace goondan
