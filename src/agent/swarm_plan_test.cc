#include "agent/swarm_plan.h"

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "resource/test_folder.h"

namespace goondan::agent {
namespace {

using goondan::test::TestFolder;

std::string document(std::string_view kind, std::string_view name, std::string_view spec) {
  return "---\napiVersion: goondan.ai/v1\nkind: " + std::string(kind) +
         "\nmetadata: { name: " + std::string(name) + " }\nspec: " + std::string(spec) + "\n";
}

// Agents `a` (a prompt in a file, a tool of the bundle) and `b`, with a model each.
struct Bundle2 {
  Bundle2() {
    folder.write("prompt.md", "You are a.");
    folder.write("a.yaml.txt", "replies: [{ text: a }]");
    folder.write("b.yaml.txt", "replies: [{ text: b }]");
    folder.write("tool.js", "export const handlers = {};");
    write();
  }

  void write() {
    folder.write(
        "goondan.yaml",
        document("Model", "ma", "{ provider: scripted, model: a.yaml.txt }") +
            document("Model", "mb", "{ provider: scripted, model: b.yaml.txt }") +
            document("Tool", "own",
                     "{ entry: tool.js, exports: [{ name: go, description: d, parameters: { type: "
                     "object } }] }") +
            document("Agent", "a",
                     "{ modelConfig: { modelRef: Model/ma }, prompt: { systemRef: prompt.md }, "
                     "tools: [Tool/own, Tool/bash], policy: " +
                         policy_a + " }") +
            document("Agent", "b",
                     "{ modelConfig: { modelRef: Model/mb }, requiredTools: " + required_b + " }") +
            document(
                "Swarm", "main",
                "{ entryAgent: Agent/a, agents: [Agent/a, Agent/b], policy: " + policy + " }"));
  }

  PlanReport plan() const { return plan_swarm(folder.path(), "", {}); }

  std::map<std::string, std::string> fingerprints() const {
    std::map<std::string, std::string> all;
    const PlanReport report = plan();
    EXPECT_TRUE(report.plan.has_value()) << (report.failure ? report.failure->error.message : "");
    if (!report.plan) return all;
    for (const auto& agent : report.plan->agents)
      all[agent->agent.meta.name] = agent->fingerprint;
    return all;
  }

  TestFolder folder;
  std::string policy = "{}";
  std::string policy_a = "{}";
  std::string required_b = "[]";
};

TEST(SwarmPlan, HasEveryAgentOfTheSwarm) {
  const Bundle2 bundle;
  const PlanReport report = bundle.plan();
  ASSERT_TRUE(report.plan.has_value());
  EXPECT_EQ(report.plan->name, "main");
  EXPECT_EQ(report.plan->entry_agent, "a");
  const auto agent = report.plan->find("a");
  ASSERT_NE(agent, nullptr);
  EXPECT_EQ(agent->system_prompt, "You are a.");
  EXPECT_TRUE(agent->declared.contains("own__go"));
  EXPECT_TRUE(agent->declared.contains("bash__exec"));
  EXPECT_EQ(agent->bundle_tools, std::vector<std::string>{"own"});
  EXPECT_TRUE(agent->handle_tools.contains("handles__wait"));
  EXPECT_EQ(report.plan->find("c"), nullptr);
}

TEST(SwarmPlan, ChoosesTheGivenSwarmTheDefaultOrTheOnlyOne) {
  const auto choose = [](std::string_view first, std::string_view second, std::string_view given) {
    TestFolder folder;
    folder.write("s.txt", "replies: [{ text: a }]");
    std::string yaml = document("Model", "m", "{ provider: scripted, model: s.txt }") +
                       document("Agent", "a", "{ modelConfig: { modelRef: Model/m } }");
    for (const std::string_view name : {first, second}) {
      if (!name.empty())
        yaml += document("Swarm", name, "{ entryAgent: Agent/a, agents: [Agent/a] }");
    }
    folder.write("goondan.yaml", yaml);
    const PlanReport report = plan_swarm(folder.path(), given, {});
    if (report.plan) return report.plan->name;
    return report.failure->error.message + " " + report.failure->error.suggestion;
  };
  EXPECT_EQ(choose("one", "", ""), "one");
  EXPECT_EQ(choose("one", "default", ""), "default");
  EXPECT_EQ(choose("one", "default", "one"), "one");
  EXPECT_NE(choose("one", "two", "").find("one, two"), std::string::npos);
  EXPECT_NE(choose("one", "two", "three").find("one, two"), std::string::npos);
  EXPECT_NE(choose("", "", "").find("has no Swarm"), std::string::npos);
}

TEST(SwarmPlan, ReportsARequiredToolThatAnAgentDoesNotHave) {
  Bundle2 bundle;
  bundle.required_b = "[bash__exec]";
  bundle.write();
  const PlanReport report = bundle.plan();
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->error.code, ErrorCode::ConfigRefNotFound);
  EXPECT_GT(report.failure->diagnostics.front().position.line, 0U);
}

TEST(SwarmPlan, NarrowsThePolicyAndTakesAnEmptyListForNothing) {
  Bundle2 bundle;
  bundle.policy = "{ http: { allow: [x.example] }, files: { roots: [{ path: data }] } }";
  bundle.policy_a = "{ http: { allow: [] }, tools: { timeoutMs: 5 } }";
  bundle.write();
  const PlanReport report = bundle.plan();
  ASSERT_TRUE(report.plan.has_value());
  const Policy& a = report.plan->find("a")->policy;
  EXPECT_TRUE(a.http_allow.empty());
  ASSERT_EQ(a.file_roots.size(), 1U);
  EXPECT_EQ(a.file_roots[0].path, (bundle.folder.path() / "data").string());
  EXPECT_EQ(a.tool_timeout, std::chrono::milliseconds(5));
  EXPECT_EQ(report.plan->find("b")->policy.http_allow, std::vector<std::string>{"x.example"});
}

TEST(Fingerprint, ChangesOnlyForTheAgentsThatAChangeTouches) {
  Bundle2 bundle;
  const auto before = bundle.fingerprints();
  EXPECT_EQ(bundle.fingerprints(), before);
  EXPECT_NE(before.at("a"), before.at("b"));
  const auto touched = [&] {
    const auto after = bundle.fingerprints();
    std::string names;
    for (const auto& [name, fingerprint] : after)
      names += before.at(name) == fingerprint ? "" : name;
    return names;
  };
  const auto with = [&](std::string_view file, std::string_view text) {
    const std::string old = goondan::test::read_file(bundle.folder.path() / file);
    bundle.folder.write(file, text);
    const std::string names = touched();
    bundle.folder.write(file, old);
    return names;
  };
  EXPECT_EQ(with("prompt.md", "You are another."), "a");
  EXPECT_EQ(with("a.yaml.txt", "replies: [{ text: A }]"), "a");
  EXPECT_EQ(with("b.yaml.txt", "replies: [{ text: B }]"), "b");
  EXPECT_EQ(with("tool.js", "export const handlers = { go() {} };"), "a");
  EXPECT_EQ(with("README.md", "unrelated"), "");
  bundle.policy = "{ maxStepsPerTurn: 3 }";
  bundle.write();
  EXPECT_EQ(touched(), "ab");
}

}  // namespace
}  // namespace goondan::agent
