// Turns that are stopped from outside, and turns that middleware or the store stand in the way of.
#include <atomic>
#include <latch>
#include <thread>

#include "agent/turn_fixture.h"
#include "store/database.h"

namespace goondan::agent {
namespace {

using namespace test;

// A tool that runs until it is told to stop.
void add_waiting_tool(ToolRegistry& registry, std::latch& running) {
  add_tool(registry, "wait__forever",
           [&running](ToolContext& context, const JsonObject&) -> Result<Json> {
             running.count_down();
             context.sleep_for(std::chrono::seconds(50));
             return Json("slept");
           });
}

// A model that answers nothing until it is stopped.
FakeModel::Answer silent(std::latch& asked) {
  return [&asked](const ModelRequest& request, ModelObserver&) -> Result<ModelReply> {
    asked.count_down();
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_until(lock, request.stop, request.deadline, [] { return false; });
    return Error{.code = ErrorCode::ToolCancelled, .message = "stopped"};
  };
}

TEST_F(Turns, GoesOnAfterItsCallsAreCancelled) {  // REQ: CALL-10
  std::latch running(2);
  add_waiting_tool(registry, running);
  model.then(calls_reply({call("a", "wait__forever"), call("b", "wait__forever")}));
  turns();
  std::jthread canceller([&] {
    running.wait();
    runner->cancel();
  });
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.response, "done");
  ASSERT_EQ(results().size(), 2U);
  EXPECT_EQ(error_code(results()[0]), "E_TOOL_CANCELLED");
  EXPECT_EQ(error_code(results()[1]), "E_TOOL_CANCELLED");
}

TEST_F(Turns, EndsWhenTheModelIsCancelled) {
  std::latch asked(1);
  model.then(silent(asked));
  turns();
  std::jthread canceller([&] {
    asked.wait();
    runner->cancel();
  });
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.status, TurnStatus::Error);
  EXPECT_EQ(outcome.error->code, ErrorCode::TurnCancelled);
  canceller.join();
  turns().cancel();  // nothing runs: no effect on what comes
  EXPECT_EQ(turns().run(message("m2")).response, "done");
}

TEST_F(Turns, TakesUpATurnThatWasInterruptedInTheModel) {  // REQ: HAND-8
  std::latch asked(1);
  model.then(silent(asked));
  turns();
  std::jthread stopper([&] {
    asked.wait();
    runner->interrupt();
  });
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Interrupted);
  EXPECT_EQ(sink.of("turn.interrupted").size(), 1U);
  EXPECT_EQ(turns().run(message("m2")).status, TurnStatus::Interrupted);
  stopper.join();
  open();
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  EXPECT_EQ(sink.of("turn.started").back().at("resumed"), true);
  EXPECT_EQ(base().size(), 2U);
  EXPECT_EQ(store->find_turn("m2")->has_value(), false);
}

TEST_F(Turns, TakesUpATurnThatWasInterruptedInItsCalls) {
  std::latch running(1);
  add_waiting_tool(registry, running);
  model.then(calls_reply({call("a", "wait__forever")}));
  turns();
  std::jthread stopper([&] {
    running.wait();
    runner->interrupt();
  });
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Interrupted);
  EXPECT_EQ(model.seen().size(), 1U);
  stopper.join();
  open();
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  ASSERT_EQ(results().size(), 1U);
  EXPECT_EQ(error_code(results()[0]), "E_TOOL_CANCELLED");
}

TEST_F(Turns, LeavesCallsThatHadNotBegunForLaterWhenInterrupted) {
  model.then([this](const ModelRequest&, ModelObserver&) -> Result<ModelReply> {
    runner->interrupt();
    return calls_reply({call("a", "echo__say", JsonObject{{"x", 1}})});
  });
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Interrupted);
  open();
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  ASSERT_EQ(results().size(), 1U);
  EXPECT_EQ(tool_message_text(results()[0]), R"({"x":1})");
}

// What the layer of an extension in another process does when its call is stopped.
void wait_for_stop(std::latch& waiting, const std::stop_token& stop) {
  waiting.count_down();
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait(lock, stop, [] { return false; });
}

const Error kLayerStopped{.code = ErrorCode::ToolCancelled, .message = "the layer was cancelled"};

TEST_F(Turns, TakesUpATurnThatWasInterruptedInALayer) {  // REQ: HAND-8
  for (const bool in_step : {false, true}) {
    std::latch waiting(1);
    turn_pipeline = {};
    step_pipeline = {};
    turn_pipeline.add("slow", [&](TurnContext& context, TurnPipeline::Next& next) {
      if (in_step) return next();
      wait_for_stop(waiting, context.stop);
      return next.instead({.status = TurnStatus::Error, .error = kLayerStopped});
    });
    step_pipeline.add("slow", [&](StepContext& context, StepPipeline::Next& next) {
      StepResult result = next();
      wait_for_stop(waiting, context.stop);
      result = {.status = StepResult::Status::Failed, .error = kLayerStopped};
      return result;
    });
    open();
    turns();
    std::jthread stopper([&] {
      waiting.wait();
      runner->interrupt();
    });
    const TurnMessage sent = message(in_step ? "m1" : "m2");
    EXPECT_EQ(turns().run(sent).status, TurnStatus::Interrupted);
    stopper.join();
    turn_pipeline = {};
    step_pipeline = {};
    open();
    EXPECT_EQ(turns().run(sent).response, "done");
  }
}

TEST_F(Turns, RunsNoCallsOfAnotherTurnWhenALayerTookItsOwnAway) {
  int ran = 0;
  add_tool(registry, "count__up",
           [&](ToolContext&, const JsonObject&) -> Result<Json> { return Json(++ran); });
  model.then(calls_reply({call("a", "count__up")}));
  model.then([this](const ModelRequest&, ModelObserver&) -> Result<ModelReply> {
    runner->interrupt();
    return calls_reply({call("b", "count__up")});
  });
  step_pipeline.add("short", [](StepContext&, StepPipeline::Next& next) {
    StepResult result = next();
    result.should_continue = false;
    return result;
  });
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  EXPECT_EQ(turns().run(message("m2")).status, TurnStatus::Interrupted);
  step_pipeline = {};
  step_pipeline.add("tear", [](StepContext& context, StepPipeline::Next& next) {
    if (context.step_index > 1) return next();
    const std::vector<Message> messages = context.conversation.messages();
    EXPECT_EQ(messages.size(), 5U);
    EXPECT_TRUE(context.conversation.remove(messages.at(2).id).ok());  // the result of the first
    EXPECT_TRUE(context.conversation.remove(messages.at(4).id).ok());  // what the turn waits for
    return next();
  });
  open();
  EXPECT_EQ(turns().run(message("m2")).response, "done");
  EXPECT_EQ(ran, 1);
}

TEST_F(Turns, IsCancelledInALayerAsAnywhereElse) {
  std::latch waiting(1);
  step_pipeline.add("slow", [&](StepContext& context, StepPipeline::Next& next) {
    wait_for_stop(waiting, context.stop);
    return next.instead({.status = StepResult::Status::Failed, .error = kLayerStopped});
  });
  turns();
  std::jthread canceller([&] {
    waiting.wait();
    runner->cancel();
  });
  EXPECT_EQ(turns().run(message("m1")).error->code, ErrorCode::TurnCancelled);
}

TEST_F(Turns, RunsMiddlewareAroundTurnsAndSteps) {  // REQ: MW-2 CAT-3
  turn_pipeline.add("stamp", [](TurnContext& context, TurnPipeline::Next& next) {
    EXPECT_TRUE(context.conversation.append(Message::user("before")).ok());
    TurnOutcome outcome = next();
    outcome.response += "!";
    return outcome;
  });
  step_pipeline.add("narrow", [](StepContext& context, StepPipeline::Next& next) {
    context.catalog =
        context.catalog.filtered([](const CatalogItem& item) { return item.name == "echo__say"; });
    return next();
  });
  model.then(calls_reply({call("a", "echo__fail"), call("b", "echo__say")}));
  EXPECT_EQ(turns().run(message("m1")).response, "done!");
  EXPECT_EQ(model.seen()[0].tools, std::vector<std::string>{"echo__say"});
  EXPECT_EQ(model.seen()[0].messages.size(), 2U);
  EXPECT_EQ(error_code(results()[0]), "E_TOOL_NOT_IN_CATALOG");
}

TEST_F(Turns, FailsWithADefinedErrorWhenALayerMisbehaves) {  // REQ: MW-6
  std::string what;
  turn_pipeline.add("bad", [&what](TurnContext&, TurnPipeline::Next& next) -> TurnOutcome {
    if (what == "throw") throw std::runtime_error("ouch");
    if (what == "forget") return {};
    if (what == "twice") next();
    return next();
  });
  step_pipeline.add("worse", [&what](StepContext&, StepPipeline::Next& next) -> StepResult {
    if (what == "step throw") throw 5;
    if (what == "step forget") return {};
    if (what == "step twice") next();
    return next();
  });
  const auto code = [&](std::string kind) {
    what = std::move(kind);
    return turns().run(message("m " + what)).error.value_or(Error{}).code;
  };
  EXPECT_EQ(code("throw"), ErrorCode::Middleware);
  EXPECT_EQ(code("forget"), ErrorCode::MiddlewareNextMissing);
  EXPECT_EQ(code("twice"), ErrorCode::MiddlewareNextTwice);
  EXPECT_EQ(code("step throw"), ErrorCode::Middleware);
  EXPECT_EQ(code("step forget"), ErrorCode::MiddlewareNextMissing);
  EXPECT_EQ(code("step twice"), ErrorCode::MiddlewareNextTwice);
  what = "nothing";
  EXPECT_EQ(turns().run(message("m")).response, "done");
}

TEST_F(Turns, MayBeKeptGoingByAStepLayer) {
  int forced = 0;
  step_pipeline.add("guard", [&forced](StepContext& context, StepPipeline::Next& next) {
    StepResult result = next();
    if (forced++ == 0) {
      EXPECT_TRUE(context.conversation.append(Message::user("go on")).ok());
      result.should_continue = true;
    }
    return result;
  });
  model.then(text_reply("first"));
  model.then(text_reply("second"));
  EXPECT_EQ(turns().run(message("m1")).response, "second");
}

TEST_F(Turns, EndsAtTheLimitEvenIfALayerNeverLetsTheModelAnswer) {
  settings.max_steps = 3;
  step_pipeline.add("loop", [](StepContext&, StepPipeline::Next& next) {
    return next.instead({.should_continue = true});
  });
  EXPECT_EQ(turns().run(message("m1")).finish_reason, "max_steps");
}

TEST_F(Turns, RepairsPairsThatALayerBroke) {  // REQ: DEC-8
  step_pipeline.add("forget", [](StepContext& context, StepPipeline::Next& next) {
    const std::vector<Message> all = context.conversation.messages();
    for (const Message& one : all) {
      if (one.role() == Role::Tool && one.tool_call_id() == "a") {
        EXPECT_TRUE(context.conversation.remove(one.id).ok());
      }
    }
    EXPECT_TRUE(context.conversation.remove("nobody").ok());
    return next();
  });
  model.then(calls_reply({call("a", "echo__say"), call("b", "echo__say")}));
  EXPECT_EQ(turns().run(message("m1")).response, "done");
  const std::vector<Message>& seen = model.seen()[1].messages;
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(error_code(seen[2]), "E_TOOL_INTERRUPTED");
  EXPECT_EQ(seen[3].tool_call_id(), "b");
  EXPECT_EQ(sink.of("message.missing").size(), 2U);
}

void lock(store::Database& database) {
  EXPECT_TRUE(database.run("BEGIN IMMEDIATE").ok());
}

void unlock(store::Database& database) {
  EXPECT_TRUE(database.run("ROLLBACK").ok());
}

// From some commit on the store takes nothing more. No call runs unrecorded, nothing is half done,
// and the next message is answered once the store can be written again.
TEST_F(Turns, SurvivesAStoreThatFailsAtAnyPoint) {
  std::atomic<int> effects = 0;
  add_tool(registry, "count__up",
           [&effects](ToolContext&, const JsonObject&) -> Result<Json> { return Json(++effects); });
  std::size_t failures = 0;
  for (int n = 0; n < 14; ++n) {
    open();  // closed and opened again, so that `other` finds the file
    auto other = store::Database::open(folder.path() / "instance" / "state.db", "", 1'000,
                                       {.busy_wait = std::chrono::milliseconds(1)});
    ASSERT_TRUE(other.ok()) << other.error().message;
    int left = n;
    open({.busy_wait = std::chrono::milliseconds(1), .after_commit = [&](std::string_view) {
            if (left-- == 0) lock(*other);
          }});
    model = {};
    model.then(calls_reply({call("a", "count__up"), call("b", "count__up")}));
    effects = 0;
    const TurnOutcome outcome = turns().run(message("m" + std::to_string(n)));
    const bool locked = left < 0;
    left = -1;
    if (outcome.status == TurnStatus::Error) {
      ++failures;
      EXPECT_EQ(outcome.error->code, ErrorCode::StoreBusy);
    }
    EXPECT_LE(effects, 2);
    if (locked) unlock(*other);
    model = {};
    EXPECT_EQ(turns().run(message("next" + std::to_string(n))).response, "done");
    std::vector<std::string> calls;
    std::vector<std::string> answers;
    for (const Message& one : base()) {
      for (const ToolCall& made : one.tool_calls())
        calls.push_back(made.id);
      if (one.role() == Role::Tool) answers.push_back(one.tool_call_id());
    }
    EXPECT_EQ(calls, answers);
  }
  EXPECT_GE(failures, 6U);
}

}  // namespace
}  // namespace goondan::agent
