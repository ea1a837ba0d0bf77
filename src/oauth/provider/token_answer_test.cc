#include "oauth/provider/token_answer.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using OddExpiry = TokenExpectation::OddExpiry;

Answer<Tokens> read(const std::string& fields, OddExpiry odd = OddExpiry::Refuse) {
  const std::string text = R"({"access_token":"AT","token_type":"bearer")" + fields + "}";
  const Result<Json> json = parse_json(text);
  EXPECT_TRUE(json.ok()) << text;
  return read_tokens(json->get_object(), {.scopes = {"a", "b"}, .odd_expiry = odd});
}

// REQ: OAUTH-6
TEST(TokenAnswer, IgnoresWhatItDoesNotKnow) {
  const auto answer =
      read(R"(,"refresh_token":"RT","expires_in":3600,"x":{"y":[1]},"id_token":"")");
  const Tokens& tokens = test::value_of(answer);
  EXPECT_EQ(tokens.access_token.reveal(), "AT");
  EXPECT_EQ(tokens.refresh_token.reveal(), "RT");
  EXPECT_EQ(tokens.token_type, "bearer");
  EXPECT_EQ(tokens.expires_in, seconds(3600));
  EXPECT_TRUE(tokens.id_token.empty());
}

struct Expiry {
  const char* text;
  std::optional<seconds> life;  // if it is a number
  bool number = true;
};

// REQ: OAUTH-5
TEST(TokenAnswer, JudgesHowLongATokenLives) {
  const Expiry cases[] = {
      {"null", std::nullopt},
      {"3600", seconds(3600)},
      {"3600.9", seconds(3600)},
      {"0", seconds(0)},
      {"-1", seconds(0)},
      {"-1e300", seconds(0)},
      {"1e18", kMaxTokenLife},
      {"9223372036854775807", kMaxTokenLife},
      {"18446744073709551615", kMaxTokenLife},
      {"1e300", kMaxTokenLife},
      {R"("3600")", seconds(0), false},
      {R"("soon")", seconds(0), false},
      {"true", seconds(0), false},
      {"[3600]", seconds(0), false},
      {"{}", seconds(0), false},
      {"123456789012345678901234567890e999", seconds(0), false},
  };
  for (const Expiry& one : cases) {
    const std::string field = std::string(R"(,"expires_in":)") + one.text;
    const auto exchanged = read(field, OddExpiry::Refuse);
    const auto refreshed = read(field, OddExpiry::Expired);
    EXPECT_EQ(test::value_of(refreshed).expires_in, one.life) << one.text;
    if (one.number) {
      EXPECT_EQ(test::value_of(exchanged).expires_in, one.life) << one.text;
    } else {
      EXPECT_EQ(test::refused(exchanged).refusal, Refusal::Broken) << one.text;
    }
  }
  EXPECT_EQ(test::value_of(read("")).expires_in, std::nullopt);
}

// REQ: OAUTH-3
TEST(TokenAnswer, NeverWidensScopes) {
  EXPECT_THAT(test::value_of(read("")).scopes, ElementsAre("a", "b"));
  EXPECT_THAT(test::value_of(read(R"(,"scope":null)")).scopes, ElementsAre("a", "b"));
  EXPECT_THAT(test::value_of(read(R"(,"scope":"b")")).scopes, ElementsAre("b"));
  EXPECT_THAT(test::value_of(read(R"(,"scope":"admin b a")")).scopes, ElementsAre("a", "b"));
  EXPECT_THAT(test::value_of(read(R"(,"scope":"a,b")")).scopes, ElementsAre("a", "b"));
  EXPECT_THAT(test::value_of(read(R"(,"scope":"  A  ")")).scopes, IsEmpty());
  EXPECT_THAT(test::value_of(read(R"(,"scope":"")")).scopes, IsEmpty());
  EXPECT_EQ(test::refused(read(R"(,"scope":["a"])")).refusal, Refusal::Broken);
}

TEST(TokenAnswer, RefusesWhatIsNoBearerToken) {
  const std::string long_token(kMaxTokenBytes + 1, 'x');
  const std::string answers[] = {
      R"({"access_token":"AT"})",
      R"({"access_token":"AT","token_type":"mac"})",
      R"({"access_token":"AT","token_type":["bearer"]})",
      R"({"token_type":"bearer"})",
      R"({"access_token":"","token_type":"bearer"})",
      R"({"access_token":null,"token_type":"bearer"})",
      R"({"access_token":7,"token_type":"bearer"})",
      R"({"access_token":"A T","token_type":"bearer"})",
      R"({"access_token":"AT\r\nX: y","token_type":"bearer"})",
      R"({"access_token":"\u00e9","token_type":"bearer"})",
      R"({"access_token":")" + long_token + R"(","token_type":"bearer"})",
      R"({"access_token":"AT","token_type":"bearer","refresh_token":"R\u0000T"})",
      R"({"access_token":"AT","token_type":"bearer","refresh_token":1})",
      R"({"access_token":"AT","token_type":"bearer","id_token":{}})",
  };
  for (const std::string& text : answers) {
    const Json json = parse_json(text).value();
    const ProviderError error = test::refused(read_tokens(json.get_object(), {}));
    EXPECT_EQ(error.refusal, Refusal::Broken) << text;
    EXPECT_EQ(error.message.find("AT"), std::string::npos) << error.message;
  }
}

TEST(TokenAnswer, TakesBearerInAnyCase) {
  const Json json = parse_json(R"({"access_token":"AT","token_type":"BEARER"})").value();
  EXPECT_EQ(test::value_of(read_tokens(json.get_object(), {})).token_type, "bearer");
}

}  // namespace
}  // namespace goondan::oauth
