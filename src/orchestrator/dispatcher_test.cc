// Turns of users: acceptance, order, what survives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Strings = std::vector<std::string>;

TEST(Dispatcher, AcceptsAMessageForTheEntryAgentAndWantsItsProcess) {
  World world;
  const Result<Json> reply = world.client("submit", {{"id", "m1"}, {"input", "do"}});
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(to_text(*reply),
            R"({"id":"m1","agent":"alpha","instanceKey":"default","accepted":true})");
  EXPECT_EQ(world.unfinished(), 1U);
  ASSERT_THAT(world.processes.wanted, SizeIs(1));
  EXPECT_EQ(world.processes.wanted[0].first, kAlpha);
  EXPECT_THAT(world.processes.delivered, IsEmpty());
  EXPECT_THAT(world.observed("message.accepted"), SizeIs(1));
  EXPECT_FALSE(world.dispatcher->idle());
}

TEST(Dispatcher, GivesATurnMessageAsTheProtocolHasIt) {
  World world;
  world.dispatcher->on_ready(kAlpha);
  ASSERT_TRUE(
      world.client("submit", {{"id", "m1"}, {"input", "do"}, {"metadata", {{"a", 1}}}}).ok());
  const JsonObject turn = world.last(kAlpha, "turn")->payload();
  EXPECT_EQ(text_field(turn, "input"), "do");
  EXPECT_EQ(text_field(turn, "traceId").size(), 32U);
  EXPECT_EQ(to_text(turn.at("source")), R"({"kind":"user","name":"user"})");
  EXPECT_EQ(to_text(turn.at("metadata")), R"({"a":1})");
  EXPECT_EQ(to_text(turn.at("callStack")), "[]");
  EXPECT_EQ(turn.at("attempt").as_int64(), 1);
  EXPECT_TRUE(world.dispatcher->working(kAlpha));
  EXPECT_EQ(world.dispatcher->working_count(), 1U);
}

TEST(Dispatcher, AcceptsAnIdOnlyOnce) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  EXPECT_TRUE(world.submit("m1")->at("duplicate").as_bool());
  EXPECT_EQ(world.unfinished(), 1U);
  world.start();
  EXPECT_TRUE(world.submit("m1")->at("duplicate").as_bool());
  EXPECT_EQ(world.dispatcher->queued(kAlpha), 1U);
}

TEST(Dispatcher, RefusesAnUnknownAgentWithTheNearestNameAndAnEmptyInput) {
  World world;
  const Result<Json> unknown = world.submit("m1", "alpa");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::AgentNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("'alpa'"));
  EXPECT_THAT(unknown.error().suggestion, HasSubstr("Did you mean 'alpha'?"));
  EXPECT_THAT(unknown.error().suggestion, HasSubstr("alpha, beta, gamma"));
  EXPECT_FALSE(world.client("submit", {{"id", "m2"}, {"input", "  "}}).ok());
  EXPECT_FALSE(world.client("submit", {{"id", "m3"}}).ok());
  EXPECT_EQ(world.unfinished(), 0U);
  EXPECT_TRUE(world.dispatcher->idle());
}

TEST(Dispatcher, DeliversOneTurnAtATimeInTheOrderOfAcceptance) {
  World world;
  for (const char* id : {"m1", "m2", "m3"})
    ASSERT_TRUE(world.submit(id).ok());
  world.dispatcher->on_ready(kAlpha);
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1"));
  world.done(kAlpha, "m1");
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1", "m2"));
  world.done(kAlpha, "m2", "error", "no");
  world.done(kAlpha, "m3");
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1", "m2", "m3"));
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_EQ(world.unfinished(), 0U);
  EXPECT_THAT(world.dispatcher->take_good_turns(), ElementsAre(kAlpha));
  EXPECT_THAT(world.dispatcher->take_good_turns(), IsEmpty());
}

TEST(Dispatcher, IgnoresTheEndOfATurnThatIsNotTheCurrentOne) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.submit("m2", "beta").ok());
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->on_ready(kBeta);
  world.done(kAlpha, "m2");
  world.done(kAlpha, "");
  EXPECT_TRUE(world.dispatcher->working(kAlpha));
  EXPECT_TRUE(world.dispatcher->working(kBeta));
  EXPECT_THAT(world.observed("runtime.problem"), SizeIs(2));
  world.done(kAlpha, "m1");
  world.done(kAlpha, "m1");
  EXPECT_EQ(world.unfinished(), 1U);
}

TEST(Dispatcher, DeliversAnInterruptedTurnAgainWhenAProcessIsReadyAgain) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.submit("m2").ok());
  for (int i = 0; i < 5; ++i) {  // as often as it likes: nobody crashed
    world.dispatcher->on_ready(kAlpha);
    world.done(kAlpha, "m1", "interrupted");
    EXPECT_FALSE(world.dispatcher->working(kAlpha));
    world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Expected);
  }
  world.dispatcher->on_ready(kAlpha);
  EXPECT_EQ(world.last(kAlpha, "turn")->id(), "m1");
  EXPECT_EQ(world.last(kAlpha, "turn")->payload().at("attempt").as_int64(), 6);
  world.done(kAlpha, "m1");
  EXPECT_EQ(world.last(kAlpha, "turn")->id(), "m2");
}

TEST(Dispatcher, WantsTheProcessAgainAfterACrashAndGivesUpAfterThree) {  // REQ: HAND-8
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.submit("m2").ok());
  for (int i = 0; i < kMaxAttempts; ++i) {
    world.dispatcher->on_ready(kAlpha);
    EXPECT_EQ(world.last(kAlpha, "turn")->id(), "m1");
    world.processes.wanted.clear();
    world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
    EXPECT_THAT(world.processes.wanted, SizeIs(1));
  }
  ASSERT_THAT(world.observed("turn.failed"), SizeIs(1));
  EXPECT_THAT(world.observed("turn.failed")[0], HasSubstr("E_AGENT_CRASH"));
  EXPECT_THAT(world.observed("turn.failed")[0], HasSubstr("\"m1\""));
  world.dispatcher->on_ready(kAlpha);
  EXPECT_EQ(world.last(kAlpha, "turn")->id(), "m2");
  EXPECT_EQ(world.unfinished(), 1U);
}

TEST(Dispatcher, AnswersAllMessagesOfAnAgentThatCannotBeStarted) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.submit("m2").ok());
  world.processes.wanted.clear();
  world.dispatcher->on_start_failed(kAlpha, {.code = ErrorCode::ModelConfig, .message = "no key"});
  EXPECT_THAT(world.observed("turn.failed"), SizeIs(2));
  EXPECT_THAT(world.observed("turn.failed")[1], HasSubstr("E_MODEL_CONFIG"));
  EXPECT_THAT(world.processes.wanted, IsEmpty());
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_EQ(world.unfinished(), 0U);
}

TEST(Dispatcher, TakesUpWhatTheJournalHolds) {
  World world;
  for (const char* id : {"m1", "m2", "m3"})
    ASSERT_TRUE(world.submit(id).ok());
  world.dispatcher->on_ready(kAlpha);
  world.done(kAlpha, "m1");
  world.processes = {};
  world.start();
  ASSERT_THAT(world.processes.wanted, SizeIs(1));
  EXPECT_EQ(world.processes.wanted[0].first, kAlpha);
  world.dispatcher->on_ready(kAlpha);
  EXPECT_EQ(world.last(kAlpha, "turn")->id(), "m2");
  EXPECT_EQ(world.last(kAlpha, "turn")->payload().at("attempt").as_int64(), 2);
}

TEST(Dispatcher, AnswersMessagesOfAgentsThatLeftTheSwarm) {
  World world;
  ASSERT_TRUE(world.submit("m1", "beta").ok());
  world.swarm.agents = {"alpha", "gamma"};
  world.dispatcher->set_swarm(world.swarm);
  ASSERT_THAT(world.observed("turn.failed"), SizeIs(1));
  EXPECT_THAT(world.observed("turn.failed")[0], HasSubstr("E_AGENT_NOT_FOUND"));
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_FALSE(world.submit("m2", "beta").ok());
}

TEST(Dispatcher, AnswersWhatAnAgentThatLeftTheSwarmDidNotFinish) {
  for (const Dispatcher::Ending ending :
       {Dispatcher::Ending::Expected, Dispatcher::Ending::Crashed}) {
    World world;
    ASSERT_TRUE(world.submit("m1", "beta").ok());
    world.dispatcher->on_ready(kBeta);
    world.swarm.agents = {"alpha", "gamma"};
    world.dispatcher->set_swarm(world.swarm);
    EXPECT_THAT(world.observed("message.finished"), IsEmpty());
    world.dispatcher->on_exit(kBeta, ending);
    ASSERT_THAT(world.observed("message.finished"), SizeIs(1));
    EXPECT_THAT(world.observed("message.finished")[0], HasSubstr("E_AGENT_NOT_FOUND"));
    EXPECT_TRUE(world.dispatcher->idle());
    EXPECT_EQ(world.unfinished(), 0U);
  }
}

TEST(Dispatcher, KeepsTurnsBackWhileItIsQuiet) {  // REQ: HAND-9
  World world;
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->quiesce();
  EXPECT_TRUE(world.submit("m1").ok());
  EXPECT_TRUE(world.submit("m2", "beta").ok());
  EXPECT_THAT(world.processes.delivered, IsEmpty());
  EXPECT_THAT(world.processes.wanted, IsEmpty());
  EXPECT_EQ(world.unfinished(), 2U);
  world.dispatcher->resume();
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1"));
  ASSERT_THAT(world.processes.wanted, SizeIs(1));
  EXPECT_EQ(world.processes.wanted[0].first, kBeta);
}

TEST(Dispatcher, RefusesMoreThanMayWait) {
  World world;
  for (std::size_t i = 0; i < kMaxQueuedMessages; ++i) {
    ASSERT_TRUE(world.submit("m" + std::to_string(i)).ok());
  }
  const Result<Json> refused = world.submit("one-more");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Limit);
  EXPECT_TRUE(world.submit("other", "beta").ok());
}

TEST(Dispatcher, RefusesWhatDoesNotFitIntoOneMessage) {
  World world;
  const Result<Json> refused =
      world.client("submit", {{"id", "m1"}, {"input", std::string(ipc::kMaxMessageBytes, 'x')}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Limit);
  Json deep = 1;
  for (int i = 0; i < 60; ++i)
    deep = JsonArray{deep};
  EXPECT_FALSE(
      world.client("submit", {{"id", "m1"}, {"input", "do"}, {"metadata", {{"d", deep}}}}).ok());
  EXPECT_FALSE(world.submit(std::string(300, 'i')).ok());
  EXPECT_FALSE(world.submit("m1", "alpha", std::string(1'000, 'k')).ok());
  EXPECT_FALSE(world.submit("m1", "alpha", "a\nb").ok());
  EXPECT_EQ(world.unfinished(), 0U);
}

TEST(Dispatcher, TellsTheEndOfAMessageWithinTheSizeOfOneMessage) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  world.dispatcher->on_ready(kAlpha);
  world.done(kAlpha, "m1", "ok", std::string(ipc::kMaxMessageBytes - 1'000, 'r'));
  ASSERT_THAT(world.observed("message.finished"), SizeIs(1));
  EXPECT_LT(world.observed("message.finished")[0].size(), ipc::kMaxMessageBytes / 2);
}

TEST(Dispatcher, TellsTheTurnsThatRunToCancel) {
  World world;
  for (const char* agent : {"alpha", "beta"})
    ASSERT_TRUE(world.submit(agent, agent).ok());
  for (const InstanceName& name : {kAlpha, kBeta, kGamma})
    world.dispatcher->on_ready(name);
  EXPECT_EQ(to_text(*world.client("cancel", {{"agent", "beta"}})), R"({"cancelled":1})");
  EXPECT_TRUE(world.last(kBeta, "cancel").has_value());
  EXPECT_FALSE(world.last(kAlpha, "cancel").has_value());
  EXPECT_EQ(to_text(*world.client("cancel", {})), R"({"cancelled":2})");
  EXPECT_FALSE(world.last(kGamma, "cancel").has_value());
  EXPECT_FALSE(world.client("cancel", {{"agent", "nobody"}}).ok());
}

TEST(Dispatcher, ForgetsAnInstanceAndAnswersWhatItHad) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.dispatcher->forget(kAlpha).ok());
  EXPECT_THAT(world.observed("turn.failed"), SizeIs(1));
  EXPECT_THAT(world.dispatcher->instances(), IsEmpty());
  EXPECT_TRUE(world.dispatcher->idle());
  world.start();
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_TRUE(world.dispatcher->forget(kAlpha).ok());
}

TEST(Dispatcher, KnowsItsKindsOfClientMessages) {
  World world;
  EXPECT_FALSE(world.dispatcher->on_client(1, "status", "r", {}));
  EXPECT_FALSE(world.dispatcher->on_client(1, "handles.open", "r", {}));
  EXPECT_TRUE(world.dispatcher->on_client(1, "handles.list", "r", {}));
  EXPECT_THAT(world.processes.replies, SizeIs(1));
}

TEST(Dispatcher, SurvivesMessagesThatMakeNoSense) {
  World world;
  world.dispatcher->on_message(kAlpha, {});  // nobody knows it
  world.dispatcher->on_ready(kAlpha);
  for (const char* text : {"null", "[]", "{}", R"({"kind":1})", R"({"kind":"turn_done"})",
                           R"({"kind":"send"})", R"({"kind":"request","params":[]})",
                           R"({"kind":"request","method":"handles.open","params":{"handle":[]}})",
                           R"({"kind":"injected","id":{}})", R"({"id":"x","target":7})"}) {
    const Json payload = *parse_json(text);
    for (const ipc::MessageType type :
         {ipc::MessageType::Delegate, ipc::MessageType::DelegateResult, ipc::MessageType::Event,
          ipc::MessageType::Shutdown, ipc::MessageType::ShutdownAck}) {
      world.dispatcher->on_message(kAlpha, {.type = type, .payload = payload});
    }
    if (payload.is_object()) {
      for (const char* kind : {"submit", "cancel", "spawn", "handles.wait", "handles.complete"}) {
        world.dispatcher->on_client(1, kind, "r", payload.get_object());
      }
    }
  }
  EXPECT_EQ(world.unfinished(), 0U);
  EXPECT_TRUE(world.dispatcher->idle());
}

}  // namespace
}  // namespace goondan::orchestrator
