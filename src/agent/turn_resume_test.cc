// Turns that a crash cut off, at every commit and in the middle of every call.
#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/turn_fixture.h"
#include "ipc/message.h"

namespace goondan::agent {
namespace {

using namespace test;

constexpr int kCalls = 6;

// Answers by how often it has answered before, so that it goes on where a crash left it.
class StepModel final : public FakeModel {
 public:
  Result<ModelReply> reply(const ModelRequest& request, ModelObserver&) override {
    const auto answered = std::ranges::count_if(
        request.messages, [](const Message& one) { return one.role() == Role::Assistant; });
    if (answered == 0) return calls_reply({job("a"), job("b"), job("c")});
    if (answered == 1) return calls_reply({job("d"), job("e"), job("f")});
    return text_reply("all done");
  }

 private:
  static ToolCall job(const std::string& label) {
    return call(label, "effect__add", JsonObject{{"label", label}});
  }
};

struct Death {
  int at_commit = 0;  // 0: at none
  int at_effect = 0;
};

class Crashes : public Turns {
 protected:
  // Each effect is a byte in a file of its own name.
  Crashes() {
    add_tool(registry, "effect__add",
             [this](ToolContext&, const JsonObject& input) -> Result<Json> {
               const std::string label(input.at("label").as_string());
               std::ofstream(folder.path() / ("effect-" + label), std::ios::app) << 'x';
               if (++effects_ == die_at_effect_) ::kill(::getpid(), SIGKILL);
               return Json("did " + label);
             });
  }

  // Runs the turn in a process of its own; whether it died.
  bool run_and_die(const Death& death) {
    runner.reset();
    store.reset();
    const pid_t child = ::fork();
    if (child == 0) {
      effects_ = 0;
      die_at_effect_ = death.at_effect;
      int commits = 0;
      open({.after_commit = [&](std::string_view) {
        if (++commits == death.at_commit) ::kill(::getpid(), SIGKILL);
      }});
      run_with_steps();
      ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFSIGNALED(status);
  }

  TurnOutcome run_with_steps() {
    StepModel steps;
    TurnRunner one({.settings = settings,
                    .store = *store,
                    .model = steps,
                    .registry = registry,
                    .declared = ToolCatalog(registry),
                    .handle_tools = {},
                    .executor = executor,
                    .sink = sink});
    return one.run(message("m1"));
  }

  std::size_t effects_of(const std::string& label) {
    return goondan::test::read_file(folder.path() / ("effect-" + label)).size();
  }

  // One result for each call, in order, and what they say is true.
  void expect_all_answered() {
    const std::vector<Message> kept = results();
    ASSERT_EQ(kept.size(), static_cast<std::size_t>(kCalls));
    for (int i = 0; i < kCalls; ++i) {
      const std::string label(1, static_cast<char>('a' + i));
      const Message& result = kept[static_cast<std::size_t>(i)];
      EXPECT_EQ(result.tool_call_id(), label);
      EXPECT_LE(effects_of(label), 1U);
      if (error_code(result).empty()) {
        EXPECT_EQ(tool_message_text(result), "did " + label);
        EXPECT_EQ(effects_of(label), 1U);
      } else {
        EXPECT_EQ(error_code(result), "E_TOOL_INTERRUPTED");
      }
    }
  }

  void clean() {
    runner.reset();
    store.reset();
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      std::filesystem::remove_all(entry.path());
  }

 private:
  std::atomic<int> effects_ = 0;
  int die_at_effect_ = 0;
};

TEST_F(Crashes, TakesUpTheTurnAfterAnyCommit) {  // REQ: DEC-8
  int deaths = 0;
  for (int n = 1;; ++n) {
    SCOPED_TRACE("commit " + std::to_string(n));
    clean();
    if (!run_and_die({.at_commit = n})) break;
    ++deaths;
    open();
    const TurnOutcome outcome = run_with_steps();
    EXPECT_EQ(outcome.response, "all done");
    expect_all_answered();
    if (HasFailure()) break;
  }
  // Begin, two answers, six calls begun and ended, two lots of results, the end.
  EXPECT_GE(deaths, 1 + 2 + 12 + 2 + 1);
}

TEST_F(Crashes, TakesUpTheTurnAfterAnyEffect) {
  for (int n = 1; n <= kCalls; ++n) {
    SCOPED_TRACE("effect " + std::to_string(n));
    clean();
    ASSERT_TRUE(run_and_die({.at_effect = n}));
    open();
    EXPECT_EQ(run_with_steps().response, "all done");
    expect_all_answered();
  }
  EXPECT_EQ(sink.of("turn.started").back().at("resumed"), true);
}

// What a crash left: a turn that runs, an answer with calls, and records of some of them.
class Records : public Turns {
 protected:
  void leave(std::vector<ToolCall> calls) {
    const TurnMessage sent = message("m1");
    ASSERT_TRUE(store
                    ->begin_turn({.turn_id = "turn_1",
                                  .message_id = "m1",
                                  .trace_id = "0123456789abcdef0123456789abcdef",
                                  .span_id = "00000000000000bb",
                                  .message = to_text(sent.to_json()),
                                  .started_at = "2026-01-15T10:00:00.000Z"},
                                 std::array{event(Message::user("hello"))})
                    .ok());
    const Message answer = calls_reply(std::move(calls)).to_message("fake", "turn_1-step-1");
    ASSERT_TRUE(store->append_step("turn_1", std::array{event(answer)}).ok());
  }

  static store::MessageEvent event(const Message& one) {
    return {.message = {.id = one.id, .json = to_text(one.to_json())}};
  }
};

TEST_F(Records, DecideWhatBecomesOfEachCall) {  // REQ: DEC-8
  int again = 0;
  add_tool(
      registry, "safe__again",
      [&again](ToolContext&, const JsonObject&) -> Result<Json> { return Json(++again); }, true);
  leave({call("done", "echo__say"), call("begun", "echo__say"), call("safe", "safe__again"),
         call("new", "echo__say", JsonObject{{"n", 1}})});
  for (const char* id : {"done", "begun", "safe"})
    ASSERT_TRUE(store->begin_call("turn_1", {.call_id = id, .tool_name = "x"}).ok());
  ASSERT_TRUE(store->end_call("turn_1", "done", R"({"status":"ok","output":"kept"})").ok());
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  const std::vector<Message> kept = results();
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(tool_message_text(kept[0]), "kept");
  EXPECT_EQ(error_code(kept[1]), "E_TOOL_INTERRUPTED");
  EXPECT_EQ(tool_message_text(kept[2]), "1");
  EXPECT_EQ(tool_message_text(kept[3]), R"({"n":1})");
  EXPECT_EQ(sink.of("turn.started")[0].at("resumed"), true);
  EXPECT_EQ(sink.of("step.started")[0].at("stepIndex"), 1);
  EXPECT_EQ(model.seen().size(), 1U);
}

TEST_F(Records, EndATurnWhoseAnswerWasKept) {
  leave({});
  const Message answer = text_reply("it is five").to_message("fake", "turn_1-step-2");
  ASSERT_TRUE(store->append_step("turn_1", std::array{event(answer)}).ok());
  EXPECT_EQ(turns().run(message("m1")).response, "it is five");
  EXPECT_TRUE(model.seen().empty());
}

TEST_F(Records, OfAnotherTurnAreClosedFirst) {
  leave({call("done", "echo__say"), call("begun", "echo__say"), call("new", "echo__say")});
  for (const char* id : {"done", "begun"})
    ASSERT_TRUE(store->begin_call("turn_1", {.call_id = id, .tool_name = "x"}).ok());
  ASSERT_TRUE(store->end_call("turn_1", "done", R"({"status":"ok","output":"kept"})").ok());
  EXPECT_EQ(turns().run(message("m2")).response, "done");
  const std::vector<Message> kept = results();
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(tool_message_text(kept[0]), "kept");
  EXPECT_EQ(error_code(kept[1]), "E_TOOL_INTERRUPTED");
  EXPECT_EQ(error_code(kept[2]), "E_TOOL_INTERRUPTED");
  EXPECT_EQ(sink.of("turn.interrupted").size(), 1U);
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Interrupted);
}

TEST_F(Records, OfPendingCallsOpenTheirHandlesAgain) {
  const auto runtime = std::make_shared<FakeRuntime>();
  executor.runtime = runtime;
  leave({call("job", "echo__say")});
  ASSERT_TRUE(store->begin_call("turn_1", {.call_id = "job", .tool_name = "x"}).ok());
  ASSERT_TRUE(store->end_call("turn_1", "job", R"({"status":"pending","handle":"h1"})").ok());
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  ASSERT_EQ(runtime->requests.size(), 1U);
  EXPECT_EQ(runtime->requests[0].second.at("handle"), "h1");
}

TEST_F(Records, OfPendingCallsAreKeptIfTheOrchestratorGoesBeforeItKnowsTheHandle) {  // REQ: CALL-7
  const auto runtime = std::make_shared<FakeRuntime>();
  executor.runtime = runtime;
  add_tool(registry, "job__start", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return JsonObject{{"__async", true}, {"handle", "h1"}};
  });
  for (const ErrorCode code : {ErrorCode::AgentStopped, ErrorCode::Io}) {
    const std::string id = "m" + std::to_string(static_cast<int>(code));
    runtime->refusal = Error{.code = code, .message = "gone"};
    model.then(calls_reply({call("call-" + id, "job__start")}));
    EXPECT_EQ(turns().run(message(id)).status, TurnStatus::Interrupted);
    runtime->refusal.reset();
    open();
    EXPECT_EQ(turns().run(message(id)).response, "done");
    EXPECT_EQ(text_field(object_or_empty(results().back().data), "status"), "pending");
  }
  EXPECT_EQ(runtime->requests.size(), 4U);
}

// As deep as a frame can bring it.
JsonObject deep_metadata() {
  Json value = 1;
  for (std::size_t i = 0; i + 4 < ipc::kMaxMessageDepth; ++i)
    value = JsonArray{std::move(value)};
  return {{"deep", std::move(value)}};
}

TEST_F(Records, AreReadAsDeepAsFramesBringThem) {
  TurnMessage sent = message("m1", "look");
  sent.metadata = deep_metadata();
  ASSERT_TRUE(store
                  ->add_injection({.id = "i1",
                                   .json = to_text(JsonObject{{"text", "news"},
                                                              {"metadata", deep_metadata()}})})
                  .ok());
  model.then([this](const ModelRequest&, ModelObserver&) -> Result<ModelReply> {
    runner->interrupt();
    return Error{.code = ErrorCode::ToolCancelled, .message = "stopped"};
  });
  EXPECT_EQ(turns().run(sent).status, TurnStatus::Interrupted);
  open();
  EXPECT_EQ(turns().run(sent).response, "done");
  EXPECT_EQ(sink.of("turn.started")[1].at("input"), "look");
  const auto& seen = model.seen()[1].messages;
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1].text(), "news");
}

TEST_F(Records, OfInjectionsAreTakenUpBeforeAMessage) {
  ASSERT_TRUE(store->add_injection({.id = "i1", .json = R"({"text":"one"})"}).ok());
  model.then([this](const ModelRequest&, ModelObserver&) -> Result<ModelReply> {
    runner->interrupt();
    return Error{.code = ErrorCode::ToolCancelled, .message = "stopped"};
  });
  EXPECT_EQ(turns().run_injections()->status, TurnStatus::Interrupted);
  open();
  model.then(text_reply("first"));
  model.then(text_reply("second"));
  EXPECT_EQ(turns().run(message("m1")).response, "second");
  const std::vector<Message> kept = base();
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(kept[1].text(), "first");
  EXPECT_FALSE(turns().run_injections().has_value());
}

}  // namespace
}  // namespace goondan::agent
