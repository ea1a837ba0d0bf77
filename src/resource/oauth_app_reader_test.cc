#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resource/test_bundle.h"

namespace goondan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kBoth =
    "  endpoints: {authorizationUrl: https://a.example/a, tokenUrl: https://a.example/t}\n";

BundleReport oauth_app(const std::string& spec, const std::string& scopes = "[a, b]") {
  return test::check_yaml(
      "apiVersion: goondan.ai/v1\n"
      "kind: OAuthApp\n"
      "metadata: {name: app}\n"
      "spec:\n"
      "  client: {clientId: {value: id}}\n"
      "  scopes: " +
      scopes + "\n" + spec);
}

// What is said about the application; a bundle of one has no swarm, which is fine.
std::vector<std::string> said(const BundleReport& report) {
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.code != ErrorCode::ConfigSwarmMissing) messages.push_back(diagnostic.message);
  }
  return messages;
}

// REQ: OAUTH-6
TEST(OAuthAppReader, ReadsAllFields) {
  const BundleReport report = oauth_app(
      "  provider: acme\n"
      "  issuer: https://a.example\n"
      "  endpoints: {jwksUrl: https://a.example/keys, revokeUrl: https://a.example/r}\n"
      "  redirect: {callbackPath: /cb, baseUrl: https://me.example, port: 8080}\n"
      "  resource: https://api.example\n");
  EXPECT_THAT(said(report), IsEmpty());
  const OAuthAppResource& app = report.bundle->oauth_apps().front();
  EXPECT_EQ(app.issuer, "https://a.example");
  EXPECT_EQ(app.endpoints.at("jwksUrl"), "https://a.example/keys");
  EXPECT_EQ(app.redirect_port, 8080);
  EXPECT_EQ(app.resource, "https://api.example");
}

TEST(OAuthAppReader, TakesTheIssuerAmongTheEndpoints) {
  const BundleReport report =
      oauth_app("  provider: acme\n  endpoints: {issuer: https://a.example}\n");
  EXPECT_THAT(said(report), IsEmpty());
  EXPECT_EQ(report.bundle->oauth_apps().front().issuer, "https://a.example");
  EXPECT_THAT(report.bundle->oauth_apps().front().endpoints, IsEmpty());
}

TEST(OAuthAppReader, NeedsNoEndpointsWithAnIssuerOrForSlack) {
  EXPECT_THAT(said(oauth_app("  provider: acme\n  issuer: https://a.example\n")), IsEmpty());
  EXPECT_THAT(said(oauth_app("  provider: slack\n")), IsEmpty());
  EXPECT_THAT(said(oauth_app("  provider: acme\n")), ElementsAre("`endpoints` is missing"));
}

// REQ: OAUTH-8
TEST(OAuthAppReader, RefusesDeviceCodesThatNobodyGives) {
  const std::string device = "  provider: acme\n  flow: deviceCode\n";
  EXPECT_THAT(said(oauth_app(device + kBoth)), ElementsAre(HasSubstr("deviceAuthorizationUrl")));
  EXPECT_THAT(said(oauth_app("  provider: slack\n  flow: deviceCode\n")),
              ElementsAre(HasSubstr("deviceAuthorizationUrl")));
  EXPECT_THAT(said(oauth_app(device + "  issuer: https://a.example\n")), IsEmpty());
  EXPECT_THAT(said(oauth_app(device + "  endpoints: {tokenUrl: https://a.example/t,\n"
                                      "    deviceAuthorizationUrl: https://a.example/d}\n")),
              IsEmpty());
}

TEST(OAuthAppReader, SaysWhatIsWrong) {
  const std::string acme = std::string("  provider: acme\n") + kBoth;
  EXPECT_THAT(said(oauth_app("  provider: acme\n  issuer: https://a.example\n"
                             "  endpoints: {issuer: https://b.example}\n")),
              ElementsAre(HasSubstr("another issuer")));
  EXPECT_THAT(
      said(oauth_app("  provider: acme\n  endpoints: {authorizationUrl: https://a.example,\n"
                     "    tokenUrl: https://a.example, jwksUrl: https://a.example}\n")),
      ElementsAre(HasSubstr("`jwksUrl` needs the `issuer`")));
  EXPECT_THAT(said(oauth_app(acme + "  redirect: {port: 65536}\n")),
              ElementsAre(HasSubstr("port")));
  EXPECT_THAT(said(oauth_app(acme + "  options: {prompt: consent, state: fixed}\n")),
              ElementsAre(HasSubstr("`state` has no effect")));
}

// REQ: OAUTH-3
TEST(OAuthAppReader, TakesScopesThatCanBeAskedFor) {
  const std::string slack = "  provider: slack\n";
  EXPECT_THAT(said(oauth_app(slack, "['chat:write', 'https://a.example/auth/x.y']")), IsEmpty());
  for (const char* bad : {"['a b']", "['']", "['a\"b']", "['a\\b']", "['é']"}) {
    EXPECT_THAT(said(oauth_app(slack, bad)), ElementsAre(HasSubstr("is no scope"))) << bad;
  }
  EXPECT_THAT(said(oauth_app(slack, "[a, b, a]")), ElementsAre("the scope `a` is listed twice"));
}

}  // namespace
}  // namespace goondan
