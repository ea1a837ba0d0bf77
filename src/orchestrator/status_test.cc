// The object that `gdn ps` shows, with more instances than a message holds.
#include "orchestrator/status.h"

#include <gmock/gmock.h>

#include "ipc/message.h"
#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

class NoProcesses : public Spawner, public InstancesListener {
 public:
  std::optional<SpawnTicket> spawn(const InstanceName&, const std::string&, os::UniqueFd) override {
    return std::nullopt;
  }
  void on_agent_message(const InstanceName&, const ipc::Message&) override {}
  void on_agent_ready(const InstanceName&) override {}
  void on_agent_exit(const InstanceName&, Dispatcher::Ending) override {}
  void on_agent_start_failed(const InstanceName&, const Error&) override {}
  void on_agent_observed(JsonObject) override {}
};

class StatusTest : public ::testing::Test {
 protected:
  // `count` instances on record, with keys as long as they may be.
  void record(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      const std::string key = number + std::string(512 - number.size(), 'k');
      ASSERT_TRUE(world_.journal->put_instance({.agent = "alpha", .instance_key = key}).ok());
    }
    world_.start();
  }

  JsonObject status() {
    return status_json({.dispatcher = *world_.dispatcher, .instances = instances_}).get_object();
  }

  World world_;
  std::unique_ptr<Loop> loop_ = *Loop::make();
  NoProcesses none_;
  Instances instances_{*loop_, none_, none_};
};

TEST_F(StatusTest, ListsAllInstancesAsLongAsTheyAreFew) {
  record(3);
  const JsonObject shown = status();
  EXPECT_EQ(shown.at("agents").get_array().size(), 3U);
  EXPECT_FALSE(shown.contains("omitted"));
}

TEST_F(StatusTest, SaysHowManyItDoesNotListAndFitsIntoAMessage) {
  record(1'900);
  for (const store::InstanceRecord& one : world_.dispatcher->instances())
    instances_.want({one.agent, one.instance_key}, "");
  const JsonObject shown = status();
  const std::size_t listed = shown.at("agents").get_array().size();
  EXPECT_GT(listed, 500U);
  EXPECT_EQ(shown.at("omitted").to_number<std::size_t>(), 1'900 - listed);
  EXPECT_TRUE(ipc::encode_message({.payload = shown}).ok());
}

TEST_F(StatusTest, OnlyCountsStoppedOnesIfThereAreVeryMany) {
  record(2'001);
  const JsonObject shown = status();
  EXPECT_TRUE(shown.at("agents").get_array().empty());
  EXPECT_EQ(shown.at("omitted"), 2'001);
}

}  // namespace
}  // namespace goondan::orchestrator
