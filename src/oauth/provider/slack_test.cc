#include "oauth/provider/slack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SlackTest : public testing::Test {
 protected:
  SlackTest() {
    app_.provider = "slack";
    app_.scopes = {"chat:write", "channels:read", "search:read"};
  }

  Answer<Tokens> exchange(const std::string& body) {
    fake_.answer("/token", test::json_answer(body));
    return provider()->exchange(
        {.code = "C1", .code_verifier = "verifier-1", .scopes = app_.scopes}, test::soon());
  }

  std::unique_ptr<Provider> provider() { return make_provider(app_, http_, {}); }

  test::FakeProvider fake_;
  net::HttpClient http_;
  App app_ = test::app_of(fake_);
};

constexpr const char* kBoth = R"({"ok":true,"access_token":"xoxb-1","token_type":"bot",
  "scope":"chat:write,channels:read,admin","expires_in":43200,"refresh_token":"xoxe-1",
  "bot_user_id":"U0","app_id":"A1","team":{"id":"T111","name":"Team"},"enterprise":null,
  "authed_user":{"id":"U234","scope":"search:read","access_token":"xoxp-1","token_type":"user",
                 "expires_in":3600,"refresh_token":"xoxe-2"}})";

// REQ: OAUTH-6
TEST_F(SlackTest, AsksWithCommas) {
  app_.user_scopes = {"search:read"};
  const std::string url = provider()->authorization_url({.scopes = app_.scopes});
  const auto fields = test::Seen::parsed(url.substr(url.find('?') + 1));
  EXPECT_EQ(fields.at("scope"), "chat:write,channels:read");
  EXPECT_EQ(fields.at("user_scope"), "search:read");
  EXPECT_EQ(fields.at("code_challenge_method"), "S256");
  app_.user_scopes.clear();
  EXPECT_THAT(provider()->authorization_url({.scopes = app_.scopes}), Not(HasSubstr("user_scope")));
}

TEST_F(SlackTest, TakesTheTokenOfTheBot) {
  const auto answer = exchange(kBoth);
  const Tokens& tokens = test::value_of(answer);
  EXPECT_EQ(tokens.access_token.reveal(), "xoxb-1");
  EXPECT_EQ(tokens.refresh_token.reveal(), "xoxe-1");
  EXPECT_EQ(tokens.token_type, "bearer");
  EXPECT_EQ(tokens.expires_in, seconds(43200));
  EXPECT_THAT(tokens.scopes, ElementsAre("chat:write", "channels:read"));
  EXPECT_EQ(tokens.identity.global, "slack:team:T111");
  EXPECT_EQ(tokens.identity.user, "slack:user:T111:U234");
  EXPECT_EQ(to_text(tokens.provider_data),
            R"({"teamId":"T111","userId":"U234","botUserId":"U0","appId":"A1"})");
  const auto identity = provider()->identify(tokens, "", test::soon());
  EXPECT_EQ(test::value_of(identity).user, "slack:user:T111:U234");
}

TEST_F(SlackTest, TakesTheTokenOfThePersonForThePerson) {
  app_.subject_mode = OAuthAppResource::SubjectMode::User;
  const auto answer = exchange(kBoth);
  const Tokens& tokens = test::value_of(answer);
  EXPECT_EQ(tokens.access_token.reveal(), "xoxp-1");
  EXPECT_EQ(tokens.refresh_token.reveal(), "xoxe-2");
  EXPECT_EQ(tokens.expires_in, seconds(3600));
  EXPECT_THAT(tokens.scopes, ElementsAre("search:read"));
  const auto bot_only = exchange(R"({"ok":true,"access_token":"xoxb-1","token_type":"bot",
    "team":{"id":"T1"},"authed_user":{"id":"U2"}})");
  EXPECT_EQ(test::value_of(bot_only).access_token.reveal(), "xoxb-1");
  EXPECT_EQ(test::value_of(bot_only).identity.user, "slack:user:T1:U2");
}

TEST_F(SlackTest, TakesAnAnswerByTheRfcToo) {
  const auto answer = exchange(R"({"access_token":"AT9","token_type":"bearer","expires_in":3600,
    "scope":"chat:write channels:read"})");
  EXPECT_EQ(test::value_of(answer).access_token.reveal(), "AT9");
  EXPECT_THAT(test::value_of(answer).scopes, ElementsAre("chat:write", "channels:read"));
  EXPECT_EQ(test::value_of(answer).identity.global, "");
}

TEST_F(SlackTest, BelievesNoNameThatIsNone) {
  const auto answer = exchange(R"({"ok":true,"access_token":"x","token_type":"bot",
    "team":{"id":"T1:U9"},"authed_user":{"id":"U2"}})");
  EXPECT_EQ(test::value_of(answer).identity.user, "");
  EXPECT_EQ(test::value_of(answer).identity.global, "");
  EXPECT_THAT(test::value_of(exchange(R"({"ok":true,"access_token":"x","token_type":"bot",
    "scope":7})"))
                  .scopes,
              IsEmpty());
}

struct SlackError {
  const char* code;
  Refusal refusal;
};

TEST_F(SlackTest, KnowsItsErrorsWithStatus200) {
  const SlackError cases[] = {
      {"invalid_code", Refusal::InvalidGrant},
      {"code_already_used", Refusal::InvalidGrant},
      {"invalid_refresh_token", Refusal::InvalidGrant},
      {"token_revoked", Refusal::InvalidGrant},
      {"token_expired", Refusal::InvalidGrant},
      {"ratelimited", Refusal::Retry},
      {"internal_error", Refusal::Retry},
      {"access_denied", Refusal::Denied},
      {"bad_client_secret", Refusal::Broken},
      {"bad_redirect_uri", Refusal::Broken},
  };
  for (const SlackError& one : cases) {
    const ProviderError error =
        test::refused(exchange(R"({"ok":false,"error":")" + std::string(one.code) + R"("})"));
    EXPECT_EQ(error.refusal, one.refusal) << one.code;
    EXPECT_EQ(error.code, one.code);
  }
  for (const char* body :
       {R"({"ok":false})", R"({"ok":"yes","access_token":"x","token_type":"bot"})",
        R"({"ok":false,"access_token":"x","token_type":"bot"})", R"({"ok":true})",
        R"({"ok":true,"access_token":"x","token_type":"app"})"}) {
    EXPECT_EQ(test::refused(exchange(body)).refusal, Refusal::Broken) << body;
  }
}

TEST_F(SlackTest, RevokesWithTheTokenItself) {
  fake_.answer("/revoke", test::json_answer(R"({"ok":true,"revoked":true})"));
  test::value_of(provider()->revoke(Secret("xoxb-1"), {}, test::soon()));
  const std::map<std::string, std::string> expected = {{"token", "xoxb-1"}};
  EXPECT_EQ(fake_.last("/revoke").form(), expected);
  fake_.answer("/revoke", test::json_answer(R"({"ok":false,"error":"token_revoked"})"));
  test::value_of(provider()->revoke(Secret("xoxb-1"), Secret("xoxe-1"), test::soon()));
  fake_.answer("/revoke", test::json_answer(R"({"ok":false,"error":"ratelimited"})"));
  EXPECT_EQ(test::refused(provider()->revoke(Secret("xoxb-1"), {}, test::soon())).refusal,
            Refusal::Retry);
}

}  // namespace
}  // namespace goondan::oauth
