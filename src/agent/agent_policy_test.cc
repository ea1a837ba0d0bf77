// That what a bundle says under `policy.tools` is in force where the calls are run.
#include <gtest/gtest.h>

#include "agent/process_fixture.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

using test::calling;
using test::TestSwarm;

struct Policies {
  std::string swarm = "{}";
  std::string agent = "{}";
};

// What an agent with these policies answers to its one message.
std::string answer(const Policies& policies, std::string_view script) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "bash", .policy = policies.agent}}, script,
                     policies.swarm);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "go");
  return text_field(agent->next_event("turn_done"), "response");
}

TEST(AgentPolicy, LimitsTheTimeOfACallToTheLesserOfTheTwo) {
  const std::string script = calling("bash__exec", "{ command: 'sleep 50', timeoutMs: 55000 }");
  for (const Policies& policies : {Policies{.swarm = "{ tools: { timeoutMs: 300 } }"},
                                   Policies{.swarm = "{ tools: { timeoutMs: 50000 } }",
                                   .agent = "{ tools: { timeoutMs: 300 } }"},
                                   Policies{.swarm = "{ tools: { timeoutMs: 300 } }",
                                   .agent = "{ tools: { timeoutMs: 50000 } }"}}) {
    const std::string text = answer(policies, script);
    EXPECT_TRUE(text.find("timedOut\":true") != text.npos || text.starts_with("E_TOOL_TIMEOUT"))
        << text;
  }
}

TEST(AgentPolicy, LimitsHowManyCallsRunAtOnce) {  // REQ: CALL-10
  // Each fails if another holds the folder.
  const std::string one =
      "{ tool: bash__exec, args: { command: 'mkdir held && sleep 0.2 && rmdir held' } }";
  const std::string script = "  - when: { role: user }\n    calls: [" + one + ", " + one + ", " +
                             one + "]\n  - when: { tool: bash__exec }\n    text: ended\n";
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "bash", .policy = "{ tools: { maxConcurrent: 1 } }"}},
                     script);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "go");
  for (int i = 0; i < 3; ++i) {
    const JsonObject ended = agent->observed("tool.completed");
    EXPECT_NE(to_text(ended).find("\"exitCode\":0"), std::string::npos) << to_text(ended);
  }
}

TEST(AgentPolicy, LimitsWhatTheModelIsShownOfAResult) {  // REQ: CALL-11
  const std::string script = calling("bash__exec", "{ command: 'seq 1 2000' }");
  EXPECT_EQ(answer({}, script).find("[Cut: "), std::string::npos);
  const std::string cut = answer({.swarm = "{ tools: { maxResultBytes: 4000 } }",
                                  .agent = "{ tools: { maxResultBytes: 500 } }"},
                                 script);
  EXPECT_NE(cut.find("[Cut: 500 of "), std::string::npos) << cut;
}

TEST(AgentPolicy, LetsTheModelCallPastTheCatalogOnlyIfTheSwarmSaysSo) {  // REQ: CALL-2
  const std::string script = calling("handles__read", "{ handle: out_none }");
  const std::string allow = "{ tools: { allowRegistryBypass: true } }";
  const std::string refuse = "{ tools: { allowRegistryBypass: false } }";
  EXPECT_TRUE(answer({}, script).starts_with("E_TOOL_NOT_IN_CATALOG"));
  EXPECT_TRUE(answer({.agent = allow}, script).starts_with("E_TOOL_NOT_IN_CATALOG"));
  EXPECT_TRUE(
      answer({.swarm = allow, .agent = refuse}, script).starts_with("E_TOOL_NOT_IN_CATALOG"));
  EXPECT_TRUE(answer({.swarm = allow}, script).starts_with("E_HANDLE_NOT_FOUND"));
}

}  // namespace
}  // namespace goondan::agent
