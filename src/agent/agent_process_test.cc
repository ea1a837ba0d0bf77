#include <gtest/gtest.h>

#include "agent/process_fixture.h"
#include "base/json_fields.h"
#include "os/command_fixture.h"

namespace goondan::agent {
namespace {

using ipc::MessageType;
using test::calling;
using test::TestAgent;
using test::TestSwarm;

constexpr std::string_view kEcho = "  - text: \"You said {{input}}\"\n";

std::string error_code(const JsonObject& payload) {
  const JsonObject* error = object_field(payload, "error");
  return error == nullptr ? "none" : text_field(*error, "code");
}

// A command that holds `survivors` open in two processes until it is killed.
std::string hanging(const os::test::Survivors& survivors) {
  return "{ command: \"exec 9>" + survivors.path() +
         "; (setsid sleep 1000 &); echo up >&9; sleep 1000\", timeoutMs: 50000 }";
}

TEST(AgentProcess, AnswersATurnWithTheModelsText) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "hello");
  const JsonObject done = agent->next_event("turn_done");
  EXPECT_EQ(text_field(done, "id"), "m1");
  EXPECT_EQ(text_field(done, "status"), "ok");
  EXPECT_EQ(text_field(done, "response"), "You said hello");
}

TEST(AgentProcess, TellsWhatHappensBeforeItTellsTheEnd) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a", "key");
  agent->send_turn("m1", "hello");
  agent->next_event("turn_done");  // all observations have come before it
  agent->close();
  const JsonObject started = agent->observed("turn.started");
  EXPECT_EQ(text_field(started, "agentName"), "a");
  EXPECT_EQ(text_field(started, "instanceKey"), "key");
  EXPECT_FALSE(text_field(started, "timestamp").empty());
  EXPECT_EQ(text_field(started, "traceId"), std::string(32, 'a'));
}

TEST(AgentProcess, TakesTurnsInTheOrderTheyCame) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  for (const std::string_view id : {"m1", "m2", "m3"})
    agent->send_turn(id, id);
  for (const std::string_view id : {"m1", "m2", "m3"})
    EXPECT_EQ(text_field(agent->next_event("turn_done"), "id"), id);
}

TEST(AgentProcess, AnswersADelegateWithItsCorrelation) {  // REQ: HAND-3
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send(MessageType::Delegate,
              {{"id", "m1"},
               {"input", "hi"},
               {"eventType", "agent.request"},
               {"source", JsonObject{{"kind", "agent"}, {"name", "b"}, {"instanceKey", "k"}}},
               {"metadata", JsonObject{}},
               {"callStack", JsonArray{"b@k"}},
               {"attempt", 1}},
              "corr_1");
  const ipc::Message answer = agent->next();
  EXPECT_EQ(answer.type, MessageType::DelegateResult);
  EXPECT_EQ(answer.correlation_id, "corr_1");
  EXPECT_EQ(text_field(object_or_empty(answer.payload), "response"), "You said hi");
}

TEST(AgentProcess, AnswersAMessageThatItCannotReadWithAnError) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send(MessageType::Delegate, {{"input", "without an id"}, {"callStack", 7}}, "corr");
  const ipc::Message answer = agent->next();
  EXPECT_EQ(answer.correlation_id, "corr");
  EXPECT_EQ(text_field(object_or_empty(answer.payload), "status"), "error");
  agent->send_turn("m2", "still there?");
  EXPECT_EQ(text_field(agent->next_event("turn_done"), "response"), "You said still there?");
}

const std::string kAskB = "{ target: b, input: hi, timeoutMs: 50000 }";

// An agent `a` that asks `b`, whose request has come.
struct Asking {
  explicit Asking(const std::string& args = kAskB) {
    swarm.write_bundle({{.name = "a", .tools = "agents"}, {.name = "b"}},
                       calling("agents__request", args));
    swarm.start();
    agent = swarm.spawn_ready("a");
    agent->send_turn("m1", "ask");
    request = agent->next();
  }

  [[nodiscard]] std::string id() const {
    return text_field(object_or_empty(request.payload), "id");
  }
  void reply(JsonObject fields) {
    fields["requestId"] = id();
    agent->send_event("reply", std::move(fields));
  }
  [[nodiscard]] std::string response() {
    return text_field(agent->next_event("turn_done"), "response");
  }

  TestSwarm swarm;
  std::unique_ptr<TestAgent> agent;
  ipc::Message request;
};

TEST(AgentProcess, AsksAnotherAgentAndGetsItsAnswer) {  // REQ: HAND-3, HAND-6
  Asking asking;
  EXPECT_EQ(asking.request.type, MessageType::Delegate);
  EXPECT_EQ(asking.request.correlation_id, asking.id());
  const JsonObject& payload = object_or_empty(asking.request.payload);
  EXPECT_EQ(text_field(payload, "target"), "b");
  EXPECT_EQ(text_field(payload, "input"), "hi");
  EXPECT_EQ(text_field(payload, "eventType"), "agent.request");
  EXPECT_EQ(integer_field(payload, "timeoutMs"), 50'000);
  EXPECT_EQ(text_field(payload, "spanId").size(), 16U);
  asking.reply({{"result", JsonObject{{"accepted", true}}}});
  asking.agent->send(MessageType::DelegateResult,
                     {{"status", "ok"}, {"response", "never asked"}, {"eventId", "e0"}},
                     "req_other");
  asking.agent->send(MessageType::DelegateResult,
                     {{"status", "ok"}, {"response", "42"}, {"eventId", "e1"}}, asking.id());
  const std::string response = asking.response();
  EXPECT_NE(response.find(R"("eventId":"e1")"), response.npos) << response;
  EXPECT_NE(response.find(R"("response":"42")"), response.npos) << response;
  EXPECT_NE(response.find(R"("async":false)"), response.npos) << response;
}

TEST(AgentProcess, GetsAnErrorResultForARequestThatIsRefused) {  // REQ: HAND-5
  Asking asking;
  asking.reply(
      {{"error", JsonObject{{"code", "E_AGENT_CYCLE"}, {"message", "a@k -> b@k -> a@k"}}}});
  EXPECT_EQ(asking.response(), "E_AGENT_CYCLE a@k -> b@k -> a@k");
}

TEST(AgentProcess, GetsAnErrorResultForARequestThatFails) {  // REQ: HAND-5
  Asking asking;
  asking.reply({{"result", JsonObject{{"accepted", true}}}});
  asking.agent->send(
      MessageType::DelegateResult,
      {{"status", "error"}, {"error", JsonObject{{"code", "E_AGENT_CRASH"}, {"message", "gone"}}}},
      asking.id());
  EXPECT_EQ(asking.response(), "E_AGENT_CRASH gone");
}

TEST(AgentProcess, GivesUpARequestAtItsTimeAndDropsTheLateAnswer) {  // REQ: HAND-5
  Asking asking("{ target: b, input: hi, timeoutMs: 30 }");
  asking.reply({{"result", JsonObject{{"accepted", true}}}});
  EXPECT_EQ(asking.response(), "E_AGENT_TIMEOUT agent request timeout (30ms): target=b");
  asking.agent->send(MessageType::DelegateResult, {{"status", "ok"}, {"response", "late"}},
                     asking.id());
  asking.agent->send_event("cancel", {});
  asking.agent->send(MessageType::Shutdown, {{"gracePeriodMs", 10'000}});
  EXPECT_EQ(asking.agent->next().type, MessageType::ShutdownAck);
}

TEST(AgentProcess, AcknowledgesAnAsynchronousRequestAtOnce) {  // REQ: HAND-6
  Asking asking("{ target: b, input: hi, async: true }");
  EXPECT_TRUE(true_field(object_or_empty(asking.request.payload), "async"));
  asking.reply({{"result", JsonObject{{"accepted", true}, {"eventId", "e5"}}}});
  const std::string response = asking.response();
  EXPECT_NE(response.find(R"("eventId":"e5")"), response.npos) << response;
  EXPECT_NE(response.find(R"("response":null)"), response.npos) << response;
}

TEST(AgentProcess, StopsWaitingForAnotherAgentWhenItIsCancelled) {
  Asking asking;
  asking.agent->send_event("cancel", {});
  EXPECT_TRUE(asking.response().starts_with("E_TOOL_CANCELLED"));
}

TEST(AgentProcess, EndsWithItsRequestsWhenTheOrchestratorIsGone) {
  Asking asking;
  asking.agent->close();
  EXPECT_EQ(asking.agent->end(), "exit code 1");
}

TEST(AgentProcess, AsksTheOrchestratorForWhatOnlyThatKnows) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "agents"}}, calling("agents__list", "{}"));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "list");
  const JsonObject request = agent->next_event("request");
  EXPECT_EQ(text_field(request, "method"), "agents.list");
  agent->send_event("reply", {{"requestId", text_field(request, "requestId")},
                              {"result", JsonObject{{"agents", JsonArray{}}}}});
  EXPECT_EQ(text_field(agent->next_event("turn_done"), "response"),
            R"(ok {"count":0,"agents":[]})");
}

TEST(AgentProcess, SpawnsOthersOnlyWhereItMayWriteItself) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "agents"}},
                     calling("agents__spawn", "{ target: a, cwd: \"{{input}}\" }"));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  for (const std::string& cwd :
       {std::string("/"), std::string("../.."), swarm.bundle().path().string()}) {
    agent->send_turn("m" + cwd, cwd);
    const std::string response = text_field(agent->next_event("turn_done"), "response");
    EXPECT_TRUE(response.starts_with("E_PATH_OUTSIDE_WORKSPACE")) << response;
  }
  agent->send_turn("m4", "missing");
  EXPECT_TRUE(text_field(agent->next_event("turn_done"), "response").starts_with("E_NOT_FOUND"));
  agent->send_turn("m5", ".");
  const JsonObject request = agent->next_event("request");
  EXPECT_EQ(text_field(request, "method"), "agents.spawn");
  EXPECT_EQ(text_field(*object_field(request, "params"), "cwd"),
            (swarm.folder("a") / "workspace").string());
}

TEST(AgentProcess, RunsAnInjectionAsATurnOfItsOwnWhenIdle) {  // REQ: CALL-7
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  const JsonObject injection{
      {"id", "i1"}, {"text", "it is done"}, {"eventType", "handle.completed"}};
  agent->send_event("inject", injection);
  EXPECT_EQ(text_field(agent->next_event("injected"), "id"), "i1");
  EXPECT_EQ(text_field(agent->observed("turn.completed"), "response"), "You said it is done");
  agent->send_event("inject", injection);  // acknowledged again, not run again
  EXPECT_EQ(text_field(agent->next_event("injected"), "id"), "i1");
  agent->send_turn("m1", "next");
  EXPECT_EQ(text_field(agent->observed("turn.completed"), "response"), "You said next");
}

JsonObject news_for(std::string_view user) {
  return {{"id", "news for " + std::string(user)},
          {"text", "news for " + std::string(user)},
          {"auth", JsonObject{{"subjects", JsonObject{{"user", user}}}}}};
}

// REQ: OAUTH-2, CALL-7
TEST(AgentProcess, WhatOthersWaitForIsTakenUpAlsoAfterATurnThatFailed) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "agents"}}, R"(
  - { when: { role: user, contains: list }, calls: [{ tool: agents__list, args: {} }] }
  - { when: { role: user, contains: ada }, error: { code: E_MODEL_REPLY, message: "no" } }
  - { text: "You said {{input}}" }
)");
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "list");
  const JsonObject request = agent->next_event("request");
  // Both are there before the turn, which is nobody's, is over.
  agent->send_event("inject", news_for("ada"));
  agent->send_event("inject", news_for("bob"));
  agent->send_event("reply", {{"requestId", text_field(request, "requestId")},
                              {"result", JsonObject{{"agents", JsonArray{}}}}});
  static_cast<void>(agent->observed("turn.completed"));
  static_cast<void>(agent->observed("turn.failed"));
  EXPECT_EQ(text_field(agent->observed("turn.completed"), "response"), "You said news for bob");
}

TEST(AgentProcess, FinishesTheTurnBeforeItShutsDown) {  // REQ: HAND-8
  TestSwarm swarm;
  const os::test::Survivors gate;
  swarm.write_bundle(
      {{.name = "a", .tools = "bash"}},
      calling("bash__exec", "{ command: \"echo up > " + gate.path() +
                                "; while [ ! -e go ]; do sleep 0.01; done; echo went\" }"));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "work");
  agent->send_turn("m2", "never begun");
  ASSERT_TRUE(gate.seen());
  agent->send(MessageType::Shutdown, {{"gracePeriodMs", 60'000}, {"reason", "restart"}});
  std::ofstream(swarm.folder("a") / "workspace" / "go") << "";
  const JsonObject done = agent->next_event("turn_done");
  EXPECT_EQ(text_field(done, "id"), "m1");
  EXPECT_EQ(text_field(done, "status"), "ok");
  const ipc::Message ack = agent->next();
  EXPECT_EQ(ack.type, MessageType::ShutdownAck);
  EXPECT_EQ(text_field(object_or_empty(ack.payload), "instanceKey"), "k");
  EXPECT_EQ(agent->end(), "exit code 0");
}

TEST(AgentProcess, InterruptsATurnThatDoesNotFinishInTime) {  // REQ: HAND-8
  TestSwarm swarm;
  const os::test::Survivors survivors;
  swarm.write_bundle({{.name = "a", .tools = "bash"}}, calling("bash__exec", hanging(survivors)));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "work");
  ASSERT_TRUE(survivors.seen());
  agent->send(MessageType::Shutdown, {{"gracePeriodMs", 100}});
  const JsonObject done = agent->next_event("turn_done");
  EXPECT_EQ(text_field(done, "status"), "interrupted");
  EXPECT_EQ(agent->next().type, MessageType::ShutdownAck);
  EXPECT_EQ(agent->end(), "exit code 0");
  EXPECT_TRUE(survivors.gone());
}

TEST(AgentProcess, EndsWithEverythingItStartedWhenTheOrchestratorIsGone) {
  TestSwarm swarm;
  const os::test::Survivors survivors;
  swarm.write_bundle({{.name = "a", .tools = "bash"}}, calling("bash__exec", hanging(survivors)));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "work");
  ASSERT_TRUE(survivors.seen());
  agent->close();
  EXPECT_EQ(agent->end(), "exit code 1");
  EXPECT_TRUE(survivors.gone());
}

TEST(AgentProcess, CancelStopsTheCallAndTheTurnGoesOn) {  // REQ: CALL-10
  TestSwarm swarm;
  const os::test::Survivors survivors;
  swarm.write_bundle({{.name = "a", .tools = "bash"}}, calling("bash__exec", hanging(survivors)));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "work");
  ASSERT_TRUE(survivors.seen());
  agent->send_event("cancel", {});
  const JsonObject done = agent->next_event("turn_done");
  EXPECT_EQ(text_field(done, "status"), "ok");
  EXPECT_TRUE(text_field(done, "response").starts_with("E_TOOL_CANCELLED"));
  EXPECT_TRUE(survivors.gone());
}

TEST(AgentProcess, ShutsDownAtOnceWhenIdle) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send(MessageType::Shutdown, {{"gracePeriodMs", 60'000}});
  EXPECT_EQ(agent->next().type, MessageType::ShutdownAck);
  EXPECT_EQ(agent->end(), "exit code 0");
}

TEST(AgentProcess, WorksInAWorkspaceOfItsOwn) {  // REQ: CTX-1
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "bash file-system"}},
                     calling("file-system__write", "{ path: \"{{input}}\", content: x }"));
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "note.txt");
  EXPECT_TRUE(text_field(agent->next_event("turn_done"), "response").starts_with("ok "));
  EXPECT_TRUE(std::filesystem::exists(swarm.folder("a") / "workspace" / "note.txt"));
  const auto mode = std::filesystem::status(swarm.folder("a") / "workspace").permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_all);
  agent->send_turn("m2", "../state.db");
  EXPECT_TRUE(text_field(agent->next_event("turn_done"), "response")
                  .starts_with("E_PATH_OUTSIDE_WORKSPACE"));
}

TEST(AgentProcess, KeepsItsStateFromItsOwnToolsWhateverFoldersAreGranted) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "file-system"}},
                     calling("file-system__write", "{ path: \"{{input}}\", content: x }"),
                     "{ files: { roots: [{ path: /tmp, access: readWrite }] } }");
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  for (const auto& path :
       {swarm.folder("a") / "state.db", swarm.bundle().path() / "goondan.yaml"}) {
    agent->send_turn("m" + path.string(), path.string());
    const std::string response = text_field(agent->next_event("turn_done"), "response");
    EXPECT_TRUE(response.starts_with("E_PATH_READ_ONLY")) << response;
  }
}

TEST(AgentProcess, ReadsOnInAResultThatWasCut) {  // REQ: CALL-11
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "bash"}},
                     "  - when: { role: user }\n"
                     "    calls: [{ tool: bash__exec, args: { command: 'seq 1 20000' } }]\n"
                     "  - when: { tool: bash__exec, matches: 'handle\": \"(out_[0-9a-f]+)' }\n"
                     "    calls: [{ tool: handles__read, args: { handle: '{{match[1]}}', offset: "
                     "40000, length: 30 } }]\n"
                     "  - when: { tool: handles__read }\n"
                     "    text: '{{output.length}} from {{output.offset}}'\n",
                     "{ tools: { maxResultBytes: 2000 } }");
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  agent->send_turn("m1", "count");
  EXPECT_EQ(text_field(agent->next_event("turn_done"), "response"), "30 from 40000");
}

TEST(AgentProcess, StartFailsIfItsDatabaseIsBroken) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  std::filesystem::create_directories(swarm.folder("a"));
  std::ofstream(swarm.folder("a") / "state.db") << std::string(9000, 'x');
  const auto agent = swarm.spawn("a");
  EXPECT_EQ(error_code(agent->next_event("start_failed")), "E_STORE_CORRUPT");
  EXPECT_EQ(agent->end(), "exit code 1");
  swarm.spawn_ready("a", "another");
}

TEST(AgentProcess, StartFailsIfOneOfItsToolsDoesNotLoad) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a", .tools = "broken"}, {.name = "b"}}, kEcho);
  std::ofstream(swarm.bundle().path() / "goondan.yaml", std::ios::app)
      << "---\napiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: broken }\n"
         "spec:\n  entry: ./broken.so\n  exports: [{ name: go, description: d, parameters: { type: "
         "object } }]\n";
  swarm.bundle().write("broken.so", "not a library");
  swarm.start();
  const auto agent = swarm.spawn("a");
  const std::string code = error_code(agent->next_event("start_failed"));
  EXPECT_TRUE(code.starts_with("E_PLUGIN")) << code;
  EXPECT_EQ(agent->end(), "exit code 1");
  swarm.spawn_ready("b");
}

TEST(AgentProcess, StartFailsInAFolderThatIsNotThere) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn("a", "k", "/does/not/exist");
  EXPECT_EQ(error_code(agent->next_event("start_failed")), "E_NOT_FOUND");
}

}  // namespace
}  // namespace goondan::agent
