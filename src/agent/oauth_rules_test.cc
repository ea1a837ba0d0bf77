#include "agent/oauth_rules.h"

#include <gtest/gtest.h>

#include "agent/swarm_plan.h"
#include "resource/test_folder.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kBundle = R"(
{apiVersion: goondan.ai/v1, kind: Model, metadata: {name: m}, spec: {provider: scripted, model: s.txt}}
---
{apiVersion: agents.example.io/v1alpha1, kind: OAuthApp, metadata: {name: svc}, spec: {provider: p,
  flow: authorizationCode, subjectMode: user, client: {clientId: {value: c}, clientSecret: {value: s}},
  endpoints: {authorizationUrl: "https://p.example/a", tokenUrl: "https://p.example/t"},
  scopes: [read, write], redirect: {callbackPath: /callback}}}
---
{apiVersion: agents.example.io/v1alpha1, kind: Tool, metadata: {name: old}, spec: {runtime: node,
  entry: code.mjs, auth: {oauthAppRef: {kind: OAuthApp, name: svc}, scopes: [read]},
  exports: [{name: old.go, description: d, parameters: {type: object}}]}}
---
{apiVersion: goondan.ai/v1, kind: Tool, metadata: {name: own}, spec: {entry: code.mjs,
  exports: [{name: go, description: d, parameters: {type: object}},
            {name: named, description: d, parameters: {type: object}}]}}
---
{apiVersion: agents.example.io/v1alpha1, kind: Extension, metadata: {name: ext}, spec: {runtime: node,
  entry: code.mjs}}
---
{apiVersion: goondan.ai/v1, kind: Agent, metadata: {name: a}, spec: {modelConfig: {modelRef: Model/m},
  tools: [Tool/old, Tool/own], extensions: [{ref: Extension/ext}, {ref: Extension/oauth,
  config: {tools: [{tool: own__named, app: svc, scopes: [read]}]}}]}}
---
{apiVersion: goondan.ai/v1, kind: Swarm, metadata: {name: main}, spec: {entryAgent: Agent/a,
  agents: [Agent/a]}}
)";

// "ok", or why the tool may not have a token of `svc` for these scopes.
std::string verdict(const OAuthRules& rules, const std::string& tool, JsonArray scopes) {
  const auto asked =
      rules.check(tool, JsonObject{{"oauthAppRef", "OAuthApp/svc"}, {"scopes", std::move(scopes)}});
  if (!asked.ok()) return asked.error().message;
  return asked->refused ? asked->refused->code : "ok";
}

TEST(OAuthRules, WhoMayHaveWhichTokens) {  // REQ: OAUTH-1, OAUTH-3
  goondan::test::TestFolder folder;
  folder.write("goondan.yaml", kBundle);
  folder.write("s.txt", "replies: [{ text: a }]");
  folder.write("code.mjs", "export const handlers = {}; export function register() {}");
  const PlanReport report = plan_swarm(folder.path(), "", {});
  ASSERT_TRUE(report.plan.has_value()) << (report.failure ? report.failure->error.message : "");
  const OAuthRules rules(*report.plan->find("a"));
  EXPECT_EQ(verdict(rules, "old.go", {"read"}), "ok");
  EXPECT_EQ(verdict(rules, "old.go", {"write"}), "scopeNotAllowed");
  EXPECT_EQ(verdict(rules, "own__named", {"read"}), "ok");
  EXPECT_EQ(verdict(rules, "own__named", {"write"}), "scopeNotAllowed");
  // An extension of the first dialect may register tools that ask; that opens nothing to others.
  EXPECT_EQ(verdict(rules, "own__go", {"read"}), "oauthAppNotAllowed");
  EXPECT_EQ(verdict(rules, "registered.later", {"write"}), "ok");
}

}  // namespace
}  // namespace goondan::agent
