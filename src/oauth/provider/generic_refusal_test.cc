#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/generic.h"
#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using testing::HasSubstr;
using testing::Not;

class GenericRefusalTest : public testing::Test {
 protected:
  std::unique_ptr<Provider> provider() { return make_provider(app_, http_, {}); }

  Answer<Tokens> exchange() {
    return provider()->exchange({.code = "C1",
                                 .code_verifier = "verifier-1",
                                 .redirect_uri = "http://127.0.0.1:1/cb",
                                 .scopes = {"a", "b"}},
                                test::soon());
  }

  test::FakeProvider fake_;
  net::HttpClient http_;
  App app_ = test::app_of(fake_);
};

constexpr const char* kFineTokens =
    R"({"access_token":"AT","token_type":"Bearer","expires_in":60,"refresh_token":"RT"})";

struct BadAnswer {
  std::string answer;
  Refusal refusal;
  const char* code;
};

// REQ: OAUTH-6
TEST_F(GenericRefusalTest, TellsRefusalsApart) {
  const std::string deep = std::string(40, '[') + std::string(40, ']');
  const BadAnswer cases[] = {
      {test::json_answer(R"({"error":"invalid_grant"})", "400 Bad Request"), Refusal::InvalidGrant,
       "invalid_grant"},
      {test::json_answer(R"({"error":"bad_verification_code"})"), Refusal::InvalidGrant,
       "bad_verification_code"},
      {test::json_answer(R"({"error":"invalid_client"})", "401 Unauthorized"), Refusal::Broken,
       "invalid_client"},
      {test::json_answer(R"({"error":{"type":"x"}})", "400 Bad Request"), Refusal::Broken,
       "http_400"},
      {"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>",
       Refusal::Broken, "http_403"},
      {test::json_answer("{}", "500 Oops"), Refusal::Retry, "http_500"},
      {test::json_answer(R"({"error":"invalid_grant"})", "503 Busy"), Refusal::Retry, "http_503"},
      {test::json_answer("{}", "429 Slow"), Refusal::Retry, "http_429"},
      {test::json_answer("{}", "408 Late"), Refusal::Retry, "http_408"},
      {test::json_answer("[]"), Refusal::Broken, "unusable_answer"},
      {test::json_answer("not json"), Refusal::Broken, "unusable_answer"},
      {test::json_answer(R"({"access_token":"a","access_token":"b","token_type":"bearer"})"),
       Refusal::Broken, "unusable_answer"},
      {test::json_answer(R"({"x":)" + deep + "}"), Refusal::Broken, "unusable_answer"},
      {test::json_answer(std::string(300 * 1024, ' ') + kFineTokens), Refusal::Broken,
       "unusable_answer"},
      {net::ok_answer(kFineTokens, "Content-Type: text/plain\r\n"), Refusal::Broken,
       "unusable_answer"},
      {net::ok_answer(kFineTokens), Refusal::Broken, "unusable_answer"},
      {"HTTP/1.1 204 No Content\r\n\r\n", Refusal::Broken, "unusable_answer"},
  };
  for (const BadAnswer& one : cases) {
    fake_.answer("/token", one.answer);
    const ProviderError error = test::refused(exchange());
    EXPECT_EQ(error.refusal, one.refusal) << one.answer.substr(0, 200);
    EXPECT_EQ(error.code, one.code) << one.answer.substr(0, 200);
  }
}

TEST_F(GenericRefusalTest, DoesNotFollowARedirectOfTheTokenEndpoint) {
  for (const char* status : {"301 Moved", "302 Found", "303 See", "307 Again", "308 Always"}) {
    fake_.answer("/token", "HTTP/1.1 " + std::string(status) + "\r\nLocation: " +
                               fake_.url("/elsewhere") + "\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(test::refused(exchange()).refusal, Refusal::Broken) << status;
  }
  EXPECT_TRUE(fake_.seen("/elsewhere").empty());
}

// The answer may be lost after the provider has changed its mind about the token.
TEST_F(GenericRefusalTest, TakesALostAnswerForNoAnswer) {
  fake_.answer("/token", "");
  net::TestServer cut([](net::TestConnection& connection) {
    connection.read_request();
    connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 80\r\n\r\n{\"ac");
  });
  app_.endpoints.token = cut.url("/token").text();
  EXPECT_EQ(test::refused(provider()->refresh("RT1", {}, test::soon())).refusal, Refusal::Retry);
  net::TestServer silent([](net::TestConnection& connection) { connection.read_request(); });
  app_.endpoints.token = silent.url("/token").text();
  EXPECT_EQ(test::refused(provider()->refresh("RT1", {}, test::soon())).refusal, Refusal::Retry);
}

TEST_F(GenericRefusalTest, EndsWithItsCaller) {
  net::TestServer silent([](net::TestConnection& connection) { connection.wait_for_end(); });
  app_.endpoints.token = silent.url("/token").text();
  const auto late = provider()->refresh("RT1", {}, {.deadline = Clock::now()});
  EXPECT_EQ(test::refused(late).refusal, Refusal::Retry);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = provider()->refresh(
      "RT1", {}, {.deadline = Clock::now() + std::chrono::seconds(60), .stop = stop.get_token()});
  EXPECT_EQ(test::refused(stopped).refusal, Refusal::Retry);
}

// REQ: OAUTH-7
TEST_F(GenericRefusalTest, SaysNoSecretInItsMessages) {
  const char* echoes[] = {
      R"({"error":"invalid_grant","error_description":"code C1 unknown"})",
      R"({"error":"invalid_grant","error_description":"verifier-1"})",
      R"({"error":"csec","error_description":"the secret csec"})",
  };
  for (const char* echo : echoes) {
    fake_.answer("/token", test::json_answer(echo, "400 Bad Request"));
    const ProviderError error = test::refused(exchange());
    for (const char* secret : {"C1", "verifier-1", "csec"}) {
      EXPECT_THAT(error.message + error.code, Not(HasSubstr(secret)));
    }
  }
  fake_.answer("/token",
               test::json_answer(R"({"error":"invalid_grant","error_description":"it is\nspent"})",
                                 "400 Bad Request"));
  EXPECT_THAT(test::refused(exchange()).message, HasSubstr("invalid_grant (it is spent)"));
}

}  // namespace
}  // namespace goondan::oauth
