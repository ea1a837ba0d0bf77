#include "builtin/telegram/telegram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "builtin/messaging/test_api.h"
#include "builtin/telegram/handlers.h"

namespace goondan::builtin::telegram {
namespace {

using messaging::answer;
using messaging::json_answer;
using messaging::TestApi;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

JsonObject arguments(const TestApi& api, const JsonObject& more) {
  JsonObject input{{"token", kToken}, {"chatId", "42"}, {"apiBaseUrl", api.base()}};
  for (const auto& [key, value] : more)
    input[key] = value;
  return input;
}

Json parsed(std::string_view text) {
  return parse_json(text).value();
}

TEST(Telegram, SendsExactlyWhatWasGiven) {  // REQ: BLT-tg
  TestApi api(
      {json_answer(R"({"ok":true,"result":{"message_id":17,"date":1800000000,"text":" hi "}})")});
  const Result<Json> result = api.call(send, arguments(api, {{"text", "hi"},
                                                             {"parseMode", "html"},
                                                             {"disableNotification", false},
                                                             {"replyToMessageId", "9"}}));
  EXPECT_EQ(result.value(),
            parsed(R"({"ok":true,"chatId":"42","messageId":17,"date":1800000000,"text":"hi"})"));
  EXPECT_EQ(api.sent(), parsed(R"({"chat_id":"42","text":"hi","parse_mode":"HTML",
      "disable_notification":false,"reply_to_message_id":9})"));
  EXPECT_THAT(api.requests()[0], HasSubstr("POST /bot" + std::string(kToken) + "/sendMessage "));
  EXPECT_THAT(api.requests()[0], HasSubstr("\r\nContent-Type: application/json\r\n"));
}

TEST(Telegram, SaysNullForWhatTheAnswerDoesNotTell) {
  TestApi api({json_answer(R"({"ok":true,"result":true})")});
  const Json result = api.call(send, arguments(api, {{"text", "hi"}})).value();
  EXPECT_EQ(result,
            parsed(R"({"ok":true,"chatId":"42","messageId":null,"date":null,"text":null})"));
}

TEST(Telegram, ReadsAnAnswerWithAnOddCharacter) {
  TestApi api(
      {json_answer("{\"ok\":true,\"result\":{\"message_id\":16,\"message_id\":17,"
                   "\"text\":\"\\udc00\xff\"}}")});
  const Json result = api.call(send, arguments(api, {{"text", "hi"}})).value();
  EXPECT_EQ(result.at("messageId"), Json(17));
  EXPECT_EQ(result.at("text"), Json("\xef\xbf\xbd\xef\xbf\xbd"));
}

TEST(Telegram, EditsDeletesAndShowsActions) {  // REQ: BLT-tg
  TestApi api({json_answer(R"({"ok":true,"result":{"message_id":8}})"),
               json_answer(R"({"ok":true,"result":true})"),
               json_answer(R"({"ok":true,"result":true})")});
  EXPECT_EQ(api.call(edit, arguments(api, {{"messageId", 7}, {"text", "new"}})).value(),
            parsed(R"({"ok":true,"chatId":"42","messageId":8,"edited":true})"));
  EXPECT_EQ(api.sent(), parsed(R"({"chat_id":"42","message_id":7,"text":"new"})"));
  EXPECT_EQ(api.call(remove, arguments(api, {{"messageId", 7}})).value(),
            parsed(R"({"ok":true,"chatId":"42","messageId":7,"deleted":true})"));
  EXPECT_EQ(api.call(set_chat_action, arguments(api, {{"action", "upload photo"}})).value(),
            parsed(R"({"ok":true,"chatId":"42","status":"upload_photo","action":"upload_photo"})"));
}

TEST(Telegram, ReactsOrClears) {  // REQ: BLT-tg
  TestApi api(
      {json_answer(R"({"ok":true,"result":true})"), json_answer(R"({"ok":true,"result":true})")});
  EXPECT_EQ(
      api.call(react, arguments(api, {{"messageId", 7}, {"emojis", {"👍"}}, {"isBig", true}}))
          .value(),
      parsed(
          R"({"ok":true,"chatId":"42","messageId":7,"cleared":false,"emojis":["👍"],"reactionCount":1})"));
  EXPECT_EQ(api.sent(), parsed(R"({"chat_id":"42","message_id":7,
      "reaction":[{"type":"emoji","emoji":"👍"}],"is_big":true})"));
  EXPECT_EQ(
      api.call(react, arguments(api, {{"messageId", 7}, {"emoji", "👍"}, {"clear", true}})).value(),
      parsed(
          R"({"ok":true,"chatId":"42","messageId":7,"cleared":true,"emojis":[],"reactionCount":0})"));
  EXPECT_THAT(api.call(react, arguments(api, {{"messageId", 7}})).error().message,
              HasSubstr("'emoji'"));
}

TEST(Telegram, LooksAtTheTokenBeforeAnythingElse) {
  TestApi api;
  EXPECT_EQ(api.call(send, {{"chatId", " "}, {"text", ""}}).error().code, ErrorCode::TokenMissing);
  EXPECT_THAT(api.call(send, {{"token", "T"}, {"chatId", " "}, {"timeoutMs", 0}}).error().message,
              HasSubstr("'chatId'"));
}

std::string failure(std::string api_answer) {
  TestApi api({std::move(api_answer)});
  const Error error = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_EQ(error.code, ErrorCode::Service);
  return error.message;
}

TEST(Telegram, TellsWhatTheServiceSays) {
  EXPECT_EQ(failure(answer("400 Bad Request", R"({"ok":false,"error_code":400,
      "description":"Bad Request: chat not found"})")),
            "[telegram] sendMessage failed (code 400): Bad Request: chat not found");
  EXPECT_EQ(failure(json_answer(R"({"ok":false,"description":"no"})")),
            "[telegram] sendMessage failed: no");
  EXPECT_EQ(failure(answer("502 Bad Gateway", "<html>oops</html>")),
            "[telegram] sendMessage failed: HTTP 502 Bad Gateway");
  EXPECT_EQ(failure(answer("302 Found", "", "Location: https://elsewhere.example/\r\n")),
            "[telegram] sendMessage failed: HTTP 302 Found");
  for (const std::string_view body : {"", "[]", "true", "<html>", "{\"ok\":true"}) {
    EXPECT_THAT(failure(json_answer(body)), HasSubstr("not the JSON of the Bot API")) << body;
  }
  EXPECT_EQ(failure(json_answer(R"({"ok":"true","result":{}})")),
            "[telegram] sendMessage failed: HTTP 200 OK");
}

TEST(Telegram, NeverShowsTheTokenOfTheUrl) {  // REQ: BLT-5
  TestApi api;                                // closes the connection without an answer
  const Error error = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_EQ(error.code, ErrorCode::Network);
  EXPECT_THAT(error.message, HasSubstr("[telegram] sendMessage request failed: POST " + api.base() +
                                       "/bot***/sendMessage failed: "));
  EXPECT_THAT(error.message, Not(HasSubstr(kToken)));
  EXPECT_EQ(api.requests().size(), 1U);  // it may have been delivered
}

TEST(Telegram, KeepsAStrangeTokenInsideItsPlaceInTheUrl) {
  TestApi api({json_answer(R"({"ok":true,"result":true})")});
  ASSERT_TRUE(api.call(send, arguments(api, {{"text", "hi"}, {"token", "a?b#c d%é"}})).ok());
  EXPECT_THAT(api.requests()[0], HasSubstr("POST /bota%3Fb%23c%20d%25%C3%A9/sendMessage "));
}

TEST(Telegram, WaitsForTheRateLimitAndSendsAgain) {
  TestApi api({answer("429 Too Many Requests", R"({"ok":false,"error_code":429,
      "description":"Too Many Requests: retry after 1","parameters":{"retry_after":1}})"),
               json_answer(R"({"ok":true,"result":{"message_id":1}})")});
  EXPECT_TRUE(api.call(send, arguments(api, {{"text", "hi"}})).ok());
  EXPECT_EQ(api.requests().size(), 2U);
  EXPECT_EQ(api.host.logged, "Telegram limits the rate of sendMessage: waiting 1 s\n");
}

TEST(Telegram, NamesTheWaitThatDoesNotFit) {
  TestApi api({answer("429 Too Many Requests", R"({"ok":false,"error_code":429,
      "description":"Too Many Requests","parameters":{"retry_after":37}})")});
  const Error error = api.call(send, arguments(api, {{"text", "hi"}})).error();
  EXPECT_EQ(error.code, ErrorCode::Service);
  EXPECT_THAT(error.message, HasSubstr("asks to wait 37 s"));
  EXPECT_THAT(error.suggestion, HasSubstr("after 37 s"));
  EXPECT_EQ(api.requests().size(), 1U);
}

std::vector<std::string> file_answers(std::string file) {
  return {json_answer(R"({"ok":true,"result":{"file_id":"F1","file_unique_id":"U1",
      "file_path":"photos/a b.jpg","file_size":5}})"),
          std::move(file)};
}

TEST(Telegram, DownloadsAFileAndMasksItsAddress) {  // REQ: BLT-tg BLT-5
  TestApi api(file_answers(answer("200 OK", "bytes", "Content-Type: image/jpeg\r\n")));
  const JsonObject input{
      {"token", kToken}, {"fileId", "F0"}, {"savePath", "in/a.jpg"}, {"apiBaseUrl", api.base()}};
  const Json result = api.call(download_file, input).value();
  EXPECT_EQ(to_text(result),
            R"({"ok":true,"fileId":"F1","fileUniqueId":"U1","filePath":"photos/a b.jpg",)"
            R"("fileSize":5,"downloadUrl":")" +
                api.base() +
                R"(/file/bot***/photos/a%20b.jpg","contentType":"image/jpeg","sizeBytes":5,)"
                R"("savedPath":")" +
                api.folder().string() +
                R"(/in/a.jpg","base64":"Ynl0ZXM=","dataUrl":"data:image/jpeg;base64,Ynl0ZXM="})");
  EXPECT_EQ(api.read_file("in/a.jpg"), "bytes");
}

Result<Json> download(const JsonObject& more, std::string file) {
  TestApi api(file_answers(std::move(file)));
  JsonObject input{{"token", kToken}, {"file_id", "F1"}, {"apiBaseUrl", api.base()}};
  for (const auto& [key, value] : more)
    input[key] = value;
  return api.call(download_file, input);
}

TEST(Telegram, LeavesOutWhatWasNotAskedFor) {
  const Json plain = download({{"includeDataUrl", false}}, answer("200 OK", "bytes")).value();
  EXPECT_EQ(plain.at("base64"), Json("Ynl0ZXM="));
  EXPECT_EQ(plain.at("dataUrl"), Json(nullptr));
  EXPECT_EQ(plain.at("contentType"), Json(nullptr));
  const Json none = download({{"includeBase64", false}}, answer("200 OK", "bytes")).value();
  EXPECT_EQ(none.at("base64"), Json(nullptr));
  EXPECT_EQ(none.at("dataUrl"), Json(nullptr));
  const Json empty =
      download({}, answer("200 OK", "", "Content-Type: text/plain;charset=x\r\n")).value();
  EXPECT_EQ(empty.at("base64"), Json(""));
  EXPECT_EQ(empty.at("dataUrl"), Json(nullptr));
  EXPECT_EQ(empty.at("contentType"), Json("text/plain;charset=x"));
}

TEST(Telegram, GivesAFileWholeOrNotAtAll) {
  EXPECT_TRUE(download({{"maxBytes", 5}}, answer("200 OK", "bytes")).ok());
  EXPECT_EQ(download({{"maxBytes", 4}}, answer("200 OK", "bytes")).error().message,
            "Telegram file exceeds maxBytes limit (5 > 4)");
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n0\r\n\r\n";
  EXPECT_EQ(download({{"maxBytes", 3}}, chunked).error().message,
            "Telegram file exceeds maxBytes limit (4 > 3)");
  EXPECT_EQ(download({{"maxBytes", 0}}, "").error().message,
            "'maxBytes' must be between 1 and 20000000");
  EXPECT_EQ(download({}, answer("404 Not Found", "x")).error().message,
            "[telegram] file download failed: HTTP 404 Not Found");
}

TEST(Telegram, SavesNothingOutsideTheWorkspace) {  // REQ: DEC-5
  TestApi api;
  const JsonObject input{{"token", kToken},
                         {"fileId", "F1"},
                         {"outputPath", "../outside.bin"},
                         {"apiBaseUrl", api.base()}};
  EXPECT_EQ(api.call(download_file, input).error().code, ErrorCode::PathOutsideWorkspace);
  EXPECT_TRUE(api.requests().empty());
}

TEST(Telegram, NeedsToBeToldWhereAFileIs) {
  TestApi api({json_answer(R"({"ok":true,"result":{"file_id":"F1"}})")});
  const JsonObject input{{"token", kToken}, {"fileId", "F1"}, {"apiBaseUrl", api.base()}};
  EXPECT_EQ(api.call(download_file, input).error().message,
            "[telegram] getFile result missing file_id/file_path");
}

}  // namespace
}  // namespace goondan::builtin::telegram
