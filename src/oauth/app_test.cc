#include "oauth/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::oauth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

OAuthAppResource written() {
  return {.meta = {.name = "acme-app"},
          .provider = "acme",
          .client_id = {.value = "cid"},
          .client_secret = ValueSource{.env = "SECRET_OF_ACME"},
          .endpoints = {{"authorizationUrl", "https://a.example/authorize"},
                        {"tokenUrl", "https://a.example/token"}},
          .scopes = {"a", "b"}};
}

const ValueSource::Environment kEnvironment = {{"SECRET_OF_ACME", "csec"}};

App made(const OAuthAppResource& resource) {
  Result<App> app = make_app(resource, kEnvironment);
  EXPECT_TRUE(app.ok()) << (app.ok() ? "" : app.error().message);
  return app.ok() ? *std::move(app) : App{};
}

// REQ: OAUTH-6
TEST(OAuthApp, ResolvesItsValues) {
  OAuthAppResource resource = written();
  resource.base_url = "https://me.example/";
  resource.redirect_port = 8080;
  resource.resource = "https://api.example/v1";
  resource.options = {
      {"prompt", "consent"}, {"max_age", 60}, {"tokenEndpointAuthMethod", "client_secret_basic"}};
  const App app = made(resource);
  EXPECT_EQ(app.name, "acme-app");
  EXPECT_EQ(app.client_id, "cid");
  EXPECT_EQ(app.client_secret->reveal(), "csec");
  EXPECT_EQ(app.callback_path, "/oauth/callback/acme-app");
  EXPECT_EQ(app.base_url, "https://me.example");
  EXPECT_EQ(app.listen_port, 8080);
  EXPECT_EQ(app.resource, "https://api.example/v1");
  EXPECT_EQ(app.discovery, App::Discovery::No);
  EXPECT_EQ(app.client_authentication, App::ClientAuthentication::Basic);
  EXPECT_THAT(app.options, ElementsAre(Pair("prompt", "consent"), Pair("max_age", "60")));
}

TEST(OAuthApp, IsAPublicClientWithoutASecret) {
  OAuthAppResource resource = written();
  resource.client_secret.reset();
  EXPECT_EQ(made(resource).client_secret, nullptr);
}

TEST(OAuthApp, AsksTheIssuerForWhatIsNotWrittenDown) {
  OAuthAppResource resource = written();
  resource.issuer = "https://a.example";
  EXPECT_EQ(made(resource).discovery, App::Discovery::Yes);  // its keys are not known
  resource.endpoints["jwksUrl"] = "https://a.example/keys";
  EXPECT_EQ(made(resource).discovery, App::Discovery::No);
  resource.endpoints.clear();
  EXPECT_EQ(made(resource).discovery, App::Discovery::Yes);
  EXPECT_EQ(made(resource).endpoints.issuer, "https://a.example");
}

TEST(OAuthApp, KnowsTheEndpointsOfSlack) {
  OAuthAppResource resource = written();
  resource.provider = "slack";
  resource.endpoints.clear();
  resource.options = {{"userScopes", JsonArray{"b"}}};
  const App app = made(resource);
  EXPECT_EQ(app.endpoints.authorization, "https://slack.com/oauth/v2/authorize");
  EXPECT_EQ(app.endpoints.token, "https://slack.com/api/oauth.v2.access");
  EXPECT_EQ(app.endpoints.revocation, "https://slack.com/api/auth.revoke");
  EXPECT_THAT(app.user_scopes, ElementsAre("b"));
}

TEST(OAuthApp, SendsNoTokenToSlackThatAnotherHasGiven) {
  OAuthAppResource resource = written();
  resource.provider = "slack";
  EXPECT_EQ(made(resource).endpoints.revocation, "");
}

struct BadApp {
  const char* what;  // must stand in the message
  std::function<void(OAuthAppResource&)> change;
};

// REQ: OAUTH-6
TEST(OAuthApp, NamesTheFieldThatIsWrong) {
  const BadApp cases[] = {
      {"client.clientSecret", [](auto& app) { app.client_secret = ValueSource{.env = "UNSET"}; }},
      {"client.clientId", [](auto& app) { app.client_id = {.value = "has space"}; }},
      {"client.clientId", [](auto& app) { app.client_id = {.env = "UNSET"}; }},
      {"endpoints.tokenUrl", [](auto& app) { app.endpoints["tokenUrl"] = "http://a.example/t"; }},
      {"endpoints.tokenUrl", [](auto& app) { app.endpoints["tokenUrl"] = "ftp://a.example/t"; }},
      {"endpoints.tokenUrl", [](auto& app) { app.endpoints["tokenUrl"] = "/token"; }},
      {"endpoints.tokenUrl", [](auto& app) { app.endpoints.erase("tokenUrl"); }},
      {"endpoints.authorizationUrl", [](auto& app) { app.endpoints.erase("authorizationUrl"); }},
      {"endpoints.authorizationUrl",
       [](auto& app) { app.endpoints["authorizationUrl"] = "https://a.example/#x"; }},
      {"endpoints.revokeUrl", [](auto& app) { app.endpoints["revokeUrl"] = "http://10.0.0.1/"; }},
      {"endpoints.deviceAuthorizationUrl",
       [](auto& app) { app.flow = OAuthAppResource::Flow::DeviceCode; }},
      {"endpoints.jwksUrl", [](auto& app) { app.endpoints["jwksUrl"] = "https://a.example/k"; }},
      {"issuer", [](auto& app) { app.issuer = "http://a.example"; }},
      {"issuer", [](auto& app) { app.issuer = "https://a.example?x=1"; }},
      {"redirect.callbackPath", [](auto& app) { app.callback_path = "callback"; }},
      {"redirect.callbackPath", [](auto& app) { app.callback_path = "/a/../b"; }},
      {"redirect.callbackPath", [](auto& app) { app.callback_path = "/a?b"; }},
      {"redirect.baseUrl", [](auto& app) { app.base_url = "http://me.example"; }},
      {"resource", [](auto& app) { app.resource = "no uri"; }},
      {"resource", [](auto& app) { app.resource = "https://a.example/#x"; }},
      {"options.prompt",
       [](auto& app) {
         app.options = {{"prompt", JsonArray{}}};
       }},
      {"options.userScopes",
       [](auto& app) {
         app.options = {{"userScopes", JsonArray{"z"}}};
       }},
      {"options.tokenEndpointAuthMethod",
       [](auto& app) {
         app.options = {{"tokenEndpointAuthMethod", "none"}};
       }},
  };
  for (const BadApp& one : cases) {
    OAuthAppResource resource = written();
    one.change(resource);
    const Result<App> app = make_app(resource, kEnvironment);
    ASSERT_FALSE(app.ok()) << one.what;
    EXPECT_THAT(app.error().message, HasSubstr(one.what));
    EXPECT_THAT(app.error().message, HasSubstr("OAuthApp/acme-app"));
  }
}

TEST(OAuthApp, TakesPlainHttpForLoopbackOnly) {
  for (const char* url : {"http://127.0.0.1:81/t", "http://localhost/t", "http://[::1]:9000/t"}) {
    OAuthAppResource resource = written();
    resource.endpoints["tokenUrl"] = url;
    EXPECT_TRUE(make_app(resource, kEnvironment).ok()) << url;
  }
  for (const char* url : {"http://127.0.0.1.example/t", "http://localhost.example/t",
                          "http://128.0.0.1/t", "http://[::2]/t"}) {
    OAuthAppResource resource = written();
    resource.endpoints["tokenUrl"] = url;
    EXPECT_FALSE(make_app(resource, kEnvironment).ok()) << url;
  }
}

}  // namespace
}  // namespace goondan::oauth
