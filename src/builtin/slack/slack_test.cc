#include "builtin/slack/slack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builtin/messaging/test_api.h"
#include "builtin/slack/handlers.h"

namespace goondan::builtin::slack {
namespace {

using messaging::answer;
using messaging::json_answer;
using messaging::TestApi;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kToken = "xoxb-123456789012-abcdefABCDEF";

JsonObject arguments(const TestApi& api, const JsonObject& more) {
  JsonObject input{{"token", kToken}, {"channelId", "C1"}, {"apiBaseUrl", api.base() + "/api/"}};
  for (const auto& [key, value] : more)
    input[key] = value;
  return input;
}

Json parsed(std::string_view text) {
  return parse_json(text).value();
}

TEST(Slack, SendsExactlyWhatWasGiven) {  // REQ: BLT-slack
  TestApi api({json_answer(
      R"({"ok":true,"channel":"C9","ts":"1800000001.000100","message":{"text":"shown"}})")});
  const Json result =
      api.call(send, arguments(api, {{"text", "hi"}, {"threadTs", ""}, {"unfurlLinks", false}}))
          .value();
  EXPECT_EQ(
      result,
      parsed(R"({"ok":true,"channelId":"C9","messageTs":"1800000001.000100","text":"shown"})"));
  EXPECT_EQ(api.sent(),
            parsed(R"({"channel":"C1","text":"hi","thread_ts":"","unfurl_links":false})"));
  EXPECT_THAT(api.requests()[0], HasSubstr("POST /api/chat.postMessage "));
  EXPECT_THAT(api.requests()[0], HasSubstr("\r\nAuthorization: Bearer " + std::string(kToken)));
  EXPECT_THAT(api.requests()[0],
              HasSubstr("\r\nContent-Type: application/json; charset=utf-8\r\n"));
}

TEST(Slack, EditsAndDeletes) {  // REQ: BLT-slack
  TestApi api({json_answer(R"({"ok":true})"), json_answer(R"({"ok":true,"ts":"2.2"})")});
  EXPECT_EQ(api.call(edit, arguments(api, {{"ts", "1.1"}, {"text", "new"}})).value(),
            parsed(R"({"ok":true,"channelId":"C1","messageTs":"1.1","edited":true})"));
  EXPECT_EQ(api.sent(), parsed(R"({"channel":"C1","ts":"1.1","text":"new"})"));
  EXPECT_EQ(api.call(remove, arguments(api, {{"messageTs", "1.1"}})).value(),
            parsed(R"({"ok":true,"channelId":"C1","messageTs":"2.2","deleted":true})"));
}

TEST(Slack, ReadsTheNewestOfAChannel) {  // REQ: BLT-slack
  TestApi api({json_answer(R"({"ok":true,"messages":[{"ts":"1.1","text":"a"},7],"has_more":true,
      "response_metadata":{"next_cursor":"abc"}})")});
  EXPECT_EQ(to_text(api.call(read, arguments(api, {})).value()),
            R"({"ok":true,"channelId":"C1","method":"conversations.history","messageTs":null,)"
            R"("threadTs":null,"count":1,"found":null,"messages":[{"ts":"1.1","text":"a"}],)"
            R"("hasMore":true,"nextCursor":"abc"})");
  EXPECT_EQ(api.sent(), parsed(R"({"channel":"C1","limit":20})"));
}

TEST(Slack, ReadsOneMessageOrAThread) {  // REQ: BLT-slack
  TestApi api({json_answer(R"({"ok":true,"messages":[{"ts":"5.5"}],
      "response_metadata":{"next_cursor":""}})"),
               json_answer(R"({"ok":true})")});
  const Json one = api.call(read, arguments(api, {{"timestamp", "5.5"}})).value();
  EXPECT_EQ(one.at("found"), parsed(R"({"ts":"5.5"})"));
  EXPECT_EQ(one.at("nextCursor"), Json(nullptr));
  EXPECT_EQ(api.sent(), parsed(R"({"channel":"C1","latest":"5.5","inclusive":true,"limit":1})"));
  const Json thread =
      api.call(read, arguments(api, {{"threadTs", "4.4"}, {"limit", 5}, {"cursor", "c"}})).value();
  EXPECT_EQ(thread.at("method"), Json("conversations.replies"));
  EXPECT_EQ(thread.at("count"), Json(0U));
  EXPECT_EQ(api.sent(), parsed(R"({"channel":"C1","ts":"4.4","limit":5,"cursor":"c"})"));
}

TEST(Slack, AddsReactionsUntilOneFails) {  // REQ: BLT-slack
  TestApi api(
      {json_answer(R"({"ok":true})"), json_answer(R"({"ok":false,"error":"invalid_name"})")});
  const Error error =
      api.call(react, arguments(api, {{"messageTs", "1.1"}, {"emojis", {":a:", "b", "c"}}}))
          .error();
  EXPECT_EQ(error.message, "[slack] reactions.add failed: invalid_name");
  EXPECT_THAT(error.suggestion, HasSubstr("Added before that: a."));
  EXPECT_EQ(api.requests().size(), 2U);
  EXPECT_EQ(api.sent(), parsed(R"({"channel":"C1","timestamp":"1.1","name":"b"})"));
}

std::string failure(std::string api_answer) {
  TestApi api({std::move(api_answer)});
  const Error error = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_EQ(error.code, ErrorCode::Service);
  return error.message + "|" + error.suggestion;
}

TEST(Slack, TellsWhatTheServiceSays) {
  EXPECT_EQ(failure(json_answer(R"({"ok":false,"error":"channel_not_found"})")),
            "[slack] chat.postMessage failed: channel_not_found|Check 'channelId'; a private "
            "channel is only seen by members.");
  EXPECT_EQ(failure(json_answer(R"({"ok":false,"error":"missing_scope","needed":"chat:write"})")),
            "[slack] chat.postMessage failed: missing_scope|The bot's app needs the scope "
            "chat:write; add it and install the app again.");
  EXPECT_THAT(failure(answer("503 Service Unavailable", "<html>")),
              HasSubstr("[slack] chat.postMessage failed: HTTP 503 Service Unavailable"));
  EXPECT_THAT(failure(json_answer("<html>sign in</html>")),
              HasSubstr("the answer is not the JSON of Slack's API (HTTP 200 OK); the request may "
                        "have been carried out|"));
}

TEST(Slack, ReadsAnAnswerWithAnOddCharacter) {
  TestApi api({json_answer(R"({"ok":true,"messages":[{"ts":"1.1","text":"\ud83d cut"}]})"),
               json_answer("\xef\xbb\xbf{\"ok\":false,\"ok\":true,\"ts\":\"2.2\","
                           "\"message\":{\"text\":\"a\xff\"}}")});
  const Json read_back = api.call(read, arguments(api, {})).value();
  EXPECT_EQ(to_text(read_back.at("messages")), "[{\"ts\":\"1.1\",\"text\":\"\xef\xbf\xbd cut\"}]");
  const Json sent = api.call(send, arguments(api, {{"text", "hi"}})).value();
  EXPECT_EQ(sent.at("messageTs"), Json("2.2"));
  EXPECT_EQ(sent.at("text"), Json("a\xef\xbf\xbd"));
}

TEST(Slack, TellsThatAMessageMayHaveBeenSentWhenTheAnswerIsLost) {
  TestApi api({"HTTP/1.1 200 OK\r\nContent-Length: 50\r\nContent-Length: 60\r\n\r\n"});
  const Error error = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_EQ(error.code, ErrorCode::HttpResponse);
  EXPECT_THAT(error.message, HasSubstr("; the request may have been carried out"));
}

TEST(Slack, NamesTheTimeThatWasNotEnough) {
  TestApi api({std::string(messaging::kSilence)});
  const Error error = api.call(send, arguments(api, {{"text", "hi"}, {"timeoutMs", 50}})).error();
  EXPECT_EQ(error.code, ErrorCode::NetworkTimeout);
  EXPECT_EQ(error.message,
            "[slack] chat.postMessage request failed: Slack API request timed out after 50ms");
}

TEST(Slack, TellsWhoseLimitItWas) {
  TestApi api({std::string(messaging::kSilence), std::string(messaging::kSilence),
               answer("429 Too Many Requests", R"({"ok":false,"error":"ratelimited"})",
                      "Retry-After: 30\r\n")});
  const Error own = api.call(send, arguments(api, {{"text", "hi"}, {"timeoutMs", 50}})).error();
  EXPECT_THAT(own.suggestion, HasSubstr("For more time raise 'timeoutMs'."));
  api.time = std::chrono::milliseconds(100);
  const Error operators = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_THAT(operators.message, HasSubstr("timed out after "));
  EXPECT_THAT(operators.suggestion, HasSubstr("--timeout-ms"));
  api.time = std::chrono::seconds(10);
  const Error wait = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_THAT(wait.message, HasSubstr("does not fit into the operator's limit for calls"));
}

TEST(Slack, TriesOnceMoreIfNoConnectionCouldBeMade) {
  TestApi api;
  int port = 0;
  {
    const net::TestServer gone(net::answering(std::string()));
    port = gone.port();
    api.services.hosts = gone.policy();
  }
  JsonObject input = arguments(api, {{"text", "hi"}});
  input["apiBaseUrl"] = "http://127.0.0.1:" + std::to_string(port);
  const Error error = api.call(send, input).error();
  EXPECT_EQ(error.code, ErrorCode::Network);
  EXPECT_THAT(error.message, HasSubstr("[slack] chat.postMessage request failed: "));
  EXPECT_THAT(error.message, Not(HasSubstr("carried out")));
}

TEST(Slack, WaitsForTheRateLimitAndSendsAgain) {
  TestApi api({answer("429 Too Many Requests", R"({"ok":false,"error":"ratelimited"})",
                      "Retry-After: 1\r\n"),
               json_answer(R"({"ok":true,"ts":"1.1"})")});
  EXPECT_TRUE(api.call(send, arguments(api, {{"text", "hi"}})).ok());
  EXPECT_EQ(api.host.logged, "Slack limits the rate of chat.postMessage: waiting 1 s\n");
}

TEST(Slack, TellsOfARateLimitThatCannotBeWaitedFor) {
  EXPECT_THAT(failure(answer("429 Too Many Requests", R"({"ok":false,"error":"ratelimited"})",
                             "Retry-After: 30\r\n")),
              HasSubstr("[slack] chat.postMessage failed: ratelimited; Slack asks to wait 30 s, "
                        "which does not fit into 'timeoutMs' (15000)"));
  EXPECT_THAT(failure(answer("429 Too Many Requests", "")),
              HasSubstr("[slack] chat.postMessage failed: HTTP 429 Too Many Requests"));
}

TEST(Slack, SendsATokenForFilesOnlyToSlack) {  // REQ: DEC-7
  TestApi api;
  for (const std::string_view url :
       {"https://evil.example/f", "http://files.slack.com/f", "https://slack.com.evil.example/f",
        "https://files.slack.com:8443/f", "https://notslack.com/f", "http://127.0.0.1:1/f"}) {
    const Error error = api.call(download_file, {{"token", kToken}, {"url", url}}).error();
    EXPECT_EQ(error.code, ErrorCode::TokenHost) << url;
    EXPECT_THAT(error.message + error.suggestion, Not(HasSubstr("xoxb"))) << url;
  }
}

TEST(Slack, DownloadsAFile) {  // REQ: BLT-slack
  TestApi api({answer("200 OK", "bytes",
                      "Content-Type: image/png\r\nETag: \"e1\"\r\n"
                      "Content-Disposition: attachment; filename=\"a.png\"\r\n")});
  const Json result =
      api.call(download_file,
               {{"token", kToken}, {"fileUrl", api.base() + "/f?x=1"}, {"outputPath", "a.png"}})
          .value();
  EXPECT_EQ(to_text(result),
            R"({"ok":true,"url":")" + api.base() +
                R"(/f?x=1","contentType":"image/png","contentLength":5,"sizeBytes":5,)"
                R"("etag":"\"e1\"","contentDisposition":"attachment; filename=\"a.png\"",)"
                R"("savedPath":")" +
                api.folder().string() +
                R"(/a.png","base64":"Ynl0ZXM=","dataUrl":"data:image/png;base64,Ynl0ZXM="})");
  EXPECT_EQ(api.read_file("a.png"), "bytes");
  EXPECT_THAT(api.requests()[0], HasSubstr("GET /f?x=1 "));
}

TEST(Slack, DownloadsAFileWhateverTheBaseOfTheApiIs) {
  TestApi api({answer("200 OK", "bytes")});
  api.services.environment["SLACK_BOT_TOKEN"] = kToken;
  const Result<Json> result =
      api.call(download_file,
               {{"url", api.base() + "/f"}, {"apiBaseUrl", "https://mirror.example/api?x=1"}});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(api.call(download_file, {{"url", api.base() + "/f"}, {"timeoutMs", 0}}).error().message,
            "'timeoutMs' must be a positive number");
}

TEST(Slack, SeesThatAPageToSignInIsNotTheFile) {
  TestApi api({answer("302 Found", "", "Location: /signin?redir=f\r\n"),
               answer("200 OK", "<html>sign in</html>", "Content-Type: text/html\r\n")});
  const Error error =
      api.call(download_file, {{"token", kToken}, {"url", api.base() + "/f"}}).error();
  EXPECT_EQ(error.code, ErrorCode::Service);
  EXPECT_THAT(error.message, HasSubstr("a page to sign in"));
}

}  // namespace
}  // namespace goondan::builtin::slack
