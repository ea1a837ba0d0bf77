// The orchestrator as a process: start, agents that live and die, clients, the end.
#include <fstream>
#include <set>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "base/json_fields.h"
#include "orchestrator/orchestrator_fixture.h"

namespace goondan::orchestrator::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

std::string error_of(const JsonObject& event) {
  const JsonObject* const error = object_field(event, "error");
  return error == nullptr ? "none" : text_field(*error, "code");
}

TEST(Orchestrator, StartsSpawnsOnDemandAndStopsWhenItsOwnerGoes) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.start();
  const JsonObject started = swarm.owner().event("started");
  EXPECT_EQ(started.at("pid"), swarm.process().pid());
  EXPECT_EQ(started.at("entryAgent"), "a");
  EXPECT_EQ(started.at("agents"), Json({"a", "b"}));
  EXPECT_THAT(swarm.status_of("a"), IsEmpty());
  EXPECT_EQ(swarm.owner().turn("a", "echo hello"), "hello");
  const JsonObject status = swarm.status_of("a");
  EXPECT_EQ(text_field(status, "state"), "idle");
  EXPECT_EQ(integer_field(status, "turns"), 1);
  EXPECT_GT(integer_field(status, "rssBytes").value_or(0), 0);
  const pid_t agent = swarm.pid_of("a");
  swarm.owner().close();
  EXPECT_EQ(swarm.end(), "exit code 0");
  EXPECT_TRUE(TestSwarm::gone(agent));
  EXPECT_FALSE(fs::exists(swarm.workspace() / "orchestrator.sock"));
}

TEST(Orchestrator, IsTheOnlyOneInItsWorkspace) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const pid_t first = swarm.process().pid();
  std::unique_ptr<TestClient> client = swarm.connect();
  ASSERT_NE(client, nullptr);
  // The same bundle and state, another process.
  const std::string program = fs::read_symlink("/proc/self/exe");
  os::Child second = *os::Child::spawn(
      {.argv = {program, "orchestrator", "--bundle", swarm.path("bundle").string(), "--state-root",
                swarm.path("state").string()},
       .environment = std::vector<std::string>{"GOONDAN_GDN=" + program}});
  EXPECT_EQ(second.wait(soon())->text(), "exit code 1");
  EXPECT_EQ(swarm.owner().turn("a", "echo still there"), "still there");
  EXPECT_EQ(object_or_empty(*client->ask("status")).at("pid"), first);
}

TEST(Orchestrator, TellsWhyItCannotStart) {
  TestSwarm swarm({});
  swarm.write("bundle/bundle.json", "{");
  swarm.start();
  EXPECT_EQ(error_of(swarm.owner().event("start_failed")), "E_JSON_PARSE");
  EXPECT_EQ(swarm.end(), "exit code 1");
  swarm.write("bundle/.env", "no variable");
  swarm.start();
  EXPECT_EQ(error_of(swarm.owner().event("start_failed")), "E_CONFIG_PARSE_ERROR");
  EXPECT_EQ(swarm.end(), "exit code 3");
  swarm.write("bundle/.env", "");
  swarm.start({"--env-file", swarm.path("none").string()});
  EXPECT_EQ(error_of(swarm.owner().event("start_failed")), "E_CONFIG_FILE_NOT_FOUND");
  swarm.start({"--what"});
  EXPECT_EQ(swarm.end(), "exit code 2");
}

TEST(Orchestrator, GivesAgentsTheEnvironmentOfTheFiles) {
  TestSwarm swarm({{"a", "1"}});
  swarm.write("bundle/.env", "FROM_SYSTEM=file\nKEY='a b'");
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "env FROM_SYSTEM"), "file");
  EXPECT_EQ(swarm.owner().turn("a", "env KEY"), "a b");
}

// REQ: HAND-8
TEST(Orchestrator, StartsACrashedAgentAgainAndGivesUpAMessageThatKillsIt) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "crash"), "E_AGENT_CRASH");
  EXPECT_EQ(swarm.owner().turn("a", "echo alive"), "alive");
  EXPECT_EQ(integer_field(swarm.status_of("a"), "crashes"), 3);
  const pid_t before = swarm.pid_of("a");
  ::kill(before, SIGKILL);
  const JsonObject exited = swarm.owner().observed("agent.exited");
  EXPECT_EQ(text_field(exited, "how"), "SIGKILL");
  EXPECT_FALSE(true_field(exited, "expected"));
  EXPECT_EQ(swarm.owner().turn("a", "echo again"), "again");
  EXPECT_NE(swarm.pid_of("a"), before);
}

// REQ: DEC-9
TEST(Orchestrator, WaitsBeforeTheSixthRestartInARow) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.owner().submit("one", "a", "crash");
  swarm.owner().submit("two", "a", "crash");
  const JsonObject backoff = swarm.owner().observed("agent.backoff");
  EXPECT_EQ(integer_field(backoff, "crashes"), 6);
  EXPECT_EQ(integer_field(backoff, "waitMs"), 1000);
  EXPECT_EQ(swarm.owner().turn("a", "echo back"), "back");  // after the wait
  swarm.owner().submit("three", "a", "crash");
  EXPECT_EQ(swarm.owner().ended("three"), "E_AGENT_CRASH");
  EXPECT_EQ(swarm.owner().turn("a", "echo quick again"), "quick again");
}

TEST(Orchestrator, AnswersForAnAgentThatCannotStart) {
  TestSwarm swarm({{"bad", "1"}, {"dies", "1"}, {"good", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("bad", "echo x"), "E_MODEL_CONFIG");
  EXPECT_THAT(swarm.owner().turn("dies", "echo x"), HasSubstr("E_AGENT_"));
  EXPECT_EQ(swarm.owner().turn("good", "echo x"), "x");
  EXPECT_EQ(text_field(swarm.status_of("bad"), "state"), "stopped");
}

TEST(Orchestrator, EndsAgentsThatSpeakNonsenseOrCloseTheirSocket) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "garbage"), "E_AGENT_CRASH");
  EXPECT_EQ(swarm.owner().turn("a", "close", "other"), "E_AGENT_CRASH");
  EXPECT_EQ(swarm.owner().turn("a", "echo x", "third"), "x");
}

TEST(Orchestrator, BelievesNoNameAndNoObservationThatIsNotTheAgents) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "observe"), "");
  std::ifstream log(swarm.workspace() / "events.jsonl");
  const std::string text(std::istreambuf_iterator<char>(log), {});
  EXPECT_THAT(text, HasSubstr(R"("type":"tool.log","agentName":"a")"));
  EXPECT_THAT(text, Not(HasSubstr("runtime.stopped")));
}

TEST(Orchestrator, EndsWhatADeadAgentHasLeft) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const pid_t orphan = std::stoi(swarm.owner().turn("a", "orphan"));
  ::kill(swarm.pid_of("a"), SIGKILL);
  EXPECT_TRUE(TestSwarm::gone(orphan));
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
}

// REQ: HAND-8 (shutdown drains the running turn first)
TEST(Orchestrator, LetsTheRunningTurnEndBeforeItStops) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.owner().submit("m", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  ::kill(swarm.process().pid(), SIGTERM);
  swarm.write("go", "");
  EXPECT_EQ(swarm.owner().ended("m"), "waited");
  EXPECT_EQ(text_field(swarm.owner().event("stopped"), "reason"), "SIGTERM");
  EXPECT_EQ(swarm.end(), "exit code 0");
}

// REQ: R29
TEST(Orchestrator, KillsAgentsThatDoNotEndAndKeepsTheirMessages) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run();
  swarm.owner().submit("m", "a", "hang");
  swarm.owner().observed("agent.ready");
  const pid_t agent = swarm.pid_of("a");
  ASSERT_TRUE(swarm.owner().ask("stop").ok());
  EXPECT_FALSE(swarm.owner().event("stopped").empty());
  EXPECT_EQ(swarm.end(), "exit code 0");
  EXPECT_TRUE(TestSwarm::gone(agent));
  swarm.run();
  EXPECT_FALSE(swarm.owner().observed("agent.spawned").empty());  // for the message that was kept
}

TEST(Orchestrator, IsThereAgainAfterItWasKilled) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  swarm.owner().submit("m", "a", "wait " + swarm.path("go").string());
  swarm.owner().observed("agent.ready");
  ::kill(swarm.process().pid(), SIGKILL);
  EXPECT_EQ(swarm.end(), "SIGKILL");
  EXPECT_TRUE(fs::exists(swarm.workspace() / "orchestrator.sock"));
  swarm.write("go", "");
  swarm.start();
  // What was left may be over at once: the owner hears of it without having asked.
  EXPECT_EQ(swarm.owner().ended("m"), "waited");
  EXPECT_FALSE(swarm.owner().event("started").empty());
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  EXPECT_EQ(object_or_empty(
                *swarm.owner().ask(
                    "submit", {{"id", "m"}, {"agent", "a"}, {"instanceKey", "k"}, {"input", "y"}}))
                .at("duplicate"),
            true);
}

TEST(Orchestrator, GoesOnWhenTheZygoteDies) {
  TestSwarm swarm({{"a", "1"}, {"b", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  const pid_t agent = swarm.pid_of("a");
  // The zygote is the child of the orchestrator that is not the agent.
  std::ifstream in("/proc/" + std::to_string(swarm.process().pid()) + "/task/" +
                   std::to_string(swarm.process().pid()) + "/children");
  pid_t zygote = 0;
  for (pid_t pid = 0; in >> pid;)
    if (pid != agent) zygote = pid;
  ASSERT_NE(zygote, 0);
  ::kill(zygote, SIGKILL);
  swarm.owner().observed("zygote.lost");
  EXPECT_EQ(swarm.owner().turn("b", "echo new"), "new");
  EXPECT_EQ(swarm.pid_of("a"), agent);
}

TEST(Orchestrator, ServesOthersWhileClientsSendGarbage) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  for (const std::string_view bytes :
       {std::string_view("\xFF\xFF\xFF\xFF junk"), std::string_view("\x02\0\0\0{}", 6),
        std::string_view("\x05\0\0\0[1,2]", 9), std::string_view("\x03\0\0\0\xC3\x28\x00", 7)}) {
    const std::unique_ptr<TestClient> client = swarm.connect();
    client->send_bytes(bytes);
    EXPECT_TRUE(client->at_end());
  }
  const std::unique_ptr<TestClient> client = swarm.connect();
  const Result<Json> unknown = client->ask("what?");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::Ipc);
  for (const char* kind : {"restart", "cancel"}) {
    const Result<Json> misnamed = client->ask(kind, {{"agent", 0}});
    ASSERT_FALSE(misnamed.ok()) << kind;
    EXPECT_EQ(misnamed.error().code, ErrorCode::Ipc);
  }
  EXPECT_FALSE(client->ask("delete", {{"agent", 7}}).ok());
  EXPECT_FALSE(client->ask("restart", {{"agent", "nobody"}}).ok());
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
}

TEST(Orchestrator, TellsASlowClientWhatItHasMissed) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const std::unique_ptr<TestClient> slow = swarm.connect();
  ASSERT_TRUE(slow->ask("watch").ok());
  const std::string large = "echo " + std::string(400'000, 'x');
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(swarm.owner().turn("a", large).size(), 400'000U);
  const JsonObject gap = slow->observed("gap");
  EXPECT_GT(integer_field(gap, "dropped").value_or(0), 0);
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  EXPECT_FALSE(slow->observed("message.finished").empty());
}

TEST(Orchestrator, TellsNobodyTheSecretsOfItsEnvironment) {
  TestSwarm swarm({{"a", "1"}});
  swarm.write("bundle/.env", "SERVICE_TOKEN=Zx81-spectrum-48k");
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "env SERVICE_TOKEN"), "[redacted]");
  EXPECT_EQ(swarm.owner().turn("a", "echo it is Zx81-spectrum-48k"), "it is [redacted]");
  swarm.owner().close();
  EXPECT_EQ(swarm.end(), "exit code 0");
  std::ifstream in(swarm.workspace() / "events.jsonl");
  const std::string log(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(log, HasSubstr("message.accepted"));
  EXPECT_THAT(log, Not(HasSubstr("Zx81")));
}

TEST(Orchestrator, SaysSoIfDescriptorsHaveRunOut) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  const rlimit few{.rlim_cur = 16, .rlim_max = 16};
  ASSERT_EQ(::prlimit(swarm.process().pid(), RLIMIT_NOFILE, &few, nullptr), 0);
  std::set<std::string> ends;
  for (int i = 0; i < 8; ++i)
    swarm.owner().submit("n" + std::to_string(i), "a", "echo y", "k" + std::to_string(i));
  for (int i = 0; i < 8; ++i) {
    const JsonObject done = swarm.owner().observed("message.finished");
    ends.insert(done.contains("error") ? error_of(done) : text_field(done, "response"));
  }
  EXPECT_THAT(ends, Contains("E_LIMIT"));
  EXPECT_EQ(swarm.owner().turn("a", "echo z"), "z");
}

TEST(Orchestrator, DeletesNothingThatItDoesNotKnow) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  const Result<Json> unknown =
      swarm.owner().ask("delete", {{"agent", "a"}, {"instanceKey", "never was"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::NotFound);
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  // Asked for twice at once: once it goes, both know.
  const std::string first = swarm.owner().post("delete", {{"agent", "a"}, {"instanceKey", "k"}});
  const std::string second = swarm.owner().post("delete", {{"agent", "a"}, {"instanceKey", "k"}});
  EXPECT_TRUE(swarm.owner().reply(first).ok());
  EXPECT_TRUE(swarm.owner().reply(second).ok());
  EXPECT_FALSE(swarm.owner().ask("delete", {{"agent", "a"}, {"instanceKey", "k"}}).ok());
  EXPECT_EQ(swarm.owner().turn("a", "echo y"), "y");
}

TEST(Orchestrator, NamesAnUnknownRequestWithoutCuttingLetters) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  std::string kind = "x";
  for (int i = 0; i < 100; ++i)
    kind += "\u00e9";
  const Result<Json> refused = swarm.owner().ask(kind);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Ipc);
  EXPECT_THAT(refused.error().message, HasSubstr("x\u00e9"));
}

TEST(Orchestrator, DeletesAnInstanceWithItsState) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  EXPECT_EQ(swarm.owner().turn("a", "echo x"), "x");
  const pid_t agent = swarm.pid_of("a");
  swarm.write("state/workspaces/w/instances/a/k/state.db", "");
  ASSERT_TRUE(swarm.owner().ask("delete", {{"agent", "a"}, {"instanceKey", "k"}}).ok());
  EXPECT_TRUE(TestSwarm::gone(agent));
  EXPECT_FALSE(fs::exists(swarm.workspace() / "instances/a/k"));
  EXPECT_THAT(swarm.status_of("a"), IsEmpty());
  EXPECT_EQ(swarm.owner().turn("a", "echo new"), "new");
}

TEST(Orchestrator, RunsTwoHundredAgentsAtOnce) {
  TestSwarm swarm({{"a", "1"}});
  swarm.run();
  for (int i = 0; i < 200; ++i)
    swarm.owner().submit("m" + std::to_string(i), "a", "echo x", "k" + std::to_string(i));
  for (int i = 0; i < 200; ++i)
    EXPECT_FALSE(swarm.owner().observed("message.finished").empty());
  const Json status = *swarm.owner().ask("status");
  EXPECT_EQ(array_field(object_or_empty(status), "agents")->size(), 200U);
  swarm.owner().close();
  EXPECT_EQ(swarm.end(), "exit code 0");
}

}  // namespace
}  // namespace goondan::orchestrator::test
