#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/generic.h"
#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using std::chrono::seconds;

class DeviceTest : public testing::Test {
 protected:
  Answer<DeviceCode> start(const std::string& body, const std::string& status = "200 OK") {
    fake_.answer("/device", test::json_answer(body, status));
    return make_provider(app_, http_, {})->start_device({"a", "b"}, test::soon());
  }

  Answer<Tokens> poll(const std::string& body, const std::string& status) {
    fake_.answer("/token", test::json_answer(body, status));
    return make_provider(app_, http_, {})->poll_device("DC", {"a", "b"}, test::soon());
  }

  test::FakeProvider fake_;
  net::HttpClient http_;
  App app_ = test::app_of(fake_);
};

// REQ: OAUTH-8
TEST_F(DeviceTest, StartsWithACodeForTheUser) {
  const auto answer = start(R"({"device_code":"DC","user_code":"ABCD EFGH",
      "verification_uri":"https://a.example/device",
      "verification_uri_complete":"https://a.example/device?c=ABCD","expires_in":900,"interval":7})");
  const DeviceCode& code = test::value_of(answer);
  EXPECT_EQ(code.device_code.reveal(), "DC");
  EXPECT_EQ(code.user_code, "ABCD EFGH");
  EXPECT_EQ(code.verification_uri, "https://a.example/device");
  EXPECT_EQ(code.verification_uri_complete, "https://a.example/device?c=ABCD");
  EXPECT_EQ(code.expires_in, seconds(900));
  EXPECT_EQ(code.interval, seconds(7));
  const std::map<std::string, std::string> expected = {
      {"scope", "a b"}, {"client_id", "cid"}, {"client_secret", "csec"}};
  EXPECT_EQ(fake_.last("/device").form(), expected);
}

struct Times {
  const char* fields;
  seconds life;
  seconds interval;
};

TEST_F(DeviceTest, HasSaneTimes) {
  const Times cases[] = {
      {"", seconds(600), seconds(5)},
      {R"(,"expires_in":0,"interval":0)", seconds(1), seconds(1)},
      {R"(,"expires_in":-5,"interval":-5)", seconds(1), seconds(1)},
      {R"(,"expires_in":1e18,"interval":1e18)", seconds(3600), seconds(300)},
      {R"(,"expires_in":"60","interval":null)", seconds(600), seconds(5)},
  };
  for (const Times& one : cases) {
    const auto answer =
        start(R"({"device_code":"DC","user_code":"U","verification_url":"https://a.example/d")" +
              std::string(one.fields) + "}");
    EXPECT_EQ(test::value_of(answer).expires_in, one.life) << one.fields;
    EXPECT_EQ(test::value_of(answer).interval, one.interval) << one.fields;
  }
}

TEST_F(DeviceTest, RefusesAnAnswerNobodyCanUse) {
  const char* bodies[] = {
      R"({})",
      R"({"device_code":"","user_code":"U","verification_uri":"https://a.example/"})",
      R"({"device_code":"D C","user_code":"U","verification_uri":"https://a.example/"})",
      R"({"device_code":"DC","verification_uri":"https://a.example/"})",
      R"({"device_code":"DC","user_code":"a\u001b[2J","verification_uri":"https://a.example/"})",
      R"({"device_code":"DC","user_code":"U"})",
      R"({"device_code":"DC","user_code":"U","verification_uri":"http://a.example/"})",
      R"({"device_code":"DC","user_code":"U","verification_uri":"javascript:x"})",
  };
  for (const char* body : bodies) {
    EXPECT_EQ(test::refused(start(body)).refusal, Refusal::Broken) << body;
  }
  EXPECT_EQ(test::refused(start(R"({"error":"unauthorized_client"})", "400 No")).code,
            "unauthorized_client");
}

TEST_F(DeviceTest, IsRefusedWithoutAnEndpoint) {
  app_.endpoints.device_authorization.clear();
  EXPECT_EQ(test::refused(start("{}")).code, "device_code_unsupported");
  EXPECT_TRUE(fake_.seen("/device").empty());
}

struct Poll {
  const char* error;
  Refusal refusal;
};

// REQ: OAUTH-8
TEST_F(DeviceTest, PollsUntilThePersonHasDecided) {
  const Poll cases[] = {
      {"authorization_pending", Refusal::Pending}, {"slow_down", Refusal::SlowDown},
      {"access_denied", Refusal::Denied},          {"expired_token", Refusal::Expired},
      {"invalid_grant", Refusal::InvalidGrant},    {"invalid_client", Refusal::Broken},
  };
  for (const Poll& one : cases) {
    const auto answer = poll(R"({"error":")" + std::string(one.error) + R"("})", "400 Bad Request");
    EXPECT_EQ(test::refused(answer).refusal, one.refusal) << one.error;
  }
  EXPECT_EQ(test::refused(poll("{}", "500 Oops")).refusal, Refusal::Retry);
  const auto granted = poll(R"({"access_token":"AT","token_type":"bearer","scope":"a"})", "200 OK");
  EXPECT_EQ(test::value_of(granted).access_token.reveal(), "AT");
  EXPECT_THAT(test::value_of(granted).scopes, testing::ElementsAre("a"));
  const std::map<std::string, std::string> expected = {
      {"grant_type", "urn:ietf:params:oauth:grant-type:device_code"},
      {"device_code", "DC"},
      {"client_id", "cid"},
      {"client_secret", "csec"}};
  EXPECT_EQ(fake_.last("/token").form(), expected);
}

}  // namespace
}  // namespace goondan::oauth
