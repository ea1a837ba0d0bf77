#include "oauth/provider/id_token.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/signing_fixture.h"

namespace goondan::oauth {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;

JsonObject good_claims() {
  return {{"iss", "https://a.example"}, {"aud", "cid"}, {"sub", "u1"},
          {"exp", kNow + 300},          {"iat", kNow},  {"nonce", "n1"}};
}

std::string problem_of(const JsonObject& claims,
                       SignatureAlgorithm algorithm = SignatureAlgorithm::Rs256) {
  return claims_problem({.algorithm = algorithm, .claims = claims}, {.issuer = "https://a.example",
                                                                     .client_id = "cid",
                                                                     .nonce = "n1",
                                                                     .access_token = "AT",
                                                                     .now = kNow});
}

// REQ: OAUTH-6
TEST(IdToken, IsCheckedWithEveryAlgorithm) {
  const CryptoLibrary library = CryptoLibrary::load().value();
  for (const char* algorithm : {"RS256", "PS256", "ES256", "EdDSA"}) {
    const test::SigningKey key = test::make_key(algorithm, "k1");
    const test::SigningKey other = test::make_key(algorithm, "k1");
    const std::vector<Jwk> keys = read_jwks(test::key_set({key, other}));
    ASSERT_EQ(keys.size(), 2) << algorithm;
    IdToken token = parse_id_token(test::signed_token(key, good_claims())).value();
    EXPECT_EQ(keys_for(token, keys).size(), 2);
    EXPECT_TRUE(signature_is_right(library, token, keys[0])) << algorithm;
    EXPECT_FALSE(signature_is_right(library, token, keys[1])) << algorithm;
    token.signed_text += "x";
    EXPECT_FALSE(signature_is_right(library, token, keys[0])) << algorithm;
    token.signed_text.pop_back();
    token.signature.back() = static_cast<char>(token.signature.back() ^ 1);
    EXPECT_FALSE(signature_is_right(library, token, keys[0])) << algorithm;
    token.signature.clear();
    EXPECT_FALSE(signature_is_right(library, token, keys[0])) << algorithm;
  }
}

TEST(IdToken, IsRefusedWithoutASignatureThatCountsForUs) {
  const test::SigningKey key = test::make_key("ES256", "k1");
  for (const char* algorithm : {"none", "None", "HS256", "HS512", "RS1", "ES512", "", "es256"}) {
    const Result<IdToken> token =
        parse_id_token(test::signed_token(key, good_claims(), {{"alg", algorithm}}));
    EXPECT_FALSE(token.ok()) << algorithm;
  }
  EXPECT_FALSE(
      parse_id_token(test::signed_token(key, good_claims(), {{"crit", JsonArray{}}})).ok());
  EXPECT_FALSE(parse_id_token(test::signed_token(key, good_claims(), {{"typ", "at+jwt"}})).ok());
  EXPECT_TRUE(parse_id_token(test::signed_token(key, good_claims(), {{"typ", "jwt"}})).ok());
}

TEST(IdToken, IsRefusedIfItIsNone) {
  const std::string good = test::signed_token(test::make_key("EdDSA", "k"), good_claims());
  const std::string header = good.substr(0, good.find('.'));
  for (const std::string& text :
       {std::string(), std::string("."), std::string(".."), std::string("a.b.c"), header,
        header + ".", header + "..", good + ".", good + "=", good + "\n", "." + good,
        header + ".W10.AA", header + "." + header.substr(1) + ".AA"}) {
    EXPECT_FALSE(parse_id_token(text).ok()) << text;
  }
}

// A key of one kind is never used as one of another.
TEST(IdToken, NeedsAKeyOfItsAlgorithm) {
  const test::SigningKey rsa = test::make_key("RS256", "k1");
  const IdToken token = parse_id_token(test::signed_token(rsa, good_claims())).value();
  JsonObject for_pss = test::public_jwk(rsa);
  for_pss["alg"] = "PS256";
  JsonObject for_encryption = test::public_jwk(rsa);
  for_encryption["use"] = "enc";
  JsonObject for_signing_only = test::public_jwk(rsa);
  for_signing_only["key_ops"] = JsonArray{"sign"};
  JsonObject of_another = test::public_jwk(rsa);
  of_another["kid"] = "k2";
  for (const JsonObject& jwk : {for_pss, for_encryption, for_signing_only, of_another}) {
    EXPECT_TRUE(keys_for(token, read_jwks({{"keys", JsonArray{jwk}}})).empty()) << to_text(jwk);
  }
  JsonObject for_any = test::public_jwk(rsa);
  for_any.erase("alg");
  for_any.erase("use");
  EXPECT_EQ(keys_for(token, read_jwks({{"keys", JsonArray{for_any}}})).size(), 1);
}

TEST(Jwks, LeaveOutWhatIsUnusable) {
  const JsonObject weak = test::public_jwk(test::make_key("RS256", "weak", 1024));
  const Json keys = parse_json(R"([1, {}, {"kty":"oct","k":"AAAA"},
    {"kty":"RSA","n":"","e":"AQAB"}, {"kty":"RSA","n":"!!","e":"AQAB"},
    {"kty":"EC","crv":"P-256","x":"AA","y":"AA"}, {"kty":"EC","crv":"P-521","x":"AA","y":"AA"},
    {"kty":"OKP","crv":"X25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}])")
                        .value();
  EXPECT_TRUE(read_jwks({{"keys", keys}}).empty());
  EXPECT_TRUE(read_jwks({{"keys", JsonArray{weak}}}).empty());
  EXPECT_TRUE(read_jwks({{"keys", "x"}}).empty());
  EXPECT_TRUE(read_jwks({}).empty());
  JsonArray many;
  const JsonObject one = test::public_jwk(test::make_key("EdDSA", "k"));
  for (std::size_t i = 0; i < kMaxJwks + 10; ++i) {
    many.push_back(one);
  }
  EXPECT_EQ(read_jwks({{"keys", many}}).size(), kMaxJwks);
}

// A point that is not on the curve is no key, whatever it signs.
TEST(Jwks, HoldPointsOfTheirCurve) {
  const CryptoLibrary library = CryptoLibrary::load().value();
  const test::SigningKey key = test::make_key("ES256", "k1");
  JsonObject jwk = test::public_jwk(key);
  jwk["y"] = jwk["x"];
  const std::vector<Jwk> keys = read_jwks({{"keys", JsonArray{jwk}}});
  ASSERT_EQ(keys.size(), 1);
  const IdToken token = parse_id_token(test::signed_token(key, good_claims())).value();
  EXPECT_FALSE(signature_is_right(library, token, keys[0]));
}

struct ClaimsCase {
  const char* what;
  std::function<void(JsonObject&)> change;
};

TEST(IdTokenClaims, AreFineWithinTheSkew) {
  const ClaimsCase cases[] = {
      {"as they are", [](auto&) {}},
      {"just expired", [](auto& all) { all["exp"] = kNow - 59; }},
      {"a little early", [](auto& all) { all["iat"] = kNow + 60; }},
      {"begins soon", [](auto& all) { all["nbf"] = kNow + 60; }},
      {"a list of one", [](auto& all) { all["aud"] = JsonArray{"cid"}; }},
      {"fractions", [](auto& all) { all["exp"] = static_cast<double>(kNow) + 0.5; }},
      {"named among others",
       [](auto& all) {
         all["aud"] = JsonArray{"other", "cid"};
         all["azp"] = "cid";
       }},
      // `printf AT | sha256sum`, the first half
      {"hash", [](auto& all) { all["at_hash"] = "61RCcFlp3I2l36yPlljcaA"; }},
  };
  for (const ClaimsCase& one : cases) {
    JsonObject claims = good_claims();
    one.change(claims);
    EXPECT_EQ(problem_of(claims), "") << one.what;
  }
}

// REQ: OAUTH-6
TEST(IdTokenClaims, AreRefusedIfOneIsWrong) {
  const ClaimsCase cases[] = {
      {"issuer", [](auto& all) { all["iss"] = "https://a.example/"; }},
      {"no issuer", [](auto& all) { all.erase("iss"); }},
      {"audience", [](auto& all) { all["aud"] = "other"; }},
      {"no audience", [](auto& all) { all.erase("aud"); }},
      {"audiences", [](auto& all) { all["aud"] = JsonArray{"other"}; }},
      {"empty audiences", [](auto& all) { all["aud"] = JsonArray{}; }},
      {"for others too",
       [](auto& all) {
         all["aud"] = JsonArray{"other", "cid"};
       }},
      {"issued to another", [](auto& all) { all["azp"] = "other"; }},
      {"expired", [](auto& all) { all["exp"] = kNow - 60; }},
      {"no end", [](auto& all) { all.erase("exp"); }},
      {"end as text", [](auto& all) { all["exp"] = "1900000000"; }},
      {"from the future", [](auto& all) { all["iat"] = kNow + 61; }},
      {"no beginning", [](auto& all) { all.erase("iat"); }},
      {"not yet", [](auto& all) { all["nbf"] = kNow + 61; }},
      {"not yet, as text", [](auto& all) { all["nbf"] = "0"; }},
      {"nonce", [](auto& all) { all["nonce"] = "n2"; }},
      {"no nonce", [](auto& all) { all.erase("nonce"); }},
      {"hash", [](auto& all) { all["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA"; }},
      {"hash of no text", [](auto& all) { all["at_hash"] = nullptr; }},
      {"no subject", [](auto& all) { all.erase("sub"); }},
      {"empty subject", [](auto& all) { all["sub"] = ""; }},
      {"long subject", [](auto& all) { all["sub"] = std::string(256, 'x'); }},
      {"subject of two lines", [](auto& all) { all["sub"] = "a\nb"; }},
      {"subject as number", [](auto& all) { all["sub"] = 1; }},
  };
  for (const ClaimsCase& one : cases) {
    JsonObject claims = good_claims();
    one.change(claims);
    EXPECT_NE(problem_of(claims), "") << one.what;
  }
}

TEST(IdTokenClaims, NeedAnIssuerToCompareWith) {
  JsonObject claims = good_claims();
  claims["iss"] = "";
  EXPECT_NE(claims_problem({.claims = claims}, {.client_id = "cid", .now = kNow}), "");
}

}  // namespace
}  // namespace goondan::oauth
