// A journal that takes nothing for a while: nothing is half done, nothing is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"
#include "store/database.h"

namespace goondan::orchestrator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// While it lives nobody else can write into the journal.
class Blocked {
 public:
  explicit Blocked(const World& world)
      : database_(*store::Database::open(world.folder() / "orchestrator.db", "", 1'000)) {
    EXPECT_TRUE(database_.run("BEGIN IMMEDIATE").ok());
  }
  ~Blocked() { EXPECT_TRUE(database_.run("ROLLBACK").ok()); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  store::Database database_;
};

TEST(DispatcherFailures, ASenderIsToldThatItsMessageWasNotTaken) {
  World world;
  world.dispatcher->on_ready(kAlpha);
  {
    const Blocked blocked(world);
    const Result<Json> refused = world.submit("m1");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::StoreBusy);
    world.ask(kAlpha, "q1", "beta");
    EXPECT_TRUE(world.last(kAlpha, "reply")->payload().contains("error"));
    EXPECT_TRUE(world.request(kAlpha, "handles.open", {{"handle", "h"}}).contains("error"));
    EXPECT_TRUE(world.request(kAlpha, "agents.spawn", {{"target", "beta"}}).contains("error"));
  }
  EXPECT_TRUE(world.dispatcher->idle());
  EXPECT_THAT(world.ids(kAlpha, "turn"), IsEmpty());
  EXPECT_THAT(world.processes.wanted, IsEmpty());
  EXPECT_FALSE(world.submit("m1")->get_object().contains("duplicate"));
}

TEST(DispatcherFailures, ATurnIsNotBegunAgainBeforeItsAttemptIsCounted) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->on_exit(kAlpha, Dispatcher::Ending::Crashed);
  world.processes = {};
  {
    const Blocked blocked(world);
    world.dispatcher->on_ready(kAlpha);
    world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(1));
    EXPECT_THAT(world.ids(kAlpha, "turn"), IsEmpty());
  }
  world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(10));
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1"));
  EXPECT_THAT(world.observed("runtime.problem"), SizeIs(1));
}

TEST(DispatcherFailures, AResultIsKeptUntilTheJournalTakesIt) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  ASSERT_TRUE(world.submit("m2").ok());
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->on_ready(kBeta);
  world.ask(kAlpha, "q1", "beta");
  {
    const Blocked blocked(world);
    world.result(kBeta, *world.last(kBeta, "delegate"));
    world.done(kAlpha, "m1");
    EXPECT_FALSE(world.last(kAlpha, "delegate_result").has_value());
    EXPECT_EQ(world.dispatcher->working_count(), 0U);  // nobody need wait for them to stop
    EXPECT_FALSE(world.dispatcher->idle());
    world.dispatcher->on_exit(kBeta, Dispatcher::Ending::Crashed);  // it has done its part
    world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(1));
  }
  world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(10));
  EXPECT_TRUE(world.last(kAlpha, "delegate_result").has_value());
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1", "m2"));
  world.dispatcher->on_ready(kBeta);
  EXPECT_THAT(world.ids(kBeta, "delegate"), ElementsAre("q1"));
  EXPECT_EQ(world.unfinished(), 1U);
}

TEST(DispatcherFailures, AResultThatWasNotTakenIsAskedForAgainAfterARestart) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  world.dispatcher->on_ready(kAlpha);
  {
    const Blocked blocked(world);
    world.done(kAlpha, "m1");
  }
  world.start();
  world.dispatcher->on_ready(kAlpha);
  EXPECT_THAT(world.ids(kAlpha, "turn"), ElementsAre("m1", "m1"));
}

TEST(DispatcherFailures, TimeoutsAndInjectionsAreTriedAgain) {
  World world;
  ASSERT_TRUE(world.submit("m1").ok());
  world.dispatcher->on_ready(kAlpha);
  world.dispatcher->on_ready(kBeta);
  world.ask(kAlpha, "q1", "beta", {{"async", true}, {"timeoutMs", 1}});
  {
    const Blocked blocked(world);
    world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(1));
    EXPECT_FALSE(world.last(kAlpha, "inject").has_value());
  }
  world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(10));
  ASSERT_TRUE(world.last(kAlpha, "inject").has_value());
  {
    const Blocked blocked(world);
    world.event(kAlpha, {{"kind", "injected"}, {"id", world.last(kAlpha, "inject")->id()}});
  }
  EXPECT_EQ(world.unfinished(), 3U);
  world.dispatcher->on_timer(Clock::now() + std::chrono::seconds(20));
  EXPECT_EQ(world.unfinished(), 2U);
  EXPECT_THAT(world.ids(kAlpha, "inject"), SizeIs(1));
}

// The other side may call back from any of its functions.
class Eager : public FakeProcesses {
 public:
  void want(const InstanceName& instance, const std::string& cwd) override {
    FakeProcesses::want(instance, cwd);
    if (instance.agent == "beta") {
      dispatcher->on_start_failed(instance, {.code = ErrorCode::AgentStart, .message = "no"});
    } else if (instance.agent == "gamma" && wanted.size() < 20) {
      dispatcher->on_ready(instance);
    }
  }
  void deliver(const InstanceName& instance, ipc::Message message) override {
    FakeProcesses::deliver(instance, std::move(message));
    if (instance.agent == "gamma") dispatcher->on_exit(instance, Dispatcher::Ending::Crashed);
  }

  Dispatcher* dispatcher = nullptr;
};

TEST(DispatcherFailures, ProcessesMayCallBackAtOnce) {
  World world;
  Eager eager;
  Dispatcher dispatcher(*world.journal, world.swarm, eager);
  eager.dispatcher = &dispatcher;
  dispatcher.on_client(1, "submit", "r", {{"id", "m1"}, {"agent", "beta"}, {"input", "x"}});
  dispatcher.on_client(1, "submit", "r", {{"id", "m2"}, {"agent", "gamma"}, {"input", "x"}});
  EXPECT_TRUE(dispatcher.idle());
  EXPECT_THAT(eager.replies, SizeIs(2));
  std::size_t failed = 0;
  for (const JsonObject& one : eager.observed)
    failed += text_field(one, "type") == "turn.failed";
  EXPECT_EQ(failed, 2U);
  EXPECT_THAT(eager.delivered, SizeIs(static_cast<std::size_t>(kMaxAttempts)));
}

}  // namespace
}  // namespace goondan::orchestrator
