#include "v1alpha1/place.h"

#include <gtest/gtest.h>

#include "resource/test_bundle.h"

namespace goondan::v1alpha1 {
namespace {

constexpr std::string_view kBundle = R"(
apiVersion: goondan.ai/v1
kind: Model
metadata: { name: main }
spec: { provider: scripted, model: ./script.yaml }
---
apiVersion: agents.example.io/v1alpha1
kind: Tool
metadata: { name: calc, labels: { tier: base } }
spec: { runtime: node, entry: ./calc.js, exports: [ { name: calc.add } ] }
---
apiVersion: agents.example.io/v1alpha1
kind: Extension
metadata: { name: old }
spec: { runtime: node, entry: ./old.js }
---
apiVersion: goondan.ai/v1
kind: Agent
metadata: { name: helper }
spec:
  modelConfig: { modelRef: Model/main }
  tools: [ { ref: Tool/calc }, { ref: Tool/bash } ]
---
apiVersion: goondan.ai/v1
kind: Agent
metadata: { name: listener }
spec: { modelConfig: { modelRef: Model/main }, extensions: [ { ref: Extension/old } ] }
---
apiVersion: goondan.ai/v1
kind: Agent
metadata: { name: plain }
spec: { modelConfig: { modelRef: Model/main }, tools: [ { ref: Tool/bash } ] }
---
apiVersion: goondan.ai/v1
kind: Swarm
metadata: { name: default }
spec:
  entryAgent: Agent/helper
  agents: [ { ref: Agent/helper }, { ref: Agent/listener }, { ref: Agent/plain } ]
)";

Bundle bundle() {
  const BundleReport report =
      test::check_yaml(std::string(kBundle), {"calc.js", "old.js", "script.yaml"});
  std::string problems;
  for (const Diagnostic& one : report.diagnostics)
    problems += one.message + "\n";
  EXPECT_TRUE(report.ok()) << problems;
  return report.bundle.value();
}

Json place_of(const Bundle& all, std::string_view agent) {
  return make_place({.bundle = all,
                     .swarm_name = "default",
                     .agent_name = agent,
                     .instance_id = "helper@k",
                     .instance_key = "k"});
}

// REQ: CTX-3
TEST(Place, HasTheResourcesAsTheyAreWritten) {
  const Json place = place_of(bundle(), "helper");
  EXPECT_EQ(to_text(place.at("instance")), R"({"id":"helper@k","key":"k"})");
  EXPECT_EQ(place.at("swarm").at("kind"), "Swarm");
  EXPECT_EQ(place.at("swarm").at("spec").at("entryAgent"), "Agent/helper");
  EXPECT_EQ(place.at("agent").at("metadata").at("name"), "helper");
  EXPECT_EQ(place.at("agent").at("apiVersion"), "goondan.ai/v1");
  const Json& config = place.at("effectiveConfig");
  EXPECT_EQ(config.at("model").at("metadata").at("name"), "main");
  ASSERT_EQ(config.at("tools").as_array().size(), 1U);  // the built-in one is not written anywhere
  EXPECT_EQ(config.at("tools").at(0).at("metadata").at("labels").at("tier"), "base");
  EXPECT_EQ(place_of(bundle(), "listener").at("effectiveConfig").at("extensions").as_array().size(),
            1U);
}

TEST(Place, HasNullForWhatIsNotThere) {
  const Json place = place_of(bundle(), "nobody");
  EXPECT_EQ(place.at("agent"), nullptr);
  EXPECT_EQ(place.at("effectiveConfig").at("tools"), Json(JsonArray()));
}

// REQ: RES-12
TEST(FirstDialect, IsUsedByAgentsWithSuchAToolOrExtension) {
  const Bundle all = bundle();
  EXPECT_TRUE(uses_first_dialect(all, *all.find_agent("helper")));
  EXPECT_TRUE(uses_first_dialect(all, *all.find_agent("listener")));
  EXPECT_FALSE(uses_first_dialect(all, *all.find_agent("plain")));
}

}  // namespace
}  // namespace goondan::v1alpha1
