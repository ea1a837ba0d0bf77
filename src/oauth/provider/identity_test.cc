#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/generic.h"
#include "oauth/provider/provider_fixture.h"
#include "oauth/provider/signing_fixture.h"

namespace goondan::oauth {
namespace {

using testing::HasSubstr;
using testing::Not;

class IdentityTest : public testing::Test {
 protected:
  IdentityTest() {
    app_.endpoints.issuer = fake_.url();
    app_.endpoints.jwks = fake_.url("/keys");
    publish({key_});
  }

  void publish(const std::vector<test::SigningKey>& keys) {
    fake_.answer("/keys", test::json_answer(to_text(test::key_set(keys))));
  }

  [[nodiscard]] JsonObject claims() const {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    return {{"iss", fake_.url()}, {"aud", "cid"}, {"sub", "u1"},
            {"exp", now + 3600},  {"iat", now},   {"nonce", "n1"}};
  }

  static Answer<Identity> identify(Provider& provider, const std::string& id_token) {
    const Tokens tokens{.access_token = Secret("AT"), .id_token = Secret(id_token)};
    return provider.identify(tokens, "n1", test::soon());
  }

  std::unique_ptr<Provider> provider() { return make_provider(app_, http_, {}); }

  test::FakeProvider fake_;
  net::HttpClient http_;
  App app_ = test::app_of(fake_);
  test::SigningKey key_ = test::make_key("ES256", "k1");
};

// REQ: OAUTH-6
TEST_F(IdentityTest, ComesFromACheckedIdToken) {
  const auto provider = this->provider();
  const std::string token = test::signed_token(key_, claims());
  EXPECT_EQ(test::value_of(identify(*provider, token)).user, "acme:user:u1");
  EXPECT_EQ(test::value_of(identify(*provider, token)).global, "");
  EXPECT_EQ(fake_.seen("/keys").size(), 1);
}

TEST_F(IdentityTest, IsRefusedWithAWrongSignatureOrClaim) {
  const auto provider = this->provider();
  test::SigningKey impostor = test::make_key("ES256", "k1");
  EXPECT_EQ(test::refused(identify(*provider, test::signed_token(impostor, claims()))).code,
            "invalid_id_token");
  JsonObject wrong = claims();
  wrong["aud"] = "other";
  EXPECT_EQ(test::refused(identify(*provider, test::signed_token(key_, wrong))).refusal,
            Refusal::Broken);
  const auto unsigned_token =
      identify(*provider, test::signed_token(key_, claims(), {{"alg", "none"}}));
  EXPECT_EQ(test::refused(unsigned_token).refusal, Refusal::Broken);
  EXPECT_EQ(fake_.seen("/keys").size(), 1);
}

TEST_F(IdentityTest, FetchesNewKeysOnceForAKeyItDoesNotKnow) {
  const auto provider = this->provider();
  test::value_of(identify(*provider, test::signed_token(key_, claims())));
  const test::SigningKey next = test::make_key("EdDSA", "k2");
  publish({key_, next});
  test::value_of(identify(*provider, test::signed_token(next, claims())));
  EXPECT_EQ(fake_.seen("/keys").size(), 2);
  const test::SigningKey unknown = test::make_key("EdDSA", "k3");
  EXPECT_EQ(test::refused(identify(*provider, test::signed_token(unknown, claims()))).code,
            "invalid_id_token");
  EXPECT_EQ(fake_.seen("/keys").size(), 3);
}

TEST_F(IdentityTest, FollowsKeysWithoutNames) {
  const auto provider = this->provider();
  test::SigningKey nameless = test::make_key("ES256", "");
  publish({key_, nameless});
  test::value_of(identify(*provider, test::signed_token(nameless, claims())));
  test::SigningKey next = test::make_key("ES256", "");
  publish({next});
  test::value_of(identify(*provider, test::signed_token(next, claims())));
}

TEST_F(IdentityTest, IsNotKnownWhileTheKeysCannotBeRead) {
  fake_.answer("/keys", test::json_answer("{}", "502 Gone"));
  EXPECT_EQ(test::refused(identify(*provider(), test::signed_token(key_, claims()))).refusal,
            Refusal::Retry);
  fake_.answer("/keys", test::json_answer(R"({"keys":[]})"));
  EXPECT_EQ(test::refused(identify(*provider(), test::signed_token(key_, claims()))).refusal,
            Refusal::Broken);
}

TEST_F(IdentityTest, ComesFromTheUserInfoWithoutAnIdToken) {
  app_.endpoints.user_info = fake_.url("/me");
  fake_.answer("/me", test::json_answer(R"({"sub":"u7","email":"x"})"));
  EXPECT_EQ(test::value_of(identify(*provider(), "")).user, "acme:user:u7");
  EXPECT_THAT(fake_.last("/me").head, HasSubstr("Authorization: Bearer AT\r\n"));
}

TEST_F(IdentityTest, IsRefusedIfTheUserInfoNamesNobody) {
  app_.endpoints.user_info = fake_.url("/me");
  for (const char* body : {"{}", R"({"sub":7})", R"({"sub":""})", R"({"sub":"a\u0000"})"}) {
    fake_.answer("/me", test::json_answer(body));
    EXPECT_EQ(test::refused(identify(*provider(), "")).refusal, Refusal::Broken) << body;
  }
  fake_.answer("/me", test::json_answer(R"({"error":"invalid_token","error_description":"AT"})",
                                        "401 Unauthorized"));
  EXPECT_THAT(test::refused(identify(*provider(), "")).message, Not(HasSubstr("AT")));
}

// An id token that cannot be checked says nothing.
TEST_F(IdentityTest, IsUnknownWithoutKeysAndUserInfo) {
  app_.endpoints.jwks.clear();
  EXPECT_EQ(test::value_of(identify(*provider(), test::signed_token(key_, claims()))).user, "");
}

}  // namespace
}  // namespace goondan::oauth
