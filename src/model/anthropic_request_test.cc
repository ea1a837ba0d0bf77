#include "model/anthropic_request.h"

#include <gtest/gtest.h>

#include "model/http_fixture.h"

namespace goondan {
namespace {

std::string body(const Asked& asked, const JsonObject& fields = {}) {
  const WireNames names(asked.tools, asked.messages);
  return anthropic_body({.model = "claude-x", .fields = fields},
                        {.system = asked.system,
                         .messages = asked.messages,
                         .tools = asked.tools,
                         .params = asked.params,
                         .deadline = Clock::now()},
                        names)
      .value();
}

TEST(AnthropicRequest, OfASimpleQuestion) {
  EXPECT_EQ(body({.system = "Be brief.", .messages = {Message::user("안녕?")}, .tools = {}}),
            R"({"model":"claude-x","max_tokens":4096,)"
            R"("system":[{"type":"text","text":"Be brief."}],)"
            R"("messages":[{"role":"user","content":[{"type":"text","text":"안녕?"}]}],)"
            R"("stream":true})");
}

TEST(AnthropicRequest, OffersToolsAndTakesParameters) {
  const ToolCatalog tools =
      ToolCatalog()
          .with({.name = "fs__read",
                 .description = "Reads.",
                 .parameters = json(R"({"properties":{"path":{"type":"string"}}})")})
          .value();
  EXPECT_EQ(body({.tools = tools,
                  .params = json(R"({"maxTokens":10,"topK":3,"stopSequences":["x"]})").as_object()},
                 json(R"({"thinking":{"type":"enabled","budget_tokens":5}})").as_object()),
            R"({"model":"claude-x","max_tokens":10,)"
            R"("messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],)"
            R"("tools":[{"name":"fs__read","description":"Reads.","input_schema":)"
            R"({"properties":{"path":{"type":"string"}},"type":"object"}}],"stream":true,)"
            R"("thinking":{"type":"enabled","budget_tokens":5},"top_k":3,)"
            R"("stop_sequences":["x"]})");
}

// REQ: DEC-8
TEST(AnthropicRequest, HasAllResultsInTheOneMessageAfterTheCalls) {
  const std::vector<ToolCall> calls{
      {.id = "toolu_1", .name = "fs__read", .input = json(R"({"path":"가"})")},
      {.id = "odd:id", .name = "fs__write"}};
  const ModelReply reply{
      .text = "ok",
      .calls = calls,
      .opaque =
          json(R"([{"block":{"type":"thinking","thinking":"hm","signature":"s=="}}])").as_array()};
  const Asked asked{
      .messages = {Message::user("a"), reply.to_message("anthropic", "s"),
                   Message::tool_result(ToolCallResult::success(calls[0], "")),
                   Message::user("wait"),
                   Message::tool_result(ToolCallResult::failure(calls[1], tool_error("no")))},
      .tools = {}};
  const std::string odd = wire_form("odd:id", kMaxWireId);
  EXPECT_EQ(body(asked),
            R"({"model":"claude-x","max_tokens":4096,"messages":[)"
            R"({"role":"user","content":[{"type":"text","text":"a"}]},)"
            R"({"role":"assistant","content":[)"
            R"({"type":"thinking","thinking":"hm","signature":"s=="},{"type":"text","text":"ok"},)"
            R"({"type":"tool_use","id":"toolu_1","name":"fs__read","input":{"path":"가"}},)"
            R"({"type":"tool_use","id":")" +
                odd +
                R"(","name":"fs__write","input":{}}]},)"
                R"({"role":"user","content":[)"
                R"_({"type":"tool_result","tool_use_id":"toolu_1","content":"(no output)"},)_"
                R"({"type":"tool_result","tool_use_id":")" +
                odd +
                R"(","content":"ERROR: no\nCODE: E_TOOL","is_error":true},)"
                R"({"type":"text","text":"wait"}]}],"stream":true})");
}

TEST(AnthropicRequest, AnswersCallsThatNobodyAnswered) {
  const ToolCall call{.id = "c", .name = "t"};
  const Asked asked{
      .messages = {Message::user("a"), ModelReply{.calls = {call}}.to_message("anthropic", "s"),
                   ModelReply{.text = "b"}.to_message("anthropic", "s")},
      .tools = {}};
  EXPECT_EQ(body(asked),
            R"({"model":"claude-x","max_tokens":4096,"messages":[)"
            R"({"role":"user","content":[{"type":"text","text":"a"}]},)"
            R"({"role":"assistant","content":[)"
            R"({"type":"tool_use","id":"c","name":"t","input":{}}]},)"
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":)"
            R"("ERROR: the call was interrupted; whether it took effect is not known.",)"
            R"("is_error":true}]},)"
            R"({"role":"assistant","content":[{"type":"text","text":"b"}]},)"
            R"({"role":"user","content":[{"type":"text","text":"Go on."}]}],"stream":true})");
}

}  // namespace
}  // namespace goondan
