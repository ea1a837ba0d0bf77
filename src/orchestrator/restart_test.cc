// The orchestrator replaces itself, or only what has changed.
#include <signal.h>

#include <gmock/gmock.h>

#include "base/json_fields.h"
#include "orchestrator/orchestrator_fixture.h"

namespace goondan::orchestrator::test {
namespace {

namespace fs = std::filesystem;

// REQ: HAND-9
TEST(Restart, KeepsTheProcessTheOwnerAndWhatIsQueued) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const pid_t pid = swarm.process().pid();
  swarm.owner().submit("running", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  swarm.owner().submit("queued", "a", "echo later");
  ASSERT_TRUE(swarm.owner().ask("restart", {{"reason", "test"}}).ok());
  EXPECT_EQ(text_field(swarm.owner().event("restarting"), "reason"), "test");
  swarm.write("go", "");
  EXPECT_EQ(swarm.owner().ended("running"), "waited");
  const JsonObject started = swarm.owner().event("started");
  EXPECT_EQ(started.at("pid"), pid);
  EXPECT_TRUE(true_field(started, "restarted"));
  // It watches as before.
  EXPECT_EQ(text_field(swarm.owner().observed("runtime.restarted"), "reason"), "test");
  EXPECT_EQ(swarm.owner().ended("queued"), "later");
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  ::kill(pid, SIGTERM);
  EXPECT_EQ(swarm.end(), "exit code 0");
}

TEST(Restart, TakesUpAMessageThatHadComeByHalf) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const std::string bytes = *ipc::encode_message({.from = "cli",
                                                  .to = "orchestrator",
                                                  .payload = JsonObject{{"kind", "submit"},
                                                                        {"requestId", "half"},
                                                                        {"id", "m"},
                                                                        {"agent", "a"},
                                                                        {"instanceKey", "k"},
                                                                        {"input", "echo whole"}}});
  swarm.owner().send_bytes(std::string_view(bytes).substr(0, 50));
  const std::unique_ptr<TestClient> other = swarm.connect();
  ASSERT_TRUE(other->ask("restart").ok());
  EXPECT_FALSE(swarm.owner().event("started").empty());
  swarm.owner().send_bytes(std::string_view(bytes).substr(50));
  EXPECT_EQ(swarm.owner().ended("m"), "whole");
}

TEST(Restart, HappensAsOftenAsItIsAskedForAndByAnAgentToo) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(swarm.owner().turn("a", "restart"), "");
    EXPECT_EQ(text_field(swarm.owner().event("restarting"), "reason"), "an agent wants it");
    EXPECT_FALSE(swarm.owner().event("started").empty());
  }
  ::kill(swarm.process().pid(), SIGHUP);
  EXPECT_EQ(text_field(swarm.owner().event("restarting"), "reason"), "SIGHUP");
  EXPECT_FALSE(swarm.owner().event("started").empty());
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
}

TEST(Restart, DoesNotStopAnythingForABundleThatIsWrong) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  const pid_t agent = swarm.pid_of("a");
  swarm.write("bundle/bundle.json", "{");
  const Result<Json> refused = swarm.owner().ask("restart");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::JsonParse);
  EXPECT_FALSE(swarm.owner().observed("bundle.rejected").empty());
  EXPECT_FALSE(swarm.owner().ask("restart", {{"agent", "a"}}).ok());
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  EXPECT_EQ(swarm.pid_of("a"), agent);
}

TEST(Restart, MovesToTheWorkspaceThatTheBundleNamesNow) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.write_bundle({{"a", "1"}}, 30'000, "other");
  ASSERT_TRUE(swarm.owner().ask("restart").ok());
  EXPECT_EQ(text_field(swarm.owner().event("started"), "workspace"), "other");
  EXPECT_FALSE(fs::exists(swarm.workspace() / "orchestrator.sock"));
  EXPECT_TRUE(fs::exists(swarm.path("state/workspaces/other/orchestrator.sock")));
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  ASSERT_TRUE(swarm.owner().ask("stop").ok());
  EXPECT_EQ(swarm.end(), "exit code 0");
  EXPECT_FALSE(fs::exists(swarm.path("state/workspaces/other/orchestrator.sock")));
}

TEST(Restart, LeavesNoSocketBehindIfItCannotLoadTheBundleAgain) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.owner().submit("running", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  ASSERT_TRUE(swarm.owner().ask("restart").ok());
  EXPECT_FALSE(swarm.owner().event("restarting").empty());
  swarm.write("bundle/bundle.json", "{");
  swarm.write("go", "");
  EXPECT_FALSE(swarm.owner().event("start_failed").empty());
  EXPECT_EQ(swarm.end(), "exit code 1");
  EXPECT_FALSE(fs::exists(swarm.workspace() / "orchestrator.sock"));
}

TEST(Restart, ForgetsConversationsAlsoIfThatIsAskedForWhileItBegins) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.owner().submit("running", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  swarm.write("state/workspaces/w/instances/a/k/state.db", "");
  ASSERT_TRUE(swarm.owner().ask("restart").ok());
  EXPECT_FALSE(swarm.owner().event("restarting").empty());
  ASSERT_TRUE(swarm.owner().ask("restart", {{"fresh", true}}).ok());
  swarm.write("go", "");
  EXPECT_FALSE(swarm.owner().event("started").empty());
  EXPECT_FALSE(fs::exists(swarm.workspace() / "instances/a/k/state.db"));
}

TEST(Restart, OfOneAgentLeavesTheOthersAndCanForgetItsConversation) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  EXPECT_EQ(swarm.owner().turn("b", "echo x"), "x");
  const pid_t a = swarm.pid_of("a");
  const pid_t b = swarm.pid_of("b");
  swarm.write("state/workspaces/w/instances/a/k/state.db", "");
  ASSERT_TRUE(swarm.owner().ask("restart", {{"agent", "a"}, {"fresh", true}}).ok());
  EXPECT_TRUE(TestSwarm::gone(a));
  EXPECT_EQ(swarm.owner().turn("a", "echo y"), "y");
  EXPECT_FALSE(fs::exists(swarm.workspace() / "instances/a/k/state.db"));
  EXPECT_EQ(swarm.pid_of("b"), b);
}

TEST(Restart, OfEverythingCanForgetAllConversations) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  swarm.write("state/workspaces/w/instances/a/k/state.db", "");
  swarm.write("state/workspaces/w/instances/a/k/workspace/file", "");
  ASSERT_TRUE(swarm.owner().ask("restart", {{"fresh", true}}).ok());
  EXPECT_FALSE(swarm.owner().event("started").empty());
  EXPECT_FALSE(fs::exists(swarm.workspace() / "instances/a/k/state.db"));
  EXPECT_TRUE(fs::exists(swarm.workspace() / "instances/a/k/workspace/file"));
}

TEST(Watching, ReplacesOnlyTheAgentThatChangedAndAfterItsTurn) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run({"--watch"});
  EXPECT_EQ(swarm.owner().turn("b", "echo x"), "x");
  const pid_t b = swarm.pid_of("b");
  swarm.owner().submit("m", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  const pid_t a = swarm.pid_of("a");
  swarm.write_bundle({{"a", "2"}, {"b", "1"}, {"c", "1"}});
  EXPECT_EQ(swarm.owner().observed("bundle.changed").at("agents"), Json({"a", "c"}));
  EXPECT_EQ(text_field(swarm.status_of("a"), "state"), "draining");
  swarm.owner().submit("next", "a", "echo replaced");
  swarm.write("go", "");
  EXPECT_EQ(swarm.owner().ended("m"), "waited");
  EXPECT_EQ(swarm.owner().ended("next"), "replaced");
  EXPECT_NE(swarm.pid_of("a"), a);
  EXPECT_EQ(swarm.owner().turn("c", "echo new"), "new");
  EXPECT_EQ(swarm.pid_of("b"), b);
}

TEST(Watching, RejectsAWrongBundleAndDrainsAgentsThatAreGone) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run({"--watch"});
  EXPECT_EQ(swarm.owner().turn("b", "echo x"), "x");
  const pid_t b = swarm.pid_of("b");
  swarm.write("bundle/bundle.json", "{");
  EXPECT_FALSE(swarm.owner().observed("bundle.rejected").empty());
  EXPECT_EQ(swarm.owner().turn("b", "echo y"), "y");
  swarm.write_bundle({{"a", "1"}});
  EXPECT_FALSE(swarm.owner().observed("bundle.changed").empty());
  EXPECT_TRUE(TestSwarm::gone(b));
  EXPECT_FALSE(swarm.owner().ask("submit", {{"id", "m"}, {"agent", "b"}, {"input", "echo"}}).ok());
}

TEST(Watching, TakesAnotherEnvironmentForAChangeOfAllAgents) {
  TestSwarm swarm({{"a", "1"}});
  swarm.write("bundle/.env", "KEY=old");
  swarm.run({"--watch"});
  EXPECT_EQ(swarm.owner().turn("a", "env KEY"), "old");
  swarm.write("bundle/.env", "KEY=new");
  EXPECT_FALSE(swarm.owner().observed("bundle.changed").empty());
  EXPECT_EQ(swarm.owner().turn("a", "env KEY"), "new");
}

}  // namespace
}  // namespace goondan::orchestrator::test
