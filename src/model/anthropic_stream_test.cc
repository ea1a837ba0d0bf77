#include "model/anthropic_stream.h"

#include <gtest/gtest.h>

#include "model/stream_fixture.h"

namespace goondan {
namespace {

Result<ModelReply> read(const std::string& body) {
  return read_answer("anthropic", body);
}

const std::string kStart =
    R"({"type":"message_start","message":{"id":"msg_1","role":"assistant","model":"claude-x-1",)"
    R"("content":[],"stop_reason":null,"usage":{"input_tokens":10,)"
    R"("cache_creation_input_tokens":3,"cache_read_input_tokens":4,"output_tokens":1}}})";
const std::string kPing = R"({"type":"ping"})";
const std::string kStop = R"({"type":"message_stop"})";

std::string block(int index, std::string_view content) {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) +
         R"(,"content_block":)" + std::string(content) + "}";
}

std::string delta(int index, std::string_view delta) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" +
         std::string(delta) + "}";
}

std::string text(int index, std::string_view text) {
  return delta(index, R"({"type":"text_delta","text":")" + std::string(text) + R"("})");
}

std::string input(int index, std::string_view escaped) {
  return delta(index,
               R"({"type":"input_json_delta","partial_json":")" + std::string(escaped) + R"("})");
}

std::string end(int index) {
  return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}

std::string finish(std::string_view reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + std::string(reason) +
         R"("},"usage":{"output_tokens":21}})";
}

const std::string kText = R"({"type":"text","text":""})";

std::string tool(std::string_view id, std::string_view name) {
  return R"({"type":"tool_use","id":")" + std::string(id) + R"(","name":")" + std::string(name) +
         R"(","input":{}})";
}

std::string calls(const Result<ModelReply>& reply) {
  if (!reply.ok()) return reply.error().message;
  JsonArray list;
  for (const ToolCall& call : reply->calls) {
    list.push_back(JsonArray{call.id, call.name, call.input});
  }
  return to_text(list);
}

TEST(AnthropicStream, OfTheTextbook) {
  const auto reply =
      read(events({kStart, kPing, block(0, kText), text(0, "안"), kPing, text(0, "녕"), end(0),
                   block(1, tool("toolu_1", "fs__read")), input(1, ""), input(1, R"({\"path\":)"),
                   input(1, R"(\"a\"})"), end(1), finish("tool_use"), kStop}));
  EXPECT_EQ(summary(reply),
            R"({"text":"안녕","calls":[["toolu_1","fs__read",{"path":"a"},""]],"opaque":[],)"
            R"("finish":1,"usage":{"inputTokens":17,"outputTokens":21,"cacheReadTokens":4,)"
            R"("cacheWriteTokens":3},"model":"claude-x-1"})");
}

TEST(AnthropicStream, MayHaveAnyLineEndsCommentsAndUnknownEvents) {
  const std::string plain =
      events({kStart, block(0, kText), text(0, "x"), end(0), finish("end_turn"), kStop});
  std::string dos;
  std::string mac;
  for (const char c : plain) {
    dos += c == '\n' ? "\r\n" : std::string(1, c);
    mac += c == '\n' ? '\r' : c;
  }
  const std::string expected = summary(read(plain));
  EXPECT_EQ(summary(read(dos)), expected);
  EXPECT_EQ(summary(read(mac)), expected);
  EXPECT_EQ(
      summary(read(": hello\n\nevent: new_thing\ndata: {\"type\":\"new_thing\"}\n\n" + plain)),
      expected);
  EXPECT_EQ(summary(read("event: message_start\ndata: {\ndata: }\n\n" + plain)), expected);
}

TEST(AnthropicStream, PassesOverBlocksAndDeltasThatAreNotKnown) {
  EXPECT_EQ(summary(read(
                events({kStart, block(0, R"({"type":"novelty","text":"no"})"),
                        delta(0, R"({"type":"novelty_delta","text":"no"})"), end(0), text(7, "yes"),
                        input(9, "{"), delta(7, R"({"type":"citations_delta","citation":{}})"),
                        finish("end_turn"), kStop}))),
            R"({"text":"yes","calls":[],"opaque":[],"finish":0,"usage":{"inputTokens":17,)"
            R"("outputTokens":21,"cacheReadTokens":4,"cacheWriteTokens":3},"model":"claude-x-1"})");
}

TEST(AnthropicStream, MayInterleaveCallsAndHaveTextAfterThem) {
  const auto reply = read(events(
      {kStart, block(0, tool("a", "fs__read")), block(1, tool("b", "fs__write")),
       input(1, R"({\"p\":2)"), input(0, R"({\"p\":1)"), input(1, "}"), input(0, "}"), end(1),
       end(0), block(2, kText), text(2, "after"), end(2), finish("tool_use"), kStop}));
  EXPECT_EQ(calls(reply), R"([["a","fs__read",{"p":1}],["b","fs__write",{"p":2}]])");
  EXPECT_EQ(reply.value().text, "after");
}

TEST(AnthropicStream, MayHaveCallsWithoutArgumentsOrWithWholeOnesOrWithTheSameId) {
  EXPECT_EQ(calls(read(events(
                {kStart, block(0, tool("a", "fs__read")), end(0), block(1, tool("a", "slack_post")),
                 block(2, R"({"type":"tool_use","id":"","name":"fs__read","input":{"path":"x"}})"),
                 finish("tool_use"), kStop}))),
            R"([["a","fs__read",{}],["a","slack.post",{}],["made-up","fs__read",{"path":"x"}]])");
}

// REQ: DEC-11
TEST(AnthropicStream, KeepsACallWhoseArgumentsAreCut) {
  const auto reply = read(events({kStart, block(0, tool("a", "fs__write")),
                                  input(0, R"({\"t\":\"x)"), end(0), finish("max_tokens"), kStop}));
  EXPECT_EQ(reply.value().finish, FinishReason::Length);
  EXPECT_EQ(calls(reply), R"([["a","fs__write","{\"t\":\"x"]])");
  EXPECT_FALSE(reply->calls[0].input_problem.empty());
}

TEST(AnthropicStream, KeepsThoughtsWithTheirSignaturesInTheirPlace) {
  const auto reply = read(
      events({kStart, block(0, R"({"type":"thinking","thinking":"","signature":""})"),
              delta(0, R"({"type":"thinking_delta","thinking":"h"})"),
              delta(0, R"({"type":"thinking_delta","thinking":"m"})"),
              delta(0, R"({"type":"signature_delta","signature":"c2ln"})"), end(0), block(1, kText),
              text(1, "가"), end(1), block(2, R"({"type":"redacted_thinking","data":"xyz"})"),
              end(2), block(3, R"({"type":"thinking","thinking":"unsigned"})"), end(3),
              block(4, tool("a", "fs__read")), end(4), finish("tool_use"), kStop}));
  EXPECT_EQ(
      to_text(reply.value().opaque),
      R"([{"block":{"type":"thinking","thinking":"hm","signature":"c2ln"},)"
      R"("textBefore":0,"callsBefore":0},)"
      R"({"block":{"type":"redacted_thinking","data":"xyz"},"textBefore":3,"callsBefore":0}])");
}

TEST(AnthropicStream, CanHaveAMegabyteOfArguments) {
  const std::string long_text(std::size_t{1} << 20, 'x');
  const auto reply = read(
      events({kStart, block(0, tool("a", "fs__write")),
              input(0, R"({\"t\":\")" + long_text + R"(\"})"), end(0), finish("tool_use"), kStop}));
  EXPECT_EQ(reply.value().calls.at(0).input.at("t").as_string().size(), long_text.size());
}

TEST(AnthropicStream, IsRefusedIfItSaysTooMuch) {
  const std::string part = input(0, std::string(kMaxArguments / 2 + 1, 'x'));
  Heard heard;
  EXPECT_EQ(
      read_in_pieces("anthropic", events({block(0, tool("a", "b")), part, part}), 1 << 16, heard)
          .error()
          .code,
      ErrorCode::Limit);
  std::vector<std::string> many;
  for (int i = 0; i <= static_cast<int>(kMaxCalls); ++i) {
    many.push_back(block(i, kText));
  }
  EXPECT_EQ(read_in_pieces("anthropic", events(many), 1 << 16, heard).error().code,
            ErrorCode::Limit);
}

TEST(AnthropicStream, TellsWhyItEnded) {
  const auto reason = [](const std::string& why) {
    return read(events({kStart, block(0, kText), text(0, "x"), finish(why), kStop})).value().finish;
  };
  EXPECT_EQ(reason("end_turn"), FinishReason::Stop);
  EXPECT_EQ(reason("stop_sequence"), FinishReason::Stop);
  EXPECT_EQ(reason("max_tokens"), FinishReason::Length);
  EXPECT_EQ(reason("model_context_window_exceeded"), FinishReason::Length);
  EXPECT_EQ(reason("refusal"), FinishReason::Refusal);
  EXPECT_EQ(reason("pause_turn"), FinishReason::Other);
  EXPECT_EQ(reason("tool_use"), FinishReason::Other);
}

TEST(AnthropicStream, MayBeOneDocument) {
  EXPECT_EQ(summary(read(R"({"type":"message","role":"assistant","model":"m","content":[
      {"type":"text","text":"hi"},{"type":"tool_use","id":"a","name":"fs__read","input":{"p":1}}],
      "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}})")),
            R"({"text":"hi","calls":[["a","fs__read",{"p":1},""]],"opaque":[],"finish":1,)"
            R"("usage":{"inputTokens":1,"outputTokens":2},"model":"m"})");
}

TEST(AnthropicStream, IsNoAnswerIfItIsCutOrGarbage) {
  const auto code = [](const std::string& body) { return read(body).error().code; };
  EXPECT_EQ(code(events({kStart, block(0, tool("a", "b")), input(0, R"({\"p)")})),
            ErrorCode::ModelReply);
  EXPECT_EQ(code(events({kStart})), ErrorCode::ModelReply);
  EXPECT_EQ(code(events({kStop})), ErrorCode::ModelReply);
  EXPECT_EQ(code("event: message_start\ndata: {oops\n\n"), ErrorCode::ModelReply);
  EXPECT_EQ(code("[]"), ErrorCode::ModelReply);
  EXPECT_EQ(code(""), ErrorCode::ModelReply);
  EXPECT_EQ(code("garbage"), ErrorCode::ModelReply);
}

TEST(AnthropicStream, MayBreakOffWithAnError) {
  const auto error = [](const std::string& type) {
    return read(events({kStart, R"({"type":"error","error":{"type":")" + type +
                                    R"(","message":"Overloaded"}})"}))
        .error();
  };
  EXPECT_EQ(error("overloaded_error").code, ErrorCode::ModelBusy);
  EXPECT_EQ(error("overloaded_error").message,
            "broke off its answer with an error: overloaded_error: Overloaded");
  EXPECT_EQ(error("rate_limit_error").code, ErrorCode::ModelBusy);
  EXPECT_EQ(error("api_error").code, ErrorCode::Model);
  EXPECT_EQ(error("authentication_error").code, ErrorCode::ModelAuth);
  EXPECT_EQ(error("invalid_request_error").code, ErrorCode::ModelRefused);
}

TEST(AnthropicStream, NeverRunsACallWhoseArgumentsWereCutOff) {
  const Result<ModelReply> cut =
      read(events({kStart, block(0, tool("t", "fs__read")), end(0), finish("max_tokens"), kStop}));
  ASSERT_EQ(cut.value().calls.size(), 1U);
  EXPECT_NE(cut->calls[0].input_problem, "");
  const Result<ModelReply> whole =
      read(events({kStart, block(0, tool("t", "fs__read")), end(0), finish("tool_use"), kStop}));
  EXPECT_EQ(whole.value().calls[0].input_problem, "");
}

TEST(AnthropicStream, DoesNotBelieveCountsThatCannotBe) {
  const Result<ModelReply> reply = read(
      events({R"({"type":"message_start","message":{"usage":{"input_tokens":9223372036854775807,)"
              R"("cache_read_input_tokens":9223372036854775807}}})",
              block(0, kText), text(0, "a"), end(0), finish("end_turn"), kStop}));
  EXPECT_EQ(reply.value().usage,
            (Usage{.input = 2 * kMaxTokens, .output = 21, .cache_read = kMaxTokens}));
}

TEST(AnthropicStream, BoundsArgumentsThatComeWithTheBlock) {
  const std::string large(kMaxArguments, 'x');
  const Result<ModelReply> reply = read(
      events({kStart, block(0, R"({"type":"tool_use","id":"t","name":"fs__read","input":{"a":")" +
                                   large + R"("}})")}));
  EXPECT_EQ(reply.error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace goondan
