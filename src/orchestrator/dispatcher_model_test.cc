// Random days in the life of a swarm, checked against a model: every accepted request gets one
// answer or one error and never a wrong caller gets it; every message is worked on to its end once,
// in order; nobody who is not ready is given anything.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "orchestrator/dispatcher_world.h"

namespace goondan::orchestrator {
namespace {

constexpr int kSteps = 4'000;
constexpr std::uint64_t kFirstSeed = 20'260'115;

struct Accepted {
  InstanceName target;
  std::vector<std::string> agents;  // that wait for it
  int finished = 0;
  int failed = 0;
};

struct Asked {
  InstanceName caller;
  int process = 0;  // which process of the caller asked
  std::string message;
  bool async = false;
  bool released = false;  // the caller has no claim to an answer any more
  int answers = 0;
  std::set<std::string> injections = {};
};

struct Process {
  bool wanted = false;
  bool ready = false;
  int number = 0;  // counts up, also over restarts of the dispatcher
  std::string current;
  std::string correlation;
  std::vector<std::string> queue;  // accepted and not done, in order
  std::vector<std::string> injections;
};

// The processes, and what must be true of them.
class Model : public Processes {
 public:
  explicit Model(std::uint64_t seed) : random(seed) {}

  void want(const InstanceName& name, const std::string& /*cwd*/) override {
    EXPECT_FALSE(processes[name].ready) << name.text() << " is wanted although it is there";
    processes[name].wanted = true;
  }

  void deliver(const InstanceName& name, ipc::Message message) override {
    Process& process = processes[name];
    const Delivered delivered{name, std::move(message)};
    ASSERT_TRUE(process.ready) << delivered.kind() << " for " << name.text();
    if (delivered.kind() == "turn" || delivered.kind() == "delegate") begin(process, delivered);
    if (delivered.kind() == "delegate_result") answer(name, process, delivered);
    if (delivered.kind() == "inject") inject(name, process, delivered);
    if (delivered.kind() == "reply") last_reply = delivered.payload();
  }

  void reply(std::uint64_t /*client*/, std::string_view /*id*/, Result<Json> result) override {
    client_ok = result.ok() && !result->as_object().contains("duplicate");
  }

  void observe(JsonObject observation) override {
    const std::string type = text_field(observation, "type");
    if (type == "turn.failed") give_up(text_field(observation, "id"));
    if (type == "runtime.problem") problems.insert(text_field(observation, "id"));
  }

  void restart(std::string_view /*reason*/) override {}
  void bundle_changed(std::function<void(const Result<void>&)> /*loaded*/) override {}

  void give_up(const std::string& id) {
    Accepted& message = messages.at(id);
    ++message.failed;
    std::erase(processes[message.target].queue, id);
  }

  void begin(Process& process, const Delivered& delivered) {
    const std::string id = delivered.id();
    ASSERT_TRUE(messages.contains(id));
    ASSERT_EQ(messages[id].target, delivered.to);
    ASSERT_EQ(process.current, "") << "two turns at once";
    ASSERT_EQ(messages[id].finished + messages[id].failed, 0) << "done, and delivered again";
    const auto place = std::ranges::find(process.queue, id);
    ASSERT_NE(place, process.queue.end());
    if (!quiet) {
      ASSERT_EQ(place, process.queue.begin()) << "out of order";
    }
    // One that overtook others in a quiet time stays before them.
    std::rotate(process.queue.begin(), place, place + 1);
    process.current = id;
    process.correlation = delivered.message.correlation_id;
  }

  void answer(const InstanceName& name, const Process& process, const Delivered& delivered) {
    const auto found = asked.find(delivered.message.correlation_id);
    ASSERT_NE(found, asked.end());
    Asked& request = found->second;
    EXPECT_FALSE(request.async);
    EXPECT_EQ(request.caller, name) << "the wrong caller";
    EXPECT_EQ(request.process, process.number) << "the wrong process";
    EXPECT_FALSE(request.released) << "an answer after its time";
    EXPECT_EQ(++request.answers, 1) << "two answers";
  }

  void inject(const InstanceName& name, Process& process, const Delivered& delivered) {
    const Json metadata = any_field(delivered.payload(), "metadata");
    const JsonObject about = *object_field(metadata.as_object(), "__goondanInterAgentResponse");
    Asked& request = asked.at(text_field(about, "requestId"));
    EXPECT_TRUE(request.async);
    EXPECT_EQ(request.caller, name) << "the wrong caller";
    EXPECT_EQ(text_field(about, "requestEventId"), request.message);
    EXPECT_FALSE(acknowledged.contains(delivered.id())) << "injected again";
    request.injections.insert(delivered.id());
    EXPECT_EQ(request.injections.size(), 1U) << "two answers";
    process.injections.push_back(delivered.id());
  }

  // The process is gone, and with it its claims.
  void end(const InstanceName& name) {
    Process& process = processes[name];
    process.ready = process.wanted = false;
    process.current.clear();
    process.injections.clear();
    for (auto& [id, request] : asked) {
      if (request.caller == name && request.process == process.number) {
        if (!request.async && request.answers == 0) request.released = true;
      }
    }
  }

  std::mt19937_64 random;
  std::map<InstanceName, Process> processes;
  std::map<std::string, Accepted> messages;
  std::vector<std::string> order;      // of acceptance
  std::map<std::string, Asked> asked;  // by correlation id
  std::set<std::string> acknowledged;
  std::set<std::string> problems;
  JsonObject last_reply;
  bool client_ok = false;
  bool quiet = false;
};

class Day {
 public:
  explicit Day(std::uint64_t seed) : model_(seed) { restart(); }

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
      step(below(100));
      check_counts();
    }
    finish();
  }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(model_.random);
  }
  InstanceName any_name() {
    return {world_.swarm.agents[below(world_.swarm.agents.size())], below(2) == 0 ? "k" : "l"};
  }
  template <class Condition>
  std::optional<InstanceName> any(Condition condition) {
    std::vector<InstanceName> names;
    for (const auto& [name, process] : model_.processes) {
      if (condition(process)) names.push_back(name);
    }
    if (names.empty()) return {};
    return names[below(names.size())];
  }

  void step(std::size_t dice) {
    const auto working = any([](const Process& process) { return !process.current.empty(); });
    const auto ready = any([](const Process& process) { return process.ready; });
    const auto wanted = any([](const Process& process) { return process.wanted; });
    if (dice < 14)
      submit();
    else if (dice < 40 && wanted)
      become_ready(*wanted);
    else if (dice < 60 && working)
      end_turn(*working);
    else if (dice < 75 && working)
      ask(*working);
    else if (dice < 80 && ready)
      send(*ready);
    else if (dice < 86 && ready)
      acknowledge(*ready);
    else if (dice < 90 && ready)
      leave(*ready, Dispatcher::Ending::Crashed);
    else if (dice < 92 && ready)
      leave(*ready, Dispatcher::Ending::Expected);
    else if (dice < 93 && working)
      interrupt(*working);
    else if (dice < 95 && wanted)
      fail_start(*wanted);
    else if (dice == 95)
      switch_quiet();
    else if (dice == 96 && ready)
      talk_nonsense(*ready);
    else if (dice == 97 && below(8) == 0)
      pass_time();
    else if (dice == 98 && below(8) == 0)
      restart();
  }

  void accepted(const std::string& id, const InstanceName& target,
                std::vector<std::string> agents) {
    model_.messages[id] = {.target = target, .agents = std::move(agents)};
    model_.order.push_back(id);
    model_.processes[target].queue.push_back(id);
  }

  void submit() {
    const std::string id = "m" + std::to_string(++last_);
    const InstanceName target = any_name();
    accepted(id, target, {});
    dispatcher_->on_client(
        1, "submit", "r",
        {{"id", id}, {"agent", target.agent}, {"instanceKey", target.key}, {"input", "work"}});
    EXPECT_TRUE(model_.client_ok);
  }

  void become_ready(const InstanceName& name) {
    Process& process = model_.processes[name];
    process.wanted = false;
    process.ready = true;
    ++process.number;
    dispatcher_->on_ready(name);
  }

  void end_turn(const InstanceName& name) {
    Process& process = model_.processes[name];
    const std::string id = std::exchange(process.current, {});
    const std::string correlation = process.correlation;
    ++model_.messages[id].finished;
    std::erase(process.queue, id);
    const bool good = below(4) != 0;
    JsonObject payload{{"kind", "turn_done"}, {"id", id}, {"status", good ? "ok" : "error"}};
    const bool delegate = !correlation.empty();
    dispatcher_->on_message(
        name, {.type = delegate ? ipc::MessageType::DelegateResult : ipc::MessageType::Event,
               .payload = std::move(payload),
               .correlation_id = correlation});
    const auto request = model_.asked.find(correlation);
    if (request == model_.asked.end() || request->second.released) return;
    if (!request->second.async) {
      EXPECT_EQ(request->second.answers, 1) << "no answer";
    }
  }

  void ask(const InstanceName& name) {
    const std::string id = "q" + std::to_string(++last_);
    const std::string correlation = "c" + std::to_string(last_);
    const InstanceName target = any_name();
    std::vector<std::string> agents = model_.messages[model_.processes[name].current].agents;
    agents.push_back(name.agent);
    const bool circle = std::ranges::count(agents, target.agent) > 0;
    const bool async = below(2) == 0;
    // In place before the dispatcher hears of it: what it does at once is checked, too.
    accepted(id, target, agents);
    model_.asked[correlation] = {
        .caller = name, .process = model_.processes[name].number, .message = id, .async = async};
    dispatcher_->on_message(name, {.type = ipc::MessageType::Delegate,
                                   .payload = JsonObject{{"id", id},
                                                         {"target", target.agent},
                                                         {"instanceKey", target.key},
                                                         {"input", "help"},
                                                         {"async", async}},
                                   .correlation_id = correlation});
    EXPECT_EQ(text_field(model_.last_reply, "requestId"), id);
    if (model_.last_reply.contains("result")) {
      EXPECT_FALSE(circle) << "a circle was accepted";
      return;
    }
    model_.asked.erase(correlation);
    model_.messages.erase(id);
    model_.order.pop_back();
    std::erase(model_.processes[target].queue, id);
  }

  void send(const InstanceName& name) {
    const std::string id = "s" + std::to_string(++last_);
    const InstanceName target = any_name();
    accepted(id, target, {});
    dispatcher_->on_message(name, {.payload = JsonObject{{"kind", "send"},
                                                         {"id", id},
                                                         {"target", target.agent},
                                                         {"instanceKey", target.key},
                                                         {"input", "note"}}});
    EXPECT_TRUE(model_.last_reply.contains("result"));
  }

  void acknowledge(const InstanceName& name) {
    Process& process = model_.processes[name];
    for (const std::string& id : std::exchange(process.injections, {})) {
      model_.acknowledged.insert(id);
      dispatcher_->on_message(name, {.payload = JsonObject{{"kind", "injected"}, {"id", id}}});
    }
  }

  void leave(const InstanceName& name, Dispatcher::Ending ending) {
    model_.end(name);
    dispatcher_->on_exit(name, ending);
  }

  void interrupt(const InstanceName& name) {
    const std::string id = std::exchange(model_.processes[name].current, {});
    dispatcher_->on_message(
        name,
        {.payload = JsonObject{{"kind", "turn_done"}, {"id", id}, {"status", "interrupted"}}});
    EXPECT_EQ(model_.processes[name].current, "") << "given to a process that is leaving";
    leave(name, Dispatcher::Ending::Expected);
  }

  void fail_start(const InstanceName& name) {
    model_.processes[name].wanted = false;
    if (below(2) == 0) return dispatcher_->on_exit(name, Dispatcher::Ending::Crashed);
    dispatcher_->on_start_failed(name, {.code = ErrorCode::AgentStart, .message = "cannot"});
    EXPECT_TRUE(model_.processes[name].queue.empty()) << "not all were answered";
  }

  void switch_quiet() {
    model_.quiet = !model_.quiet;
    if (model_.quiet) {
      dispatcher_->quiesce();
    } else {
      dispatcher_->resume();
    }
  }

  void talk_nonsense(const InstanceName& name) {
    const std::string id = "m" + std::to_string(below(last_ + 1));
    if (id == model_.processes[name].current) return;
    dispatcher_->on_message(
        name, {.payload = JsonObject{{"kind", "turn_done"}, {"id", id}, {"status", "ok"}}});
    dispatcher_->on_message(name, {.type = ipc::MessageType::DelegateResult,
                                   .payload = JsonObject{{"id", id}, {"status", "ok"}},
                                   .correlation_id = "c" + std::to_string(below(last_ + 1))});
  }

  // Long enough for all requests that are open.
  void pass_time() {
    for (auto& [id, request] : model_.asked) {
      if (!request.async && request.answers == 0) request.released = true;
    }
    dispatcher_->on_timer(Clock::now() + std::chrono::minutes(5));
  }

  void restart() {
    for (const auto& [name, process] : model_.processes)
      model_.end(name);
    for (auto& [name, process] : model_.processes)
      process.queue.clear();
    for (const std::string& id : model_.order) {
      const Accepted& message = model_.messages[id];
      if (message.finished + message.failed == 0) {
        model_.processes[message.target].queue.push_back(id);
      }
    }
    model_.quiet = false;
    dispatcher_.reset();
    journal_.reset();
    journal_ = std::make_unique<store::Journal>(*store::Journal::open(world_.folder()));
    dispatcher_ = std::make_unique<Dispatcher>(*journal_, world_.swarm, model_);
    ASSERT_TRUE(dispatcher_->restore().ok());
  }

  void check_counts() {
    std::size_t working = 0;
    for (const auto& [name, process] : model_.processes) {
      working += process.current.empty() ? 0 : 1;
      ASSERT_EQ(dispatcher_->working(name), !process.current.empty()) << name.text();
    }
    ASSERT_EQ(dispatcher_->working_count(), working);
  }

  // Everything is let run to its end.
  void finish() {
    restart();
    for (int round = 0; round < 100'000 && !dispatcher_->idle(); ++round) {
      if (const auto wanted = any([](const Process& one) { return one.wanted; })) {
        become_ready(*wanted);
      } else if (const auto working =
                     any([](const Process& one) { return !one.current.empty(); })) {
        end_turn(*working);
      } else if (const auto some =
                     any([](const Process& one) { return !one.injections.empty(); })) {
        acknowledge(*some);
      } else {
        FAIL() << "nothing goes on";
      }
    }
    EXPECT_TRUE(dispatcher_->idle());
    EXPECT_TRUE(journal_->unfinished()->empty());
    pass_time();
    EXPECT_TRUE(journal_->requests()->empty());
    for (const auto& [id, message] : model_.messages) {
      EXPECT_EQ(message.finished + message.failed, 1) << id;
    }
    for (const auto& [id, request] : model_.asked)
      check_answer(id, request);
    print();
  }

  void print() {
    std::size_t failed = 0;
    std::size_t answered = 0;
    std::size_t released = 0;
    std::size_t injected = 0;
    for (const auto& [id, message] : model_.messages)
      failed += message.failed == 0 ? 0 : 1;
    for (const auto& [id, request] : model_.asked) {
      answered += request.answers == 0 ? 0 : 1;
      released += request.released ? 1 : 0;
      injected += request.injections.size();
    }
    std::cout << model_.messages.size() << " messages, " << failed << " given up; "
              << model_.asked.size() << " requests: " << answered << " answered, " << injected
              << " injected, " << released << " callers gone; " << model_.problems.size()
              << " problems\n";
  }

  void check_answer(const std::string& id, const Asked& request) {
    if (request.async) {
      EXPECT_EQ(request.injections.size(), 1U) << id;
    } else if (!request.released) {
      EXPECT_EQ(request.answers, 1) << id;
    }
  }

  World world_{{"alpha", "beta", "delta", "epsilon", "gamma"}};
  Model model_;
  std::unique_ptr<store::Journal> journal_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::size_t last_ = 0;
};

// REQ: HAND-3, HAND-5, HAND-7, HAND-8
TEST(DispatcherModel, KeepsItsPromisesOnRandomDays) {
  const char* given = std::getenv("GDN_TEST_SEED");
  const std::uint64_t first = given == nullptr ? kFirstSeed : std::strtoull(given, nullptr, 10);
  for (std::uint64_t seed = first; seed < first + (given == nullptr ? 4 : 1); ++seed) {
    SCOPED_TRACE("GDN_TEST_SEED=" + std::to_string(seed));
    std::cout << "seed " << seed << '\n';
    Day(seed).run(kSteps);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace goondan::orchestrator
