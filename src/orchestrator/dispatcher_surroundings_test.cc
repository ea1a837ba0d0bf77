// Where a turn came from and on whose behalf it acts, through everything that it sets off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"
#include "orchestrator/payloads.h"

namespace goondan::orchestrator {
namespace {

const JsonObject kAda{{"subjects", JsonObject{{"user", "slack:user:T1:ada"}}}};
const JsonObject kChannel{{"channel", "C1"}};

JsonObject surroundings_in(const std::optional<Delivered>& delivered) {
  return delivered ? surroundings_of(delivered->payload()) : JsonObject{};
}

const JsonObject kBoth{{"origin", kChannel}, {"auth", kAda}};

class SurroundingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const InstanceName& name : {kAlpha, kBeta})
      world.dispatcher->on_ready(name);
    ASSERT_TRUE(world
                    .client("submit", {{"id", "m1"},
                                       {"agent", "alpha"},
                                       {"input", "do"},
                                       {"origin", kChannel},
                                       {"auth", kAda}})
                    .ok());
  }
  World world;
};

TEST_F(SurroundingsTest, OfAMessageReachItsTurn) {  // REQ: OAUTH-2
  EXPECT_EQ(surroundings_in(world.last(kAlpha, "turn")), kBoth);
}

TEST_F(SurroundingsTest, OfARequestReachTheOtherAgentAndTheAnswerThatComesLater) {
  world.ask(kAlpha, "q1", "beta", {{"async", true}, {"origin", kChannel}, {"auth", kAda}});
  const std::optional<Delivered> request = world.last(kBeta, "delegate");
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(surroundings_in(request), kBoth);
  world.done(kAlpha, "m1");
  world.result(kBeta, *request);
  EXPECT_EQ(surroundings_in(world.last(kAlpha, "inject")), kBoth);
}

TEST_F(SurroundingsTest, OfAnAnswerSurviveARestart) {
  world.ask(kAlpha, "q1", "beta", {{"async", true}, {"origin", kChannel}, {"auth", kAda}});
  world.start();
  for (const InstanceName& name : {kAlpha, kBeta})
    world.dispatcher->on_ready(name);
  const std::optional<Delivered> request = world.last(kBeta, "delegate");
  ASSERT_TRUE(request.has_value());
  world.result(kBeta, *request);
  EXPECT_EQ(surroundings_in(world.last(kAlpha, "inject")), kBoth);
}

TEST_F(SurroundingsTest, OfAHandleReachWhoeverHearsOfItsEnd) {
  world.request(kAlpha, "handles.open",
                {{"handle", "h1"}, {"toolName", "t"}, {"origin", kChannel}, {"auth", kAda}});
  world.done(kAlpha, "m1");
  world.start();
  world.dispatcher->on_ready(kAlpha);
  ASSERT_TRUE(world.client("handles.complete", {{"handle", "h1"}, {"output", 1}}).ok());
  EXPECT_EQ(surroundings_in(world.last(kAlpha, "inject")), kBoth);
}

TEST_F(SurroundingsTest, TooDeepOnesAreRefused) {
  Json deep = JsonObject{};
  for (int i = 0; i < 60; ++i)
    deep = JsonObject{{"a", deep}};
  EXPECT_FALSE(world.client("submit", {{"id", "m2"}, {"input", "do"}, {"origin", deep}}).ok());
}

TEST_F(SurroundingsTest, AMessageOfTheRuntimeNamesItsPartAndComesOnce) {  // REQ: OAUTH-6
  world.done(kAlpha, "m1");
  const JsonObject granted{{"kind", "send"},          {"id", "auth-granted-as-1"},
                           {"target", "alpha"},       {"instanceKey", "default"},
                           {"input", "agreed"},       {"eventType", "auth.granted"},
                           {"systemSource", "oauth"}, {"auth", kAda}};
  world.event(kAlpha, granted);
  world.event(kAlpha, granted);
  const std::optional<Delivered> turn = world.last(kAlpha, "turn");
  ASSERT_TRUE(turn.has_value());
  EXPECT_EQ(turn->id(), "auth-granted-as-1");
  EXPECT_EQ(to_text(turn->payload().at("source")), R"({"kind":"system","name":"oauth"})");
  world.done(kAlpha, "auth-granted-as-1");
  EXPECT_EQ(world.unfinished(), 0U);
}

// REQ: CHG-3
TEST_F(SurroundingsTest, AChangedBundleIsReadAnew) {
  EXPECT_TRUE(world.request(kAlpha, "runtime.reload").empty());  // not before it is read
  ASSERT_EQ(world.processes.bundle_changes.size(), 1U);
  world.processes.bundle_changes[0]({});
  EXPECT_TRUE(world.last(kAlpha, "reply")->payload().contains("result"));
  world.request(kAlpha, "runtime.reload");
  ASSERT_EQ(world.processes.bundle_changes.size(), 2U);
  world.processes.bundle_changes[1](Error{.code = ErrorCode::Config, .message = "broken"});
  EXPECT_EQ(world.last(kAlpha, "reply")->payload().at("error").at("message"), "broken");
}

}  // namespace
}  // namespace goondan::orchestrator
