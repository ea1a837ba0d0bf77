// Requests of agents to agents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const JsonObject kAsync{{"async", true}};

// Alpha works on `m1`; beta and gamma are ready.
class Requests : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const InstanceName& name : {kAlpha, kBeta, kGamma})
      world.dispatcher->on_ready(name);
    ASSERT_TRUE(world.submit("m1").ok());
  }

  // `{requestId, result | error}`
  JsonObject reply(const InstanceName& to = kAlpha) {
    const std::optional<Delivered> last = world.last(to, "reply");
    return last ? last->payload() : JsonObject{};
  }
  std::string error_code(const InstanceName& to = kAlpha) {
    const JsonObject said = reply(to);
    const JsonObject* error = object_field(said, "error");
    return error == nullptr ? "" : text_field(*error, "code");
  }
  std::string error_message(const InstanceName& to = kAlpha) {
    const JsonObject said = reply(to);
    const JsonObject* error = object_field(said, "error");
    return error == nullptr ? "" : text_field(*error, "message");
  }
  JsonObject injected_metadata(const InstanceName& to = kAlpha) {
    const Json metadata = any_field(world.last(to, "inject")->payload(), "metadata");
    return *object_field(metadata.get_object(), "__goondanInterAgentResponse");
  }

  World world;
};

TEST_F(Requests, AreAcceptedDeliveredAndAnswered) {  // REQ: HAND-3
  world.ask(kAlpha, "q1", "beta", {{"metadata", {{"n", 1}}}});
  const JsonObject said = reply();
  EXPECT_EQ(text_field(said, "requestId"), "q1");
  const JsonObject result = *object_field(said, "result");
  EXPECT_TRUE(result.at("accepted").as_bool());
  EXPECT_EQ(text_field(result, "eventId"), "q1");
  EXPECT_EQ(text_field(result, "target"), "beta");
  EXPECT_TRUE(text_field(result, "correlationId").starts_with("corr_"));

  const Delivered request = *world.last(kBeta, "delegate");
  EXPECT_EQ(request.message.correlation_id, text_field(result, "correlationId"));
  EXPECT_EQ(request.message.from, "alpha@default");
  EXPECT_EQ(to_text(request.payload().at("callStack")), R"(["alpha@default"])");
  EXPECT_EQ(text_field(request.payload(), "traceId"),
            text_field(world.last(kAlpha, "turn")->payload(), "traceId"));
  EXPECT_EQ(text_field(request.payload(), "parentSpanId"), "5pan");
  EXPECT_EQ(text_field(request.payload(), "eventType"), "agent.request");
  EXPECT_EQ(to_text(request.payload().at("source")),
            R"({"kind":"agent","name":"alpha","instanceKey":"default"})");

  world.result(kBeta, request, "ok", "42");
  const Delivered answer = *world.last(kAlpha, "delegate_result");
  EXPECT_EQ(answer.message.correlation_id, request.message.correlation_id);
  EXPECT_EQ(answer.message.from, "beta@default");
  EXPECT_EQ(text_field(answer.payload(), "status"), "ok");
  EXPECT_EQ(text_field(answer.payload(), "response"), "42");
  EXPECT_FALSE(text_field(answer.payload(), "eventId").empty());
  EXPECT_THAT(world.observed("delegate.sent"), SizeIs(1));
  EXPECT_THAT(world.observed("delegate.answered"), SizeIs(1));
  EXPECT_EQ(world.unfinished(), 1U);
  EXPECT_THAT(*world.journal->requests(), IsEmpty());
}

TEST_F(Requests, AreAcknowledgedBeforeTheyAreDeliveredAndAfterTheJournalHasThem) {
  world.ask(kAlpha, "q1", "beta");
  const auto& all = world.processes.delivered;
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[all.size() - 2].kind(), "reply");
  EXPECT_EQ(all.back().kind(), "delegate");
  EXPECT_THAT(*world.journal->requests(), SizeIs(1));
}

TEST_F(Requests, GoToTheSendersKeyUnlessOneIsNamedAndSpawnTheTarget) {  // REQ: HAND-4
  const InstanceName sender{"alpha", "k7"};
  world.dispatcher->on_ready(sender);
  world.processes.wanted.clear();
  world.ask(sender, "q1", "beta");
  world.ask(sender, "q2", "beta", {{"instanceKey", "  other "}});
  ASSERT_THAT(world.processes.wanted, SizeIs(2));
  EXPECT_EQ(world.processes.wanted[0].first, (InstanceName{"beta", "k7"}));
  EXPECT_EQ(world.processes.wanted[1].first, (InstanceName{"beta", "other"}));
}

TEST_F(Requests, ToAnUnknownAgentAreRefused) {  // REQ: HAND-5
  world.ask(kAlpha, "q1", "bета");
  EXPECT_EQ(error_code(), "E_AGENT_NOT_FOUND");
  world.ask(kAlpha, "q2", "beta", {{"input", ""}});
  EXPECT_EQ(error_code(), "E_TOOL_INVALID_ARGS");
  EXPECT_EQ(world.unfinished(), 1U);
  world.done(kAlpha, "m1");
  EXPECT_TRUE(world.dispatcher->idle());
}

TEST_F(Requests, ThatWouldWaitInACircleAreRefusedWithTheChain) {  // REQ: HAND-5
  world.ask(kAlpha, "q1", "alpha");
  EXPECT_EQ(error_code(), "E_AGENT_CYCLE");
  EXPECT_THAT(error_message(), HasSubstr("alpha@default -> alpha@default"));
  world.ask(kAlpha, "q2", "alpha", {{"instanceKey", "other"}});
  EXPECT_EQ(error_code(), "E_AGENT_CYCLE");

  world.ask(kAlpha, "q3", "beta");
  world.ask(kBeta, "q4", "alpha", {{"instanceKey", "other"}});
  EXPECT_EQ(error_code(kBeta), "E_AGENT_CYCLE");
  EXPECT_THAT(error_message(kBeta), HasSubstr("alpha@default -> beta@default -> alpha@other"));
  world.ask(kBeta, "q5", "alpha", kAsync);
  EXPECT_EQ(error_code(kBeta), "E_AGENT_CYCLE");

  world.ask(kBeta, "q6", "gamma");
  world.ask(kGamma, "q7", "alpha");
  EXPECT_EQ(error_code(kGamma), "E_AGENT_CYCLE");
  EXPECT_THAT(error_message(kGamma),
              HasSubstr("alpha@default -> beta@default -> gamma@default -> alpha@default"));
  world.ask(kGamma, "q8", "beta");
  EXPECT_EQ(error_code(kGamma), "E_AGENT_CYCLE");
}

TEST_F(Requests, KeepTheirChainThroughARestartWhateverAgentsSay) {
  world.ask(kAlpha, "q1", "beta", kAsync);
  world.start();
  world.dispatcher->on_ready(kBeta);
  world.ask(kBeta, "q2", "alpha", {{"callStack", JsonArray{}}, {"metadata", {{"callStack", 1}}}});
  EXPECT_EQ(error_code(kBeta), "E_AGENT_CYCLE");
}

TEST_F(Requests, OfTwoThatWaitForEachOthersTurnTheSecondIsRefused) {
  ASSERT_TRUE(world.submit("m2", "beta").ok());
  world.ask(kAlpha, "q1", "beta");  // waits behind `m2`
  world.ask(kBeta, "q2", "alpha");  // would wait behind `m1`, which waits for `q1`
  EXPECT_EQ(error_code(kBeta), "E_AGENT_CYCLE");
  EXPECT_THAT(error_message(kBeta), HasSubstr("beta@default -> alpha@default -> beta@default"));
  world.ask(kBeta, "q3", "alpha", kAsync);  // nobody waits
  EXPECT_EQ(error_code(kBeta), "");
  world.ask(kBeta, "q4", "alpha", {{"instanceKey", "free"}});
  EXPECT_EQ(error_code(kBeta), "");
}

TEST_F(Requests, WithAnIdThatIsKnownAreAcceptedOnlyOnce) {
  world.ask(kAlpha, "q1", "beta");
  const JsonObject first = *object_field(reply(), "result");
  world.ask(kAlpha, "q1", "beta");
  EXPECT_EQ(to_text(*object_field(reply(), "result")), to_text(first));
  EXPECT_THAT(world.ids(kBeta, "delegate"), ElementsAre("q1"));
  world.result(kBeta, *world.last(kBeta, "delegate"));
  world.ask(kAlpha, "q1", "beta");
  EXPECT_TRUE(reply().contains("result"));
  EXPECT_THAT(world.ids(kBeta, "delegate"), ElementsAre("q1"));
  EXPECT_THAT(*world.journal->requests(), IsEmpty());
}

TEST_F(Requests, MayBringTheirCorrelationIdButNotThatOfAnother) {
  const auto ask = [this](const InstanceName& from, std::string_view id, std::string_view target) {
    world.dispatcher->on_message(
        from, {.type = ipc::MessageType::Delegate,
               .payload = JsonObject{{"id", id}, {"target", target}, {"input", "help"}},
               .correlation_id = "mine"});
  };
  ask(kAlpha, "q1", "beta");
  EXPECT_EQ(world.last(kBeta, "delegate")->message.correlation_id, "mine");
  const InstanceName other{"alpha", "other"};
  world.dispatcher->on_ready(other);
  ask(other, "q2", "gamma");
  EXPECT_EQ(error_code(other), "E_IPC");
  world.result(kBeta, *world.last(kBeta, "delegate"));
  EXPECT_TRUE(world.last(kAlpha, "delegate_result").has_value());
  EXPECT_FALSE(world.last(other, "delegate_result").has_value());
}

TEST_F(Requests, AreAnsweredWithAnErrorWhenTheTargetFailsOrDies) {  // REQ: HAND-5
  world.ask(kAlpha, "q1", "beta");
  world.result(kBeta, *world.last(kBeta, "delegate"), "error", "cannot");
  EXPECT_THAT(to_text(world.last(kAlpha, "delegate_result")->payload()), HasSubstr("cannot"));

  world.ask(kAlpha, "q2", "beta");
  for (int i = 0; i < kMaxAttempts; ++i) {
    world.dispatcher->on_exit(kBeta, Dispatcher::Ending::Crashed);
    world.dispatcher->on_ready(kBeta);
  }
  EXPECT_THAT(to_text(world.last(kAlpha, "delegate_result")->payload()),
              HasSubstr("E_AGENT_CRASH"));
  EXPECT_THAT(world.ids(kBeta, "delegate"), ElementsAre("q1", "q2", "q2", "q2"));

  world.dispatcher->on_exit(kGamma, Dispatcher::Ending::Expected);
  world.ask(kAlpha, "q3", "gamma");
  world.dispatcher->on_start_failed(kGamma, {.code = ErrorCode::AgentStart, .message = "broken"});
  EXPECT_THAT(to_text(world.last(kAlpha, "delegate_result")->payload()),
              HasSubstr("E_AGENT_START"));
  EXPECT_THAT(*world.journal->requests(), IsEmpty());
}

TEST_F(Requests, OfADeadProcessAreNotAnsweredToItsSuccessor) {
  world.ask(kAlpha, "q1", "beta");
  const Delivered request = *world.last(kBeta, "delegate");
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
  world.dispatcher->on_ready(kAlpha);
  EXPECT_TRUE(world.dispatcher->working(kBeta));  // its work goes on
  world.result(kBeta, request);
  EXPECT_FALSE(world.last(kAlpha, "delegate_result").has_value());
  EXPECT_THAT(*world.journal->requests(), IsEmpty());
  EXPECT_FALSE(world.dispatcher->working(kBeta));
}

TEST_F(Requests, AskedAgainByTheSuccessorAreAnsweredToIt) {
  world.ask(kAlpha, "q1", "beta");
  const Delivered request = *world.last(kBeta, "delegate");
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
  world.dispatcher->on_ready(kAlpha);
  world.ask(kAlpha, "q1", "beta");
  world.result(kBeta, request);
  EXPECT_TRUE(world.last(kAlpha, "delegate_result").has_value());
}

TEST_F(Requests, ThatAreAsynchronousAreAnsweredByAnInjection) {  // REQ: HAND-6, HAND-7
  world.ask(
      kAlpha, "q1", "beta",
      {{"async", true}, {"eventType", "my.type"}, {"metadata", {{"n", 1}, {"__goondanX", 2}}}});
  const JsonObject result = *object_field(reply(), "result");
  world.result(kBeta, *world.last(kBeta, "delegate"), "ok", "forty-two");
  EXPECT_FALSE(world.last(kAlpha, "delegate_result").has_value());
  const Delivered injection = *world.last(kAlpha, "inject");  // although a turn runs
  EXPECT_THAT(text_field(injection.payload(), "text"), HasSubstr("forty-two"));
  EXPECT_THAT(text_field(injection.payload(), "text"), HasSubstr("beta@default"));
  EXPECT_EQ(to_text(injection.payload().at("source")),
            R"({"kind":"agent","name":"beta","instanceKey":"default"})");
  JsonObject about = injected_metadata();
  EXPECT_FALSE(text_field(about, "receivedAt").empty());
  EXPECT_EQ(text_field(about, "traceId").size(), 32U);
  about.erase("receivedAt");
  about.erase("traceId");
  const JsonObject expected{{"kind", "inter_agent_response"},
                            {"version", 1},
                            {"requestId", text_field(result, "correlationId")},
                            {"requestEventId", "q1"},
                            {"responseEventId", injection.id()},
                            {"fromAgentId", "beta"},
                            {"toAgentId", "alpha"},
                            {"async", true},
                            {"status", "ok"},
                            {"requestEventType", "my.type"},
                            {"requestMetadata", {{"n", 1}}}};
  EXPECT_EQ(Json(about), Json(expected));
  EXPECT_EQ(world.unfinished(), 2U);
  world.event(kAlpha, {{"kind", "injected"}, {"id", injection.id()}});
  EXPECT_EQ(world.unfinished(), 1U);
}

TEST_F(Requests, AnswersReachACallerThatHasNoProcessAnyMore) {
  world.ask(kAlpha, "q1", "beta", kAsync);
  const Delivered request = *world.last(kBeta, "delegate");
  world.done(kAlpha, "m1");
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Expected);
  world.processes.wanted.clear();
  world.result(kBeta, request);
  ASSERT_THAT(world.processes.wanted, SizeIs(1));
  EXPECT_EQ(world.processes.wanted[0].first, kAlpha);
  EXPECT_FALSE(world.dispatcher->idle());
  world.start();  // it is in the journal
  world.dispatcher->on_ready(kAlpha);
  EXPECT_TRUE(world.last(kAlpha, "inject").has_value());
}

TEST_F(Requests, InjectionsAreGivenToTheNextProcessUntilTheyAreOnDisk) {
  world.ask(kAlpha, "q1", "beta", kAsync);
  world.result(kBeta, *world.last(kBeta, "delegate"));
  const std::string id = world.last(kAlpha, "inject")->id();
  world.done(kAlpha, "m1");
  world.processes.wanted.clear();
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
  EXPECT_THAT(world.processes.wanted, SizeIs(1));
  world.dispatcher->on_ready(kAlpha);
  EXPECT_THAT(world.ids(kAlpha, "inject"), ElementsAre(id, id));
  world.event(kAlpha, {{"kind", "injected"}, {"id", id}});
  world.event(kAlpha, {{"kind", "injected"}, {"id", id}});
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
  world.dispatcher->on_ready(kAlpha);
  EXPECT_THAT(world.ids(kAlpha, "inject"), SizeIs(2));
  EXPECT_TRUE(world.dispatcher->idle());
}

TEST_F(Requests, ThatTimeOutAreToldOnceAndLateAnswersAreDropped) {  // REQ: HAND-5
  world.ask(kAlpha, "q1", "beta", {{"async", true}, {"timeoutMs", 50}});
  world.ask(kAlpha, "q2", "gamma", {{"timeoutMs", 50}});
  ASSERT_TRUE(world.dispatcher->next_timer().has_value());
  world.dispatcher->on_timer(Clock::now() + std::chrono::minutes(1));
  EXPECT_EQ(text_field(injected_metadata(), "status"), "timeout");
  EXPECT_EQ(text_field(injected_metadata(), "errorCode"), "E_AGENT_TIMEOUT");
  EXPECT_THAT(*world.journal->requests(), IsEmpty());
  world.result(kBeta, *world.last(kBeta, "delegate"));
  world.result(kGamma, *world.last(kGamma, "delegate"));
  EXPECT_THAT(world.ids(kAlpha, "inject"), SizeIs(1));
  EXPECT_FALSE(world.last(kAlpha, "delegate_result").has_value());
  EXPECT_FALSE(world.dispatcher->working(kBeta));
  EXPECT_FALSE(world.dispatcher->working(kGamma));
}

TEST_F(Requests, KeepTheirDeadlineThroughARestart) {
  world.ask(kAlpha, "q1", "beta", {{"async", true}, {"timeoutMs", 50}});
  world.start();
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->on_timer(Clock::now() + std::chrono::minutes(1));
  EXPECT_EQ(text_field(injected_metadata(), "status"), "timeout");
}

TEST_F(Requests, AnAgentMayHaveOnlySoManyOpen) {
  for (std::size_t i = 0; i < kMaxOpenRequests; ++i) {
    world.ask(kAlpha, "q" + std::to_string(i), "beta", kAsync);
  }
  EXPECT_EQ(error_code(), "");
  world.ask(kAlpha, "more", "beta", kAsync);
  EXPECT_EQ(error_code(), "E_LIMIT");
  world.result(kBeta, *world.last(kBeta, "delegate"));
  world.ask(kAlpha, "more", "beta", kAsync);
  EXPECT_EQ(error_code(), "");
}

TEST_F(Requests, AnswersThatAreTooLargeAreCut) {
  world.ask(kAlpha, "q1", "beta",
            {{"async", true}, {"metadata", {{"x", std::string(500'000, 'm')}}}});
  world.result(kBeta, *world.last(kBeta, "delegate"), "ok", std::string(1'040'000, 'r'));
  const Delivered injection = *world.last(kAlpha, "inject");
  EXPECT_TRUE(ipc::encode_message(injection.message).ok());
  world.ask(kAlpha, "q2", "beta");
  world.result(kBeta, *world.last(kBeta, "delegate"), "ok", std::string(1'048'000, 'r'));
  EXPECT_TRUE(ipc::encode_message(world.last(kAlpha, "delegate_result")->message).ok());
}

TEST_F(Requests, AreDeliveredInQuietTimesIfATurnWaitsForThem) {  // REQ: HAND-9
  ASSERT_TRUE(world.submit("m2", "gamma").ok());
  world.done(kGamma, "m2");
  world.dispatcher->quiesce();
  ASSERT_TRUE(world.submit("m3", "beta").ok());
  world.ask(kAlpha, "q1", "beta");  // passes `m3`, which stays where it is
  EXPECT_THAT(world.ids(kBeta, "delegate"), ElementsAre("q1"));
  EXPECT_THAT(world.ids(kBeta, "turn"), IsEmpty());
  world.ask(kBeta, "q2", "gamma", kAsync);
  world.result(kGamma, *world.last(kGamma, "delegate"));
  EXPECT_TRUE(world.last(kBeta, "inject").has_value());
  world.result(kBeta, *world.last(kBeta, "delegate"));
  EXPECT_TRUE(world.last(kAlpha, "delegate_result").has_value());
  world.done(kAlpha, "m1");
  EXPECT_EQ(world.dispatcher->working_count(), 0U);
  EXPECT_THAT(world.ids(kBeta, "turn"), IsEmpty());
  world.dispatcher->resume();
  EXPECT_THAT(world.ids(kBeta, "turn"), ElementsAre("m3"));
}

TEST_F(Requests, SendTellsWithoutWaitingAndWithoutAChain) {  // REQ: HAND-6
  world.event(
      kAlpha,
      {{"kind", "send"}, {"id", "s1"}, {"target", "alpha"}, {"input", "note"}, {"spanId", "5pan"}});
  EXPECT_EQ(to_text(*object_field(reply(), "result")),
            R"({"accepted":true,"eventId":"s1","target":"alpha"})");
  world.done(kAlpha, "m1");
  const JsonObject turn = world.last(kAlpha, "turn")->payload();
  EXPECT_EQ(text_field(turn, "id"), "s1");
  EXPECT_EQ(text_field(turn, "eventType"), "agent.send");
  EXPECT_EQ(to_text(turn.at("callStack")), "[]");
  EXPECT_EQ(text_field(turn, "parentSpanId"), "5pan");
  EXPECT_EQ(to_text(turn.at("source")),
            R"({"kind":"agent","name":"alpha","instanceKey":"default"})");
}

TEST_F(Requests, ToAnInstanceThatIsDeletedAreAnswered) {
  world.ask(kAlpha, "q1", "beta", kAsync);
  world.dispatcher->on_exit(kBeta, Dispatcher::Ending::Expected);
  ASSERT_TRUE(world.dispatcher->forget(kBeta).ok());
  EXPECT_EQ(text_field(injected_metadata(), "errorCode"), "E_AGENT_STOPPED");
  world.ask(kAlpha, "q2", "gamma", kAsync);
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Expected);
  ASSERT_TRUE(world.dispatcher->forget(kAlpha).ok());
  world.result(kGamma, *world.last(kGamma, "delegate"));
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_EQ(world.unfinished(), 0U);
}

}  // namespace
}  // namespace goondan::orchestrator
