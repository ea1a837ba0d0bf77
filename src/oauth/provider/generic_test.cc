#include "oauth/provider/generic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pair;

class GenericProviderTest : public testing::Test {
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

constexpr const char* kTokens =
    R"({"access_token":"AT","token_type":"Bearer","expires_in":60,"refresh_token":"RT"})";

// REQ: OAUTH-6
TEST_F(GenericProviderTest, AsksTheBrowserForACodeWithPkce) {
  app_.resource = "https://api.example/";
  app_.options = {{"prompt", "consent"}, {"state", "evil"}, {"redirect_uri", "https://evil"}};
  app_.endpoints.authorization = "https://a.example/authorize?tenant=t&client_id=evil";
  const std::string url = provider()->authorization_url({.redirect_uri = "http://127.0.0.1:1/cb",
                                                         .scopes = {"a", "b"},
                                                         .state = "s t",
                                                         .code_challenge = "challenge",
                                                         .nonce = "n"});
  EXPECT_THAT(url, testing::StartsWith("https://a.example/authorize?tenant=t&"));
  EXPECT_THAT(url, HasSubstr("scope=a%20b"));
  EXPECT_THAT(url, Not(HasSubstr("evil")));
  const auto fields = test::Seen::parsed(url.substr(url.find('?') + 1));
  const std::map<std::string, std::string> expected = {{"tenant", "t"},
                                                       {"response_type", "code"},
                                                       {"client_id", "cid"},
                                                       {"redirect_uri", "http://127.0.0.1:1/cb"},
                                                       {"state", "s t"},
                                                       {"code_challenge", "challenge"},
                                                       {"code_challenge_method", "S256"},
                                                       {"scope", "a b"},
                                                       {"resource", "https://api.example/"},
                                                       {"prompt", "consent"}};
  EXPECT_EQ(fields, expected);
}

TEST_F(GenericProviderTest, SendsANonceWithOpenIdAndOnlyThen) {
  app_.endpoints.jwks = "https://a.example/keys";
  const std::string url = provider()->authorization_url({.scopes = {"openid"}, .nonce = "n1"});
  EXPECT_THAT(url, HasSubstr("&nonce=n1"));
  EXPECT_THAT(provider()->authorization_url({.scopes = {"a"}, .nonce = "n1"}),
              Not(HasSubstr("nonce")));
}

TEST_F(GenericProviderTest, ExchangesACode) {
  fake_.answer("/token", test::json_answer(kTokens));
  app_.resource = "https://api.example/";
  const auto answer = exchange();
  EXPECT_EQ(test::value_of(answer).access_token.reveal(), "AT");
  const test::Seen seen = fake_.last("/token");
  const std::map<std::string, std::string> expected = {{"grant_type", "authorization_code"},
                                                       {"code", "C1"},
                                                       {"redirect_uri", "http://127.0.0.1:1/cb"},
                                                       {"code_verifier", "verifier-1"},
                                                       {"client_id", "cid"},
                                                       {"client_secret", "csec"},
                                                       {"resource", "https://api.example/"}};
  EXPECT_EQ(seen.form(), expected);
  EXPECT_THAT(seen.head, HasSubstr("POST /token"));
  EXPECT_THAT(seen.head, HasSubstr("Accept: application/json"));
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: application/x-www-form-urlencoded"));
}

TEST_F(GenericProviderTest, RefreshesWithTheSameResource) {
  fake_.answer("/token", test::json_answer(R"({"access_token":"AT2","token_type":"bearer"})"));
  app_.resource = "https://api.example/";
  const auto answer = provider()->refresh("RT1", {"a"}, test::soon());
  EXPECT_EQ(test::value_of(answer).access_token.reveal(), "AT2");
  EXPECT_TRUE(test::value_of(answer).refresh_token.empty());
  EXPECT_THAT(test::value_of(answer).scopes, testing::ElementsAre("a"));
  const std::map<std::string, std::string> expected = {{"grant_type", "refresh_token"},
                                                       {"refresh_token", "RT1"},
                                                       {"client_id", "cid"},
                                                       {"client_secret", "csec"},
                                                       {"resource", "https://api.example/"}};
  EXPECT_EQ(fake_.last("/token").form(), expected);
}

TEST_F(GenericProviderTest, ShowsItsSecretInAHeaderIfAskedTo) {
  fake_.answer("/token", test::json_answer(kTokens));
  app_.client_authentication = App::ClientAuthentication::Basic;
  app_.client_secret = std::make_shared<const Secret>("s:c");
  test::value_of(exchange());
  const test::Seen seen = fake_.last("/token");
  EXPECT_THAT(seen.head, HasSubstr("Authorization: Basic Y2lkOnMlM0Fj\r\n"));  // cid:s%3Ac
  EXPECT_EQ(seen.form().count("client_secret"), 0);
}

TEST_F(GenericProviderTest, IsAPublicClientWithoutASecret) {
  fake_.answer("/token", test::json_answer(kTokens));
  app_.client_secret = nullptr;
  app_.client_authentication = App::ClientAuthentication::Basic;
  test::value_of(exchange());
  EXPECT_THAT(fake_.last("/token").form(), Contains(Pair("client_id", "cid")));
  EXPECT_EQ(fake_.last("/token").form().count("client_secret"), 0);
  EXPECT_THAT(fake_.last("/token").head, Not(HasSubstr("Authorization")));
}

TEST_F(GenericProviderTest, RevokesTheRefreshTokenFirst) {
  fake_.answer("/revoke", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  test::value_of(provider()->revoke(Secret("AT"), Secret("RT"), test::soon()));
  const std::vector<test::Seen> seen = fake_.seen("/revoke");
  ASSERT_EQ(seen.size(), 2);
  EXPECT_THAT(seen[0].form(),
              IsSupersetOf({Pair("token", "RT"), Pair("token_type_hint", "refresh_token"),
                            Pair("client_secret", "csec")}));
  EXPECT_THAT(seen[1].form(),
              IsSupersetOf({Pair("token", "AT"), Pair("token_type_hint", "access_token")}));
}

TEST_F(GenericProviderTest, SaysWhatBecameOfARevocation) {
  const auto revoke = [this] { return provider()->revoke(Secret("AT"), {}, test::soon()); };
  fake_.answer("/revoke",
               test::json_answer(R"({"error":"unsupported_token_type"})", "400 Bad Request"));
  test::value_of(revoke());
  fake_.answer("/revoke", test::json_answer("{}", "503 Busy"));
  EXPECT_EQ(test::refused(revoke()).refusal, Refusal::Retry);
  fake_.answer("/revoke", test::json_answer(R"({"error":"invalid_client"})", "401 No"));
  EXPECT_EQ(test::refused(revoke()).refusal, Refusal::Broken);
  EXPECT_EQ(fake_.seen("/revoke").size(), 3);
  app_.endpoints.revocation.clear();
  EXPECT_EQ(test::refused(revoke()).code, "revocation_unsupported") << "nothing was revoked";
  EXPECT_EQ(fake_.seen("/revoke").size(), 3);
}

TEST(Pkce, MakesVerifiersAndTheirChallenges) {
  const Secret verifier = new_code_verifier();
  EXPECT_EQ(verifier.size(), 43);
  EXPECT_FALSE(verifier.same_as(new_code_verifier().reveal()));
  // The example of RFC 7636, appendix B.
  EXPECT_EQ(code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

}  // namespace
}  // namespace goondan::oauth
