#include "model/http_model.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/http_fixture.h"

namespace goondan {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kHello =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: [DONE]\n\n";
constexpr std::string_view kClaude =
    "data: {\"type\":\"message_start\",\"message\":{}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"index\":0,"
    "\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
    "data: {\"type\":\"message_stop\"}\n\n";

// The same things can happen to both providers.
class HttpModelTest : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static std::string hello() {
    return std::string(GetParam() == "openai" ? kHello : kClaude);
  }

  Result<ModelReply> ask(ModelServer& server, std::string_view options = "{}") {
    return asked.ask(*model_for(resource_for(GetParam(), server.endpoint(), options)), heard);
  }

  Asked asked;
  Heard heard;
};

INSTANTIATE_TEST_SUITE_P(Providers, HttpModelTest, testing::Values("openai", "anthropic"),
                         [](const auto& one) { return one.param; });

TEST_P(HttpModelTest, AnswersAndUsesItsConnectionAgain) {
  ModelServer server({stream_answer(hello())});
  const auto model = model_for(resource_for(GetParam(), server.endpoint()));
  EXPECT_EQ(model->provider(), GetParam());
  EXPECT_EQ(model->id(), "m-1");
  for (int i = 0; i < 3; ++i) {
    const Result<ModelReply> reply = asked.ask(*model, heard);
    EXPECT_EQ(reply.value().text, "hello");
    EXPECT_EQ(reply->model, "m-1");
  }
  EXPECT_EQ(heard.text, "hellohellohello");
  EXPECT_EQ(server.accepted(), 1);
}

TEST_P(HttpModelTest, ReadsCompressedAnswers) {
  ModelServer server({net::ok_answer(gzipped(hello()), "Content-Encoding: gzip\r\n")});
  EXPECT_EQ(ask(server).value().text, "hello");
}

TEST_P(HttpModelTest, TriesAgainWhenTheServerIsBusyAndWaitsAsLongAsItAsks) {
  ModelServer server({error_answer("429 Too Many Requests", R"({"error":{"message":"slow down"}})",
                                   "Retry-After: 0.02\r\n"),
                      error_answer("529 Overloaded", "", "retry-after-ms: 3\r\n"),
                      error_answer("408 Request Timeout", ""), error_answer("500 Oops", "<html>"),
                      stream_answer(hello())});
  EXPECT_EQ(ask(server).value().text, "hello");
  ASSERT_EQ(heard.retries.size(), 4U);
  EXPECT_EQ(heard.retries[0].code, ErrorCode::ModelBusy);
  EXPECT_THAT(heard.retries[0].message, AllOf(StartsWith("Model/fast (http://127.0.0.1:"),
                                              testing::EndsWith(") answered 429: slow down")));
  EXPECT_GE(heard.waits[0], milliseconds(20));
  EXPECT_GE(heard.waits[1], milliseconds(3));
  EXPECT_EQ(heard.retries[2].code, ErrorCode::ModelTimeout);
  EXPECT_EQ(heard.retries[3].code, ErrorCode::Model);
  // Each try asks the same.
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(server.body(i), server.body(0));
  }
}

TEST_P(HttpModelTest, GivesUpAfterTheTriesThatAreAllowed) {
  ModelServer server({error_answer("503 Busy", R"({"error":"full"})")});
  const Result<ModelReply> reply = ask(server, R"({"maxRetries":2})");
  EXPECT_EQ(reply.error().code, ErrorCode::ModelBusy);
  EXPECT_THAT(reply.error().message, HasSubstr("answered 503: full"));
  EXPECT_THAT(reply.error().suggestion, HasSubstr("Model/fast"));
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_P(HttpModelTest, DoesNotTryAgainWhatCannotSucceed) {
  const std::vector<std::pair<std::string, ErrorCode>> cases{
      {"400 Bad Request", ErrorCode::ModelRefused},      {"401 Unauthorized", ErrorCode::ModelAuth},
      {"402 Payment Required", ErrorCode::ModelRefused}, {"403 Forbidden", ErrorCode::ModelAuth},
      {"404 Not Found", ErrorCode::ModelRefused},        {"413 Too Large", ErrorCode::ModelRefused},
      {"422 Unprocessable", ErrorCode::ModelRefused},    {"302 Found", ErrorCode::ModelRefused}};
  for (const auto& [status, code] : cases) {
    ModelServer server({error_answer(status, R"({"detail":"no"})",
                                     "x-should-retry: true\r\nLocation: http://127.0.0.1:1/\r\n")});
    ModelServer plain({error_answer(status, R"({"detail":"no"})")});
    const Result<ModelReply> reply = ask(plain);
    EXPECT_EQ(reply.error().code, code) << status;
    EXPECT_THAT(reply.error().message, HasSubstr("answered " + status.substr(0, 3) + ": no"));
    EXPECT_EQ(plain.requests().size(), 1U) << status;
    EXPECT_EQ(ask(server).error().code, code);
    EXPECT_EQ(server.requests().size(), 1U) << status;
  }
  ModelServer poor({error_answer("429 Too Many Requests",
                                 R"({"error":{"message":"pay","code":"insufficient_quota"}})")});
  EXPECT_EQ(ask(poor).error().code, ErrorCode::ModelRefused);
  EXPECT_EQ(poor.requests().size(), 1U);
  ModelServer told({error_answer("500 Oops", "", "x-should-retry: false\r\n")});
  EXPECT_EQ(ask(told).error().code, ErrorCode::Model);
  EXPECT_EQ(told.requests().size(), 1U);
}

TEST_P(HttpModelTest, DoesNotWaitPastTheDeadline) {
  ModelServer server({error_answer("429 Too Many Requests", "", "Retry-After: 100000\r\n")});
  const Result<ModelReply> reply = ask(server);
  EXPECT_EQ(reply.error().code, ErrorCode::ModelBusy);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_P(HttpModelTest, BeginsAnewWhenAStreamIsCut) {
  const std::string half = stream_answer(hello().substr(0, hello().size() / 2));
  const std::string whole = stream_answer(hello());
  ModelServer server({std::string(ModelServer::kCut) + whole.substr(0, whole.size() / 2), half,
                      std::string(ModelServer::kCut) + "HTTP/1.1 2",
                      std::string(ModelServer::kCut) + "garbage\r\n\r\n", whole});
  EXPECT_EQ(ask(server).value().text, "hello");
  EXPECT_EQ(heard.retries.size(), 4U);
  EXPECT_EQ(heard.text, "hello");
  EXPECT_EQ(heard.retries[1].code, ErrorCode::ModelReply);
}

TEST_P(HttpModelTest, TakesAnAnswerThatIsCompleteBeforeTheConnectionBreaks) {
  const std::string whole = stream_answer(hello());
  ModelServer server({std::string(ModelServer::kCut) + whole.substr(0, whole.size() - 5)});
  EXPECT_EQ(ask(server).value().text, "hello");
  EXPECT_TRUE(heard.retries.empty());
}

TEST_P(HttpModelTest, TriesAgainAfterAnErrorInTheStream) {
  const std::string busy =
      "event: error\ndata: {\"type\":\"error\",\"error\":"
      "{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
  ModelServer server({stream_answer(busy), stream_answer(hello())});
  EXPECT_EQ(ask(server).value().text, "hello");
  ASSERT_EQ(heard.retries.size(), 1U);
  EXPECT_EQ(heard.retries[0].code, ErrorCode::ModelBusy);
  const std::string bad =
      "event: error\ndata: {\"type\":\"error\",\"error\":"
      "{\"type\":\"invalid_request_error\",\"message\":\"no\"}}\n\n";
  ModelServer refusing({stream_answer(bad)});
  EXPECT_EQ(ask(refusing).error().code, ErrorCode::ModelRefused);
  EXPECT_EQ(refusing.requests().size(), 1U);
}

TEST_P(HttpModelTest, SaysSoWhenTheAnswerIsNone) {
  ModelServer server({net::ok_answer("<html>please log in</html>")});
  const Result<ModelReply> reply = ask(server, R"({"maxRetries":1})");
  EXPECT_EQ(reply.error().code, ErrorCode::ModelReply);
  EXPECT_THAT(reply.error().message, HasSubstr("<html>please log in</html>"));
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_P(HttpModelTest, EndsWhenTheServerNeverAnswers) {
  ModelServer server({""});
  const Result<ModelReply> reply = ask(server, R"({"maxRetries":1,"idleTimeoutMs":30})");
  EXPECT_EQ(reply.error().code, ErrorCode::ModelTimeout);
  EXPECT_THAT(reply.error().message, HasSubstr("got nothing from the server for 30 ms"));
  EXPECT_THAT(reply.error().suggestion, HasSubstr("options.idleTimeoutMs"));
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_P(HttpModelTest, KeepsTheDeadline) {
  ModelServer server({""});
  asked.time = milliseconds(40);
  EXPECT_EQ(ask(server).error().code, ErrorCode::ModelTimeout);
  asked.time = milliseconds(60'000);
  EXPECT_EQ(ask(server, R"({"timeoutMs":40})").error().code, ErrorCode::ModelTimeout);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_P(HttpModelTest, CanBeStoppedWhileItAnswersAndWhileItWaits) {
  ModelServer silent({""});
  ModelServer busy({error_answer("429 Busy", "", "Retry-After: 50\r\n")});
  for (ModelServer* server : {&silent, &busy}) {
    std::stop_source source;
    asked.stop = source.get_token();
    std::jthread stopper([&] {
      while (server->requests().empty()) {
        std::this_thread::yield();
      }
      source.request_stop();
    });
    EXPECT_EQ(ask(*server).error().code, ErrorCode::ToolCancelled);
  }
}

TEST_P(HttpModelTest, TriesAgainWhenNobodyListens) {
  std::string endpoint;
  {
    ModelServer gone({""});
    endpoint = gone.endpoint();
  }
  const auto model = model_for(resource_for(GetParam(), endpoint, R"({"maxRetries":2})"));
  const Result<ModelReply> reply = asked.ask(*model, heard);
  EXPECT_EQ(reply.error().code, ErrorCode::Network);
  EXPECT_THAT(reply.error().message, StartsWith("Model/fast: POST http://127.0.0.1:"));
  EXPECT_EQ(heard.retries.size(), 2U);
}

TEST_P(HttpModelTest, DoesNotReadWithoutEnd) {
  const std::string part = "data: " + std::string(kMaxEventBytes, 'x');
  ModelServer server({std::string(ModelServer::kCut) +
                      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + part + part});
  const Result<ModelReply> reply = ask(server);
  EXPECT_EQ(reply.error().code, ErrorCode::ModelReply);
  EXPECT_THAT(reply.error().message, HasSubstr("sent more than is allowed"));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_P(HttpModelTest, SendsTheKeyAndShowsItNowhere) {
  const std::string key = "sk-very-secret-key-0123456789";
  ModelServer server(
      {error_answer("401 Unauthorized",
                    R"({"error":{"message":"Incorrect API key provided: )" + key + R"("}})")});
  ModelResource resource =
      resource_for(GetParam(), server.endpoint(), R"({"headers":{"X-Title":"t"}})");
  resource.api_key = ValueSource{.env = "KEY"};
  auto redactor = std::make_shared<Redactor>();
  const ModelServices services{.environment = {{"KEY", key + "\n"}}, .redactor = redactor};
  const auto model = make_model(resource, services).value();
  const Result<ModelReply> reply = asked.ask(*model, heard);
  EXPECT_EQ(reply.error().code, ErrorCode::ModelAuth);
  EXPECT_THAT(reply.error().message, AllOf(HasSubstr("[redacted]"), Not(HasSubstr("secret"))));
  EXPECT_EQ(redactor->redact(key), kRedacted);
  const std::string header =
      GetParam() == "openai" ? "Authorization: Bearer " + key : "x-api-key: " + key;
  EXPECT_THAT(server.requests().at(0),
              AllOf(HasSubstr("\r\n" + header + "\r\n"), HasSubstr("\r\nX-Title: t\r\n"),
                    HasSubstr("\r\nContent-Type: application/json\r\n")));
}

TEST_P(HttpModelTest, ShowsNoKeyThatAHeaderOfTheOptionsCarries) {
  ModelServer server({error_answer("401 Unauthorized", "abcd-efgh-1 and ijkl-mnop-2: no")});
  const Result<ModelReply> reply =
      ask(server, R"({"headers":{"Api-Key":"abcd-efgh-1","X-Authorization":"Basic ijkl-mnop-2"}})");
  EXPECT_THAT(reply.error().message, HasSubstr("[redacted] and [redacted]: no"));
}

TEST_P(HttpModelTest, CutsLongMessagesOfTheProvider) {
  ModelServer server({error_answer("400 Bad Request", std::string(5000, 'x'))});
  EXPECT_LT(ask(server).error().message.size(), 700U);
}

TEST_P(HttpModelTest, CanBeAskedByManyThreadsAtOnce) {
  ModelServer server({stream_answer(hello())});
  const auto model = model_for(resource_for(GetParam(), server.endpoint()));
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      Heard own;
      if (asked.ask(*model, own).ok() && own.text == "hello") ++good;
    });
  }
  threads.clear();
  EXPECT_EQ(good, 8);
}

TEST(MakeModel, RefusesWhatCannotWork) {
  const auto problem = [](const ModelResource& resource) {
    return make_model(resource, {}).error();
  };
  EXPECT_EQ(problem(resource_for("opnai", "")).message,
            "Model/fast has the provider 'opnai', which is not known");
  EXPECT_THAT(problem(resource_for("opnai", "")).suggestion, StartsWith("Did you mean 'openai'?"));
  EXPECT_EQ(problem(resource_for("opnai", "")).code, ErrorCode::ModelConfig);
  EXPECT_EQ(problem(resource_for("openai", "")).code, ErrorCode::ConfigValueMissing);
  EXPECT_THAT(problem(resource_for("anthropic", "")).suggestion, HasSubstr("ANTHROPIC_API_KEY"));
  EXPECT_THAT(problem(resource_for("openai", "nonsense")).message,
              StartsWith("Model/fast: `endpoint` is no URL that can be used: "));
  EXPECT_THAT(problem(resource_for("openai", "http://h", R"({"maxRetry":1})")).message,
              StartsWith("Model/fast: `options` has no field"));
  ModelResource keyed = resource_for("openai", "");
  keyed.api_key = ValueSource{.env = "NOT_SET"};
  EXPECT_EQ(problem(keyed).code, ErrorCode::ConfigValueMissing);
  EXPECT_THAT(problem(keyed).message, StartsWith("`apiKey` of Model/fast: "));
  keyed.api_key = ValueSource{.value = "two\nlines"};
  EXPECT_EQ(problem(keyed).code, ErrorCode::ModelConfig);
}

TEST(MakeModel, TellsParametersThatMayNotBeSet) {
  ModelServer server({""});
  Asked asked{.params = JsonObject{{"stream", false}}};
  Heard heard;
  const auto model = model_for(resource_for("openai", server.endpoint()));
  const Result<ModelReply> reply = asked.ask(*model, heard);
  EXPECT_EQ(reply.error().code, ErrorCode::ModelConfig);
  EXPECT_THAT(reply.error().message, StartsWith("Model/fast: `modelConfig.params` of the agent"));
  EXPECT_TRUE(server.requests().empty());
}

TEST_P(HttpModelTest, TakesAnErrorForOneWhateverItsBodyLooksLike) {
  ModelServer server({error_answer("400 Bad Request",
                                   "event: error\ndata: {\"error\":{\"message\":\"no\"}}\n\n")});
  EXPECT_EQ(ask(server).error().code, ErrorCode::ModelRefused);
  EXPECT_EQ(server.requests().size(), 1U);
  ModelServer answer({error_answer("403 Forbidden", hello())});
  EXPECT_EQ(ask(answer).error().code, ErrorCode::ModelAuth);
  EXPECT_EQ(heard.text, "");
}

TEST_P(HttpModelTest, DoesNotListenToAServerThatGoesOnAfterItsEnd) {
  net::TestServer server([answer = hello()](net::TestConnection& connection) {
    connection.read_request();
    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + answer);
    while (connection.send(": still here\n\n")) {
    }
  });
  Heard own;
  const ModelResource resource = resource_for(GetParam(), server.url("/v1").text());
  EXPECT_EQ(Asked().ask(*model_for(resource), own).value().text, "hello");
}

TEST_P(HttpModelTest, TellsNoPartOfTheKeyWhereverAMessageIsCut) {
  const std::string key = "k3Yq8Zr2Wv7Tn5Xb9Lm4";
  for (const std::size_t before : {70, 110, 115, 290, 295, 490, 495}) {
    for (const std::string_view status : {"500 Oops", "200 OK"}) {
      ModelServer server({error_answer(status, std::string(before, 'x') + key + "yyy")});
      ModelResource resource = resource_for(GetParam(), server.endpoint(), R"({"maxRetries":0})");
      resource.api_key = ValueSource{.env = "KEY"};
      const auto model = make_model(resource, {.environment = {{"KEY", key}}}).value();
      const std::string message = asked.ask(*model, heard).error().message;
      EXPECT_THAT(message, Not(HasSubstr(key.substr(0, 4)))) << before << " " << status;
    }
  }
}

}  // namespace
}  // namespace goondan
