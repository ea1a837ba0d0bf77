#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oauth/provider/generic.h"
#include "oauth/provider/provider_fixture.h"

namespace goondan::oauth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kOpenId = "/.well-known/openid-configuration";
constexpr const char* kServer = "/.well-known/oauth-authorization-server";

class DiscoveryTest : public testing::Test {
 protected:
  DiscoveryTest() {
    app_.endpoints = {.issuer = fake_.url()};
    app_.discovery = App::Discovery::Yes;
  }

  // A document that is fine.
  [[nodiscard]] JsonObject document() const {
    return {{"issuer", fake_.url()},
            {"authorization_endpoint", fake_.url("/authorize")},
            {"token_endpoint", fake_.url("/token")},
            {"jwks_uri", fake_.url("/keys")},
            {"code_challenge_methods_supported", JsonArray{"plain", "S256"}},
            {"authorization_response_iss_parameter_supported", true}};
  }

  void publish(const JsonObject& document, const std::string& path = kOpenId) {
    fake_.answer(path, test::json_answer(to_text(document)));
  }

  Answer<std::monostate> prepare() {
    provider_ = make_provider(app_, http_, {});
    return provider_->prepare(test::soon());
  }

  test::FakeProvider fake_;
  net::HttpClient http_;
  App app_ = test::app_of(fake_);
  std::unique_ptr<Provider> provider_;
};

TEST(MetadataUrls, PutThePathWhereItBelongs) {
  EXPECT_THAT(metadata_urls("https://a.example"),
              ElementsAre("https://a.example/.well-known/openid-configuration",
                          "https://a.example/.well-known/oauth-authorization-server"));
  EXPECT_THAT(metadata_urls("https://a.example/t/1/"),
              ElementsAre("https://a.example/t/1/.well-known/openid-configuration",
                          "https://a.example/.well-known/oauth-authorization-server/t/1"));
}

// REQ: OAUTH-6
TEST_F(DiscoveryTest, ReadsTheMetadataOnce) {
  publish(document());
  test::value_of(prepare());
  test::value_of(provider_->prepare(test::soon()));
  EXPECT_EQ(fake_.seen(kOpenId).size(), 1);
  EXPECT_EQ(provider_->issuer(), fake_.url());
  EXPECT_TRUE(provider_->promises_issuer());
  EXPECT_THAT(provider_->authorization_url({}), HasSubstr(fake_.url("/authorize?")));
}

TEST_F(DiscoveryTest, AsksTheOtherPlaceToo) {
  JsonObject metadata = document();
  metadata["authorization_response_iss_parameter_supported"] = false;
  publish(metadata, kServer);
  test::value_of(prepare());
  EXPECT_EQ(fake_.seen(kServer).size(), 1);
  EXPECT_FALSE(provider_->promises_issuer());
}

TEST_F(DiscoveryTest, TakesAPageForNoMetadata) {
  fake_.answer(kOpenId, net::ok_answer("<html>", "Content-Type: text/html\r\n"));
  publish(document(), kServer);
  test::value_of(prepare());
  fake_.answer(kServer, test::json_answer("{}", "404 Not Found"));
  EXPECT_THAT(test::refused(prepare()).message, HasSubstr(kOpenId));
}

TEST_F(DiscoveryTest, IsDoneBeforeTheFirstUseIfNobodyPrepared) {
  publish(document());
  fake_.answer("/token", test::json_answer(R"({"access_token":"AT","token_type":"bearer"})"));
  const auto provider = make_provider(app_, http_, {});
  test::value_of(provider->exchange({.code = "C"}, test::soon()));
  EXPECT_EQ(fake_.seen("/token").size(), 1);
}

TEST_F(DiscoveryTest, FillsOnlyWhatIsNotWritten) {
  app_.endpoints.authorization = fake_.url("/mine");
  publish(document());
  test::value_of(prepare());
  EXPECT_THAT(provider_->authorization_url({}), HasSubstr("/mine?"));
}

TEST_F(DiscoveryTest, TriesAgainAfterAFailure) {
  fake_.answer(kOpenId, test::json_answer("{}", "503 Busy"));
  EXPECT_EQ(test::refused(prepare()).refusal, Refusal::Retry);
  EXPECT_TRUE(fake_.seen(kServer).empty());
  publish(document());
  test::value_of(provider_->prepare(test::soon()));
}

struct BadMetadata {
  const char* what;
  std::function<void(JsonObject&)> change;
};

// REQ: OAUTH-6
TEST_F(DiscoveryTest, RefusesMetadataItCannotTrust) {
  const std::string with_slash = fake_.url("/");
  const BadMetadata cases[] = {
      {"another issuer", [](auto& all) { all["issuer"] = "https://evil.example"; }},
      {"the issuer with a slash", [&](auto& all) { all["issuer"] = with_slash; }},
      {"no issuer", [](auto& all) { all.erase("issuer"); }},
      {"no S256", [](auto& all) { all["code_challenge_methods_supported"] = JsonArray{"plain"}; }},
      {"no methods", [](auto& all) { all.erase("code_challenge_methods_supported"); }},
      {"methods as text", [](auto& all) { all["code_challenge_methods_supported"] = "S256"; }},
      {"no token endpoint", [](auto& all) { all.erase("token_endpoint"); }},
      {"no authorization endpoint", [](auto& all) { all.erase("authorization_endpoint"); }},
      {"plain http", [](auto& all) { all["token_endpoint"] = "http://a.example/token"; }},
      {"metadata service", [](auto& all) { all["jwks_uri"] = "http://169.254.169.254/"; }},
      {"no URL", [](auto& all) { all["token_endpoint"] = "file:///etc/passwd"; }},
  };
  for (const BadMetadata& one : cases) {
    JsonObject metadata = document();
    one.change(metadata);
    publish(metadata);
    EXPECT_EQ(test::refused(prepare()).refusal, Refusal::Broken) << one.what;
  }
  EXPECT_TRUE(fake_.seen(kServer).empty());
  EXPECT_TRUE(fake_.seen("/token").empty());
}

TEST_F(DiscoveryTest, DoesNotLetAPublicIssuerPointToLoopback) {
  App app{.endpoints = {.issuer = "https://a.example"}};
  JsonObject metadata = document();
  metadata["issuer"] = "https://a.example";
  EXPECT_EQ(test::refused(read_metadata(metadata, app)).refusal, Refusal::Broken);
}

// Another port of this machine is not what the operator has named.
TEST_F(DiscoveryTest, ReachesOnlyWhatThePolicyAllows) {
  test::FakeProvider other;
  other.answer("/token", test::json_answer(R"({"access_token":"AT","token_type":"bearer"})"));
  for (const std::string& url :
       {other.url("/token"), std::string("https://169.254.169.254/token")}) {
    JsonObject metadata = document();
    metadata["token_endpoint"] = url;
    publish(metadata);
    test::value_of(prepare());
    const auto answer = provider_->exchange({.code = "C"}, test::soon());
    EXPECT_EQ(test::refused(answer).refusal, Refusal::Broken) << url;
  }
  EXPECT_TRUE(other.seen("/token").empty());
}

TEST_F(DiscoveryTest, NeedsNoPkceForDevices) {
  app_.flow = OAuthAppResource::Flow::DeviceCode;
  JsonObject metadata = document();
  metadata.erase("code_challenge_methods_supported");
  publish(metadata);
  EXPECT_THAT(test::refused(prepare()).message, HasSubstr("device_authorization_endpoint"));
  metadata["device_authorization_endpoint"] = fake_.url("/device");
  publish(metadata);
  test::value_of(prepare());
}

}  // namespace
}  // namespace goondan::oauth
