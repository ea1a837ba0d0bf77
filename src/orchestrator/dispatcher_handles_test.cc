// Results that come later, instances on record, and what the catalog says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const JsonObject kOpen{{"handle", "h1"}, {"toolName", "job__run"}, {"toolCallId", "c1"}};

class Handles : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const InstanceName& name : {kAlpha, kBeta})
      world.dispatcher->on_ready(name);
    ASSERT_TRUE(world.submit("m1").ok());
    ASSERT_TRUE(world.request(kAlpha, "handles.open", kOpen).contains("result"));
  }

  std::string status(const JsonObject& reply) {
    const JsonObject* result = object_field(reply, "result");
    return result == nullptr ? "" : text_field(*result, "status");
  }
  static std::string code(const JsonObject& reply) {
    const JsonObject* error = object_field(reply, "error");
    return error == nullptr ? "" : text_field(*error, "code");
  }

  World world;
};

TEST_F(Handles, AreTakenOnlyOnceButMayBeOpenedAgainByTheSame) {  // REQ: CALL-7
  EXPECT_EQ(status(world.request(kAlpha, "handles.open", kOpen)), "pending");
  EXPECT_EQ(code(world.request(kBeta, "handles.open", kOpen)), "E_HANDLE_TAKEN");
  EXPECT_EQ(code(world.request(kBeta, "handles.open", {{"handle", ""}})), "E_IPC");
  EXPECT_EQ(world.dispatcher->pending_handles(), 1);
}

TEST_F(Handles, CompletionReachesTheAgentAsAnInjection) {  // REQ: CALL-7
  world.done(kAlpha, "m1");
  const Result<Json> reply =
      world.client("handles.complete", {{"handle", "h1"}, {"output", {{"rows", 3}}}});
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(text_field(reply->get_object(), "status"), "ok");
  const JsonObject injection = world.last(kAlpha, "inject")->payload();
  EXPECT_THAT(text_field(injection, "text"), HasSubstr("h1"));
  EXPECT_THAT(text_field(injection, "text"), HasSubstr("job__run"));
  EXPECT_THAT(text_field(injection, "text"), HasSubstr(R"({"rows":3})"));
  EXPECT_EQ(to_text(injection.at("metadata").at("__goondanHandle")),
            R"({"handle":"h1","status":"ok","toolName":"job__run","toolCallId":"c1",)"
            R"("output":{"rows":3}})");
  EXPECT_THAT(world.observed("handle.opened"), SizeIs(1));
  EXPECT_THAT(world.observed("handle.completed"), SizeIs(1));
  const Result<Json> again = world.client("handles.complete", {{"handle", "h1"}});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::HandleClosed);
}

TEST_F(Handles, AndTheirCompletionSurviveARestart) {  // REQ: CALL-7
  world.done(kAlpha, "m1");
  world.start();
  EXPECT_TRUE(world.dispatcher->idle());  // a pending handle keeps nobody busy
  EXPECT_EQ(world.client("handles.list", {})->at("count").as_uint64(), 1U);
  world.processes.wanted.clear();
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}, {"error", "lost"}}).ok());
  EXPECT_THAT(world.processes.wanted, SizeIs(1));
  world.start();
  world.dispatcher->on_ready(kAlpha);
  const JsonObject injection = world.last(kAlpha, "inject")->payload();
  EXPECT_THAT(to_text(injection), HasSubstr("lost"));
  EXPECT_THAT(to_text(injection), HasSubstr(R"("status":"error")"));
}

TEST_F(Handles, AWaitOfTheOwnerGetsTheOutcomeInsteadOfAnInjection) {  // REQ: CALL-7
  world.request(kAlpha, "handles.wait", {{"handle", "h1"}});
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}, {"output", "x"}}).ok());
  EXPECT_EQ(status(world.last(kAlpha, "reply")->payload()), "ok");
  EXPECT_FALSE(world.last(kAlpha, "inject").has_value());
  EXPECT_EQ(status(world.request(kAlpha, "handles.wait", {{"handle", "h1"}})), "ok");
}

TEST_F(Handles, AWaitOfAnotherDoesNotTakeTheOutcomeFromTheOwner) {
  world.request(kBeta, "handles.wait", {{"handle", "h1"}});
  world.dispatcher->on_client(7, "handles.wait", "w", {{"handle", "h1"}});
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}}).ok());
  EXPECT_EQ(status(world.last(kBeta, "reply")->payload()), "ok");
  EXPECT_TRUE(world.last(kAlpha, "inject").has_value());
  ASSERT_THAT(world.processes.replies, SizeIs(3));
  EXPECT_EQ(world.processes.replies[1].client, 7U);
  EXPECT_EQ(world.processes.replies[1].request_id, "w");
}

TEST_F(Handles, AWaitEndsAtItsTimeWithTheHandlePending) {
  const std::size_t before = world.processes.delivered.size();
  world.request(kAlpha, "handles.wait", {{"handle", "h1"}, {"timeoutMs", 50}});
  EXPECT_EQ(world.processes.delivered.size(), before);
  world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(1));
  EXPECT_EQ(status(world.last(kAlpha, "reply")->payload()), "pending");
  EXPECT_EQ(status(world.request(kAlpha, "handles.wait", {{"handle", "h1"}, {"timeoutMs", 0}})),
            "pending");
  EXPECT_EQ(code(world.request(kAlpha, "handles.wait", {{"handle", "none"}})),
            "E_HANDLE_NOT_FOUND");
}

TEST_F(Handles, AWaitThatNobodyListensToAnyMoreTakesNothing) {
  for (const int how : {0, 1, 2}) {
    const std::string handle = "w" + std::to_string(how);
    world.request(kAlpha, "handles.open", {{"handle", handle}});
    world.request(kAlpha, "handles.wait", {{"handle", handle}});
    if (how == 0) {
      ASSERT_TRUE(world.client("cancel", {}).ok());
    }
    if (how == 1) {
      world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
      world.dispatcher->on_ready(kAlpha);
    }
    if (how == 2) world.done(kAlpha, "m1");
    ASSERT_TRUE(world.client("handles.complete", {{"handle", handle}, {"output", handle}}).ok());
    EXPECT_THAT(to_text(world.last(kAlpha, "inject")->payload()), HasSubstr(handle));
  }
}

TEST_F(Handles, AClientThatIsGoneIsNotAnswered) {
  world.dispatcher->on_client(7, "handles.wait", "w", {{"handle", "h1"}});
  world.dispatcher->on_client_gone(7);
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}}).ok());
  for (const ClientReply& reply : world.processes.replies)
    EXPECT_NE(reply.client, 7U);
}

TEST_F(Handles, AreCancelledByTheirOwnerOrAClient) {
  EXPECT_EQ(code(world.request(kBeta, "handles.cancel", {{"handle", "h1"}})), "E_HANDLE_NOT_FOUND");
  EXPECT_EQ(status(world.request(kAlpha, "handles.cancel", {{"handle", "h1"}, {"reason", "no"}})),
            "cancelled");
  EXPECT_FALSE(world.last(kAlpha, "inject").has_value());  // it knows
  EXPECT_EQ(code(world.request(kAlpha, "handles.cancel", {{"handle", "h1"}})), "E_HANDLE_CLOSED");
  world.request(kAlpha, "handles.open", {{"handle", "h2"}});
  ASSERT_TRUE(world.client("handles.cancel", {{"handle", "h2"}}).ok());
  EXPECT_THAT(to_text(world.last(kAlpha, "inject")->payload()), HasSubstr("cancelled"));
  EXPECT_THAT(world.observed("handle.cancelled"), SizeIs(2));
}

TEST_F(Handles, AreListedForTheirOwnerUnlessAllAreAsked) {
  world.request(kBeta, "handles.open", {{"handle", "h2"}});
  const auto count = [](const JsonObject& reply) {
    return object_field(reply, "result")->at("count").as_uint64();
  };
  EXPECT_EQ(count(world.request(kBeta, "handles.list")), 1U);
  EXPECT_EQ(count(world.request(kBeta, "handles.list", {{"includeAll", true}})), 2U);
}

TEST_F(Handles, LargeOutputsAreCutInTheTextAndRefusedBeyondTheLimit) {
  const std::string large(400'000, 'x');
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}, {"output", large}}).ok());
  EXPECT_LT(to_text(world.last(kAlpha, "inject")->payload()).size(), 40'000U);
  world.request(kAlpha, "handles.open", {{"handle", "h2"}});
  const Result<Json> refused =
      world.client("handles.complete", {{"handle", "h2"}, {"output", large + large}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Limit);
}

TEST(Roster, SpawnPreparesAnInstanceOnce) {  // REQ: HAND-6
  World world;
  world.dispatcher->on_ready(kAlpha);
  const auto spawn = [&world](JsonObject params) {
    const JsonObject reply = world.request(kAlpha, "agents.spawn", std::move(params));
    return *object_field(reply, "result");
  };
  EXPECT_EQ(to_text(spawn({{"target", "beta"}, {"instanceKey", " k "}, {"cwd", "/work"}})),
            R"({"target":"beta","instanceKey":"k","spawned":true,"cwd":"/work"})");
  ASSERT_THAT(world.processes.wanted, SizeIs(1));
  EXPECT_EQ(world.processes.wanted[0].first, (InstanceName{"beta", "k"}));
  EXPECT_EQ(world.processes.wanted[0].second, "/work");
  EXPECT_EQ(to_text(spawn({{"target", "beta"}, {"instanceKey", "k"}})),
            R"({"target":"beta","instanceKey":"k","spawned":false,"cwd":"/work"})");
  const JsonObject made = spawn({{"target", "beta"}});
  EXPECT_EQ(text_field(made, "instanceKey").size(), std::string("beta-").size() + 12);
  EXPECT_TRUE(made.at("cwd").is_null());
  const JsonObject refused = world.request(kAlpha, "agents.spawn", {{"target", "delta"}});
  EXPECT_EQ(text_field(*object_field(refused, "error"), "code"), "E_AGENT_NOT_FOUND");
  world.start();
  EXPECT_THAT(world.dispatcher->instances(), SizeIs(2));
  EXPECT_EQ(
      text_field(world.client("spawn", {{"agent", "beta"}, {"instanceKey", "k"}})->get_object(),
                 "cwd"),
      "/work");
}

TEST(Roster, ListsOnesOwnUnlessAllAreAsked) {  // REQ: HAND-6
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  world.dispatcher->on_ready(kAlpha);
  world.ask(kAlpha, "q1", "beta");
  world.request(kAlpha, "agents.spawn", {{"target", "gamma"}, {"instanceKey", "g"}});
  ASSERT_TRUE(world.client("spawn", {{"agent", "gamma"}, {"instanceKey", "user"}}).ok());
  const JsonObject own = *object_field(world.request(kAlpha, "agents.list"), "result");
  EXPECT_EQ(own.at("count").as_uint64(), 2U);
  JsonObject first = own.at("agents").at(0).get_object();
  EXPECT_FALSE(text_field(first, "createdAt").empty());
  first.erase("createdAt");
  EXPECT_EQ(to_text(first), R"({"target":"beta","instanceKey":"default","ownerAgent":"alpha",)"
                            R"("ownerInstanceKey":"default","cwd":null})");
  const JsonObject all =
      *object_field(world.request(kAlpha, "agents.list", {{"includeAll", true}}), "result");
  EXPECT_EQ(all.at("count").as_uint64(), 4U);
}

TEST(Roster, CatalogNamesAllAndThoseThatCanBeCalled) {  // REQ: HAND-6
  World world;
  world.dispatcher->on_ready(kBeta);
  EXPECT_EQ(to_text(*object_field(world.request(kBeta, "agents.catalog"), "result")),
            R"({"swarmName":"team","entryAgent":"alpha","selfAgent":"beta","availableCount":3,)"
            R"("callableCount":2,"availableAgents":["alpha","beta","gamma"],)"
            R"("callableAgents":["alpha","gamma"]})");
}

TEST(Dispatcher, PassesTheWishForARestartOn) {  // REQ: HAND-9
  World world;
  world.dispatcher->on_ready(kBeta);
  EXPECT_TRUE(world.request(kBeta, "runtime.restart", {{"reason", "new"}}).contains("result"));
  EXPECT_THAT(world.processes.restarts, ::testing::ElementsAre("new"));
  EXPECT_TRUE(world.request(kBeta, "runtime.fly").contains("error"));
}

}  // namespace
}  // namespace goondan::orchestrator
