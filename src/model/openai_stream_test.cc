#include "model/openai_stream.h"

#include <gtest/gtest.h>

#include "model/stream_fixture.h"

namespace goondan {
namespace {

Result<ModelReply> read(const std::string& body) {
  return read_answer("openai", body);
}

std::string delta(std::string_view delta) {
  return R"({"choices":[{"index":0,"delta":)" + std::string(delta) + "}]}";
}

std::string piece(std::string_view piece) {
  return delta(R"({"tool_calls":[)" + std::string(piece) + "]}");
}

const std::string kToolsEnd =
    R"({"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]})";
const std::string kStop = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";

// `[id, name, input]` of each call; a problem makes a fourth.
std::string calls(const Result<ModelReply>& reply) {
  if (!reply.ok()) return reply.error().message;
  JsonArray list;
  for (const ToolCall& call : reply->calls) {
    JsonArray one{call.id, call.name, call.input};
    if (!call.input_problem.empty()) one.push_back("problem");
    list.push_back(std::move(one));
  }
  return to_text(list);
}

TEST(OpenAiStream, OfTheTextbook) {
  const Result<ModelReply> reply = read(chunks(
      {R"({"model":"gpt-x-2026","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})",
       delta(R"({"content":"안"})"), delta(R"({"content":"녕"})"),
       piece(
           R"({"index":0,"id":"call_1","type":"function","function":{"name":"fs__read","arguments":""}})"),
       piece(R"({"index":0,"function":{"arguments":"{\"path\":"}})"),
       piece(R"({"index":0,"function":{"arguments":"\"a\"}"}})"), kToolsEnd,
       R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14,
          "prompt_tokens_details":{"cached_tokens":4},
          "completion_tokens_details":{"reasoning_tokens":2}}})"}));
  EXPECT_EQ(summary(reply),
            R"({"text":"안녕","calls":[["call_1","fs__read",{"path":"a"},""]],"opaque":[],)"
            R"("finish":1,"usage":{"inputTokens":9,"outputTokens":5,"cacheReadTokens":4,)"
            R"("reasoningTokens":2},"model":"gpt-x-2026"})");
}

TEST(OpenAiStream, TellsTextAsItComes) {
  Heard heard;
  const std::string body =
      chunks({delta(R"({"content":"a"})"), delta(R"({"content":"b"})"), kStop});
  ASSERT_TRUE(read_in_pieces("openai", body, 5, heard).ok());
  EXPECT_EQ(heard.pieces, (std::vector<std::string>{"a", "b"}));
}

TEST(OpenAiStream, MayHaveAnyLineEndsCommentsAndDataInSeveralLines) {
  const std::string plain = chunks({delta(R"({"content":"x"})"), kStop});
  std::string dos;
  std::string mac;
  for (const char c : plain) {
    dos += c == '\n' ? "\r\n" : std::string(1, c);
    mac += c == '\n' ? '\r' : c;
  }
  const std::string expected = summary(read(plain));
  EXPECT_EQ(summary(read(dos)), expected);
  EXPECT_EQ(summary(read(mac)), expected);
  EXPECT_EQ(summary(read(": keep-alive\n\n" + plain)), expected);
  EXPECT_EQ(summary(read("\xEF\xBB\xBF\n\n" + plain)), expected);
  EXPECT_EQ(summary(read("event: message\nid: 1\nretry: 5\nfoo: bar\n" + plain)), expected);
  EXPECT_EQ(summary(read("data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"x\"}}]}\n\n" +
                         chunks({kStop}))),
            expected);
  EXPECT_EQ(summary(read("data:\n\ndata: \n\n" + plain)), expected);
}

TEST(OpenAiStream, MayInterleaveCallsByTheirIndex) {
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"id":"a","function":{"name":"fs__read","arguments":""}})"),
                 piece(R"({"index":1,"id":"b","function":{"name":"fs__write","arguments":"{"}})"),
                 piece(R"({"index":0,"function":{"arguments":"{\"path\":1"}},
                          {"index":1,"function":{"arguments":"\"path\":2"}})"),
                 piece(R"({"index":1,"function":{"arguments":"}"}})"),
                 piece(R"({"index":0,"function":{"arguments":"}"}})"), delta(R"({"content":"t"})"),
                 kToolsEnd}))),
            R"([["a","fs__read",{"path":1}],["b","fs__write",{"path":2}]])");
}

TEST(OpenAiStream, MayHaveCallsWithoutIndexOrId) {
  // By id, without an index.
  EXPECT_EQ(
      calls(read(chunks({piece(R"({"id":"a","function":{"name":"fs__read","arguments":"{}"}})"),
                         piece(R"({"id":"b","function":{"name":"fs__read","arguments":"{"}})"),
                         piece(R"({"function":{"arguments":"}"}})"), kToolsEnd}))),
      R"([["a","fs__read",{}],["b","fs__read",{}]])");
  // With neither: a new call begins with a name once the last one is complete.
  EXPECT_EQ(calls(read(chunks({piece(R"({"function":{"name":"fs__read","arguments":"{\"a\":"}})"),
                               piece(R"({"function":{"arguments":"\"}\"}"}})"),
                               piece(R"({"function":{"name":"fs__read","arguments":"{\"b\":1}"}})"),
                               kToolsEnd}))),
            R"([["made-up","fs__read",{"a":"}"}],["made-up","fs__read",{"b":1}]])");
  // Every call with the index 0.
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"id":"a","function":{"name":"fs__read","arguments":"{}"}})"),
                 piece(R"({"index":0,"id":"b","function":{"name":"fs__write","arguments":"{}"}})"),
                 kStop}))),
            R"([["a","fs__read",{}],["b","fs__write",{}]])");
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"function":{"name":"fs__read","arguments":"{}"}})"),
                 piece(R"({"index":0,"function":{"name":"fs__read","arguments":"{\"a\":1}"}})"),
                 kStop}))),
            R"([["made-up","fs__read",{}],["made-up","fs__read",{"a":1}]])");
}

TEST(OpenAiStream, MaySplitOrRepeatNames) {
  EXPECT_EQ(calls(read(chunks({piece(R"({"index":0,"id":"a","function":{"name":"fs_"}})"),
                               piece(R"({"index":0,"function":{"name":"_re"}})"),
                               piece(R"({"index":0,"function":{"name":"ad","arguments":"{}"}})"),
                               kToolsEnd}))),
            R"([["a","fs__read",{}]])");
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"id":"a","function":{"name":"fs__read"}})"),
                 piece(R"({"index":0,"id":"a","function":{"name":"fs__read","arguments":"{"}})"),
                 piece(R"({"index":0,"id":"a","function":{"name":"fs__read","arguments":"}"}})"),
                 kToolsEnd}))),
            R"([["a","fs__read",{}]])");
  EXPECT_EQ(
      calls(read(chunks({piece(R"({"id":"a","function":{"name":"fs__"}})"),
                         piece(R"({"id":"a","function":{"name":"fs__write"}})"), kToolsEnd}))),
      R"([["a","fs__write",{}]])");
  EXPECT_EQ(calls(read(chunks({piece(R"({"index":0,"id":"a","function":{"name":"made_up"}})"),
                               piece(R"({"index":0,"id":"a","function":{"name":"made_up"}})"),
                               kToolsEnd}))),
            R"([["a","made_up",{}]])");
}

TEST(OpenAiStream, MayHaveArgumentsInEveryForm) {
  EXPECT_EQ(
      calls(read(chunks(
          {piece(R"({"index":0,"id":"1","function":{"name":"fs__read","arguments":null}})"),
           piece(R"({"index":1,"id":"2","function":{"name":"fs__read","arguments":{"path":"a"}}})"),
           piece(R"({"index":2,"id":"3","function":{"name":"fs__read"}})"),
           piece(R"({"index":3,"id":"4","function":{"name":"fs__read","arguments":""}})"),
           kToolsEnd}))),
      R"([["1","fs__read",{}],["2","fs__read",{"path":"a"}],["3","fs__read",{}],["4","fs__read",{}]])");
}

// REQ: DEC-11
TEST(OpenAiStream, KeepsACallWhoseArgumentsAreNoObjectBesideGoodOnes) {
  EXPECT_EQ(
      calls(read(chunks(
          {piece(
               R"({"index":0,"id":"1","function":{"name":"fs__read","arguments":"{\"a\": tru"}})"),
           piece(R"({"index":1,"id":"2","function":{"name":"fs__read","arguments":"[1]"}})"),
           piece(R"({"index":2,"id":"3","function":{"name":"fs__read","arguments":"{}"}})"),
           kToolsEnd}))),
      R"([["1","fs__read","{\"a\": tru","problem"],["2","fs__read",[1]],["3","fs__read",{}]])");
}

TEST(OpenAiStream, KeepsIdsThatAreThereTwice) {
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"id":"x","function":{"name":"fs__read","arguments":"{}"}})"),
                 piece(R"({"index":1,"id":"x","function":{"name":"fs__write","arguments":"{}"}})"),
                 kToolsEnd}))),
            R"([["x","fs__read",{}],["x","fs__write",{}]])");
}

// REQ: NAME-3
TEST(OpenAiStream, GivesNamesBackAsTheCatalogSpellsThem) {
  EXPECT_EQ(calls(read(chunks(
                {piece(R"({"index":0,"id":"x","function":{"name":"slack_post","arguments":"{}"}})"),
                 piece(R"({"index":1,"id":"y","function":{"name":"no_such","arguments":"{}"}})"),
                 kToolsEnd}))),
            R"([["x","slack.post",{}],["y","no_such",{}]])");
}

TEST(OpenAiStream, CanHaveAMegabyteOfArguments) {
  const std::string text(std::size_t{1} << 20, 'x');
  std::vector<std::string> list{
      piece(R"({"index":0,"id":"1","function":{"name":"fs__write","arguments":"{\"t\":\""}})")};
  constexpr std::size_t kPiece = 64 << 10;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    list.push_back(
        piece(R"({"index":0,"function":{"arguments":")" + text.substr(at, kPiece) + R"("}})"));
  }
  list.push_back(piece(R"({"index":0,"function":{"arguments":"\"}"}})"));
  list.push_back(kToolsEnd);
  const Result<ModelReply> reply = read(chunks(list));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->calls.at(0).input.at("t").as_string().size(), text.size());
  // The same in one event.
  const Result<ModelReply> once = read(
      chunks({piece(R"({"index":0,"id":"1","function":{"name":"fs__write","arguments":"{\"t\":\")" +
                    text + R"(\"}"}})"),
              kToolsEnd}));
  EXPECT_EQ(summary(once), summary(reply));
}

TEST(OpenAiStream, IsRefusedIfItSaysTooMuch) {
  const std::string text(kMaxArguments / 2 + 1, 'x');
  const std::string part = piece(R"({"index":0,"function":{"arguments":")" + text + R"("}})");
  Heard heard;
  const auto reply = read_in_pieces("openai", chunks({part, part}), 1 << 16, heard);
  EXPECT_EQ(reply.error().code, ErrorCode::Limit);
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= kMaxCalls; ++i) {
    many.push_back(piece("{\"index\":" + std::to_string(i) + "}"));
  }
  EXPECT_EQ(read_in_pieces("openai", chunks(many), 1 << 16, heard).error().code, ErrorCode::Limit);
}

TEST(OpenAiStream, TellsWhyItEnded) {
  const auto finish = [](const std::string& reason, const std::string& before) {
    const auto reply = read(chunks(
        {before, R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + reason + R"("}]})"}));
    return reply.value().finish;
  };
  const std::string text = delta(R"({"content":"x"})");
  const std::string call = piece(R"({"index":0,"id":"1","function":{"name":"fs__read"}})");
  EXPECT_EQ(finish("stop", text), FinishReason::Stop);
  EXPECT_EQ(finish("stop", call), FinishReason::ToolCalls);
  EXPECT_EQ(finish("tool_calls", call), FinishReason::ToolCalls);
  EXPECT_EQ(finish("tool_calls", text), FinishReason::Other);
  EXPECT_EQ(finish("length", text), FinishReason::Length);
  EXPECT_EQ(finish("length", call), FinishReason::Length);
  EXPECT_EQ(finish("content_filter", text), FinishReason::Refusal);
  EXPECT_EQ(finish("stop", delta(R"({"refusal":"I will not."})")), FinishReason::Refusal);
  EXPECT_EQ(finish("eos", text), FinishReason::Other);
}

TEST(OpenAiStream, LeavesReasoningOutOfTheText) {
  const auto reply = read(
      chunks({delta(R"({"reasoning_content":"hm"})"), delta(R"({"reasoning":"hm","content":null})"),
              delta(R"({"content":[{"type":"thinking","thinking":[]},
                                                       {"type":"text","text":"yes"}]})"),
              kStop}));
  EXPECT_EQ(reply.value().text, "yes");
}

TEST(OpenAiStream, KeepsReasoningIfItIsToGoBack) {
  const WireNames names(ToolCatalog(), {});
  OpenAiReader reader(names, ModelOptions::Reasoning::SendBack);
  Heard heard;
  BodyReader body(reader, heard);
  ASSERT_TRUE(
      body.add(chunks({delta(R"({"reasoning_content":"h"})"), delta(R"({"reasoning_content":"m"})"),
                       piece(R"({"id":"c","function":{"name":"t"},"extra_content":{"s":1}})"),
                       kStop}))
          .ok());
  EXPECT_EQ(to_text(body.finish().value().opaque),
            R"([{"block":{"reasoning_content":"hm"}},{"block":{"type":"call-extra",)"
            R"("toolCallId":"c","extra_content":{"s":1}}}])");
}

TEST(OpenAiStream, NeedsNoUsageAndNoLastLine) {
  EXPECT_EQ(
      read("data: " + delta(R"({"content":"x"})") + "\n\ndata: " + kStop + "\n\n").value().text,
      "x");
  EXPECT_EQ(read(chunks({delta(R"({"content":"x"})")})).value().text, "x");
}

TEST(OpenAiStream, MayBeOneDocument) {
  EXPECT_EQ(summary(read(R"( {"id":"1","model":"m","choices":[{"index":0,"message":
      {"role":"assistant","content":"hi","tool_calls":[
        {"id":"a","type":"function","function":{"name":"fs__read","arguments":"{}"}},
        {"id":"b","type":"function","function":{"name":"fs__read","arguments":"{\"a\":1}"}}]},
      "finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})")),
            R"({"text":"hi","calls":[["a","fs__read",{},""],["b","fs__read",{"a":1},""]],)"
            R"("opaque":[],"finish":1,"usage":{"inputTokens":1,"outputTokens":2},"model":"m"})");
}

TEST(OpenAiStream, IsNoAnswerIfItIsCutOrGarbage) {
  const auto problem = [](const std::string& body) {
    const auto reply = read(body);
    EXPECT_EQ(reply.ok() ? ErrorCode::Internal : reply.error().code, ErrorCode::ModelReply) << body;
    return reply.ok() ? "" : reply.error().message;
  };
  const std::string call =
      "data: " + piece(R"({"index":0,"id":"1","function":{"name":"fs__read","arguments":"{\"p"}})");
  EXPECT_EQ(problem(call + "\n\n"), "ended its answer in the middle");
  EXPECT_EQ(problem(call), "sent something that is no answer of a model: '" + call + "'");
  EXPECT_EQ(problem(""), "sent an empty answer");
  EXPECT_EQ(problem("data: [DONE]\n\n"), "ended its answer in the middle");
  EXPECT_EQ(problem("<html>sorry</html>"),
            "sent something that is no answer of a model: '<html>sorry</html>'");
  EXPECT_TRUE(problem("data: {\"choices\n\n").starts_with("sent an answer that cannot be read: "));
  EXPECT_TRUE(problem("{\"choices\":[").starts_with("sent an answer that cannot be read: "));
  EXPECT_TRUE(problem("data: 5\n\n").starts_with("sent an answer that cannot be read: "));
  EXPECT_EQ(problem("{}"), "sent something that is no answer of a model: '{}'");
}

TEST(OpenAiStream, ReadsHalfASurrogatePairAsAReplacement) {
  EXPECT_EQ(read(chunks({delta(R"({"content":"a\ud83d"})"),
                         delta(R"({"content":"\u0041\ud83d\ude00\\ud83d"})"), kStop}))
                .value()
                .text,
            "a\xEF\xBF\xBD"
            "A😀\\ud83d");
}

TEST(OpenAiStream, MayBreakOffWithAnError) {
  const std::string begun = "data: " + delta(R"({"content":"x"})") + "\n\n";
  const auto code = [&begun](const std::string& data) {
    return read(begun + "data: " + data + "\n\n").error().code;
  };
  EXPECT_EQ(code(R"({"error":{"message":"later","type":"rate_limit_exceeded"}})"),
            ErrorCode::ModelBusy);
  EXPECT_EQ(code(R"({"error":{"message":"no","code":"insufficient_quota","type":"x"}})"),
            ErrorCode::ModelRefused);
  EXPECT_EQ(code(R"({"error":{"message":"gateway","code":502}})"), ErrorCode::Model);
  EXPECT_EQ(code(R"({"error":{"message":"key","code":"401"}})"), ErrorCode::ModelAuth);
  EXPECT_EQ(code(R"({"error":"just text"})"), ErrorCode::Model);
  EXPECT_EQ(read(begun + "event: error\ndata: {\"message\":\"oops\"}\n\n").error().message,
            "broke off its answer with an error: oops");
  EXPECT_EQ(read(R"({"error":{"message":"down","type":"server_error"}})").error().message,
            "broke off its answer with an error: server_error: down");
}

TEST(OpenAiStream, DoesNotRepeatAMessageThatComesOnceMoreAtTheEnd) {
  const Result<ModelReply> reply = read(
      chunks({delta(R"({"content":"a"})"), delta(R"({"content":"b"})"),
              R"({"choices":[{"index":0,"finish_reason":"stop","message":{"content":"ab"}}]})"}));
  EXPECT_EQ(reply.value().text, "ab");
}

TEST(OpenAiStream, NeverRunsACallWhoseArgumentsWereCutOff) {
  const std::string end = R"({"choices":[{"index":0,"delta":{},"finish_reason":"length"}]})";
  const std::string call = piece(R"({"index":0,"id":"c","function":{"name":"fs__read"}})");
  const std::string whole =
      piece(R"({"index":0,"id":"c","function":{"name":"fs__read","arguments":"{\"a\":1}"}})");
  EXPECT_EQ(calls(read(chunks({call, end}))), R"([["c","fs__read","{","problem"]])");
  EXPECT_EQ(calls(read(chunks({whole, end}))), R"([["c","fs__read",{"a":1}]])");
  EXPECT_EQ(calls(read(chunks({call, kToolsEnd}))), R"([["c","fs__read",{}]])");
}

TEST(OpenAiStream, DoesNotBelieveCountsThatCannotBe) {
  const Result<ModelReply> reply = read(chunks(
      {delta(R"({"content":"a"})"), kStop,
       R"({"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":-1}})"}));
  EXPECT_EQ(reply.value().usage, (Usage{.input = kMaxTokens}));
}

TEST(OpenAiStream, BoundsWhatComesWithACall) {
  const std::string extra(kMaxExtra, 'x');
  const Result<ModelReply> reply =
      read(chunks({piece(R"({"index":0,"id":"c","extra_content":{"a":")" + extra +
                         R"("},"function":{"name":"fs__read"}})"),
                   kToolsEnd}));
  EXPECT_EQ(reply.error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace goondan
