// How many messages a second go through the dispatcher and its journal. A figure, not a check;
// GDN_TEST_MESSAGES=200000 for a longer run.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

constexpr int kAgents = 50;
constexpr int kMessages = 5'000;

// Ends each turn as soon as it comes.
class Instant : public Processes {
 public:
  void want(const InstanceName& name, const std::string& /*cwd*/) override {
    dispatcher->on_ready(name);
  }
  void deliver(const InstanceName& name, ipc::Message message) override {
    const std::string id = text_field(object_or_empty(message.payload), "id");
    dispatcher->on_message(
        name, {.payload = JsonObject{
                   {"kind", "turn_done"}, {"id", id}, {"status", "ok"}, {"response", "done"}}});
    ++turns;
  }
  void reply(std::uint64_t /*client*/, std::string_view /*id*/, Result<Json> answer) override {
    EXPECT_TRUE(answer.ok());
  }
  void observe(JsonObject /*observation*/) override {}
  void restart(std::string_view /*reason*/) override {}
  void bundle_changed(std::function<void(const Result<void>&)> /*loaded*/) override {}

  Dispatcher* dispatcher = nullptr;
  int turns = 0;
};

TEST(DispatcherThroughput, IsPrinted) {
  std::vector<std::string> agents;
  for (int i = 0; i < kAgents; ++i)
    agents.push_back("agent-" + std::to_string(100 + i));
  World world(agents);
  Instant processes;
  Dispatcher dispatcher(*world.journal, world.swarm, processes);
  processes.dispatcher = &dispatcher;
  const char* given = std::getenv("GDN_TEST_MESSAGES");
  const int messages = given == nullptr ? kMessages : std::atoi(given);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < messages; ++i) {
    dispatcher.on_client(1, "submit", "r",
                         {{"id", "m" + std::to_string(i)},
                          {"agent", agents[static_cast<std::size_t>(i % kAgents)]},
                          {"input", "Say what you found in the report of this morning."}});
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(processes.turns, messages);
  EXPECT_TRUE(dispatcher.idle());
  std::cout << messages << " messages through " << kAgents << " agents in " << took.count()
            << " s: " << static_cast<int>(messages / took.count()) << " a second\n";
}

}  // namespace
}  // namespace goondan::orchestrator
