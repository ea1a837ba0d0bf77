// Processes that die: whatever commit was the last, what is found is what had been committed.
#include <array>
#include <sstream>

#include "store/instance_store.h"
#include "store/journal.h"
#include "store/store_test.h"

namespace goondan::store {
namespace {

class CrashTest : public StoreTest {};

// Ends this process the hard way at the `last`-th commit.
OpenOptions dying_at(int last) {
  return {.after_commit = [left = last](std::string_view) mutable {
    if (--left == 0) ::kill(::getpid(), SIGKILL);
  }};
}

MessageEvent append(const std::string& id) {
  return {.message = {.id = id, .json = "json " + id}};
}

using Work = std::function<Result<void>(InstanceStore&)>;

// Each is one commit.
std::vector<Work> turn_with_calls() {
  return {
      [](InstanceStore& s) {
        return s.begin_turn({.turn_id = "t", .message_id = "m", .message = "{}"},
                            std::array{append("user")});
      },
      [](InstanceStore& s) {
        return s.append_step("t", std::array{append("a1"), append("extra")});
      },
      [](InstanceStore& s) { return s.begin_call("t", {.call_id = "c1", .tool_name = "x"}); },
      [](InstanceStore& s) { return s.begin_call("t", {.call_id = "c2", .tool_name = "y"}); },
      [](InstanceStore& s) { return s.keep_output("o1", "whole"); },
      [](InstanceStore& s) { return s.end_call("t", "c2", "{2}"); },
      [](InstanceStore& s) { return s.end_call("t", "c1", "{1}"); },
      [](InstanceStore& s) {
        return s.append_results("t", std::array{append("r1"), append("r2")});
      },
      [](InstanceStore& s) {
        const auto added = s.add_injection({.id = "i1", .json = "{i}"});
        return added.ok() ? Result<void>() : Result<void>(added.error());
      },
      [](InstanceStore& s) {
        return s.use_injections(std::array{Injection{.id = "i1"}}, std::array{append("injected")});
      },
      [](InstanceStore& s) {
        return s.add_span({.trace_id = "trace", .span_id = "span", .name = "turn"});
      },
      [](InstanceStore& s) {
        return s.append(std::array{
            MessageEvent{.type = EventType::Remove, .message = {}, .target_id = "extra"}});
      },
      [](InstanceStore& s) { return s.finish_turn("t", "{done}", std::array{append("a2")}); },
  };
}

// Everything that a store holds, as text.
std::string all_of(const InstanceStore& store) {
  std::ostringstream out;
  const auto base = store.base().value();
  for (const StoredMessage& message : base)
    out << "base " << message.id << " " << message.json << "\n";
  const auto events = store.events().value();
  for (const MessageEvent& event : events)
    out << "event " << static_cast<int>(event.type) << event.message.id << event.target_id << "\n";
  const auto turn = store.find_turn("m").value();
  if (turn) out << "turn " << static_cast<int>(turn->state) << turn->outcome << turn->steps << "\n";
  out << "running " << store.running_turn().value().has_value() << "\n";
  const auto calls = store.calls("t").value();
  for (const CallRecord& call : calls)
    out << "call " << call.call_id << static_cast<int>(call.state) << call.result << "\n";
  const auto injections = store.injections().value();
  for (const Injection& injection : injections)
    out << "injection " << injection.id << injection.json << "\n";
  out << "output " << store.output("o1").value().value_or("(none)") << "\n";
  out << "spans " << store.spans("trace").value().size() << "\n";
  return out.str();
}

// REQ: HAND-8
TEST_F(CrashTest, AnInstanceIsAsItWasAfterItsLastCommit) {
  const std::vector<Work> works = turn_with_calls();
  const auto untouched = InstanceStore::open(folder / "untouched", soon()).value();
  for (std::size_t done = 0; done <= works.size(); ++done) {
    const std::filesystem::path place = folder / std::to_string(done);
    const int status = in_child([&] {
      auto store = InstanceStore::open(place, soon(), dying_at(static_cast<int>(done) + 1));
      for (const Work& work : works)
        if (!store.ok() || !work(**store).ok()) return false;
      return true;
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << done;
    if (done > 0) {
      EXPECT_OK(works[done - 1](*untouched));
    }
    {
      const auto beside = InstanceStore::open_for_reading(place).value();
      EXPECT_EQ(all_of(*beside), all_of(*untouched)) << done;
    }
    // And it goes on from there.
    const auto store = InstanceStore::open(place, Clock::now()).value();
    EXPECT_EQ(all_of(*store), all_of(*untouched)) << done;
    for (std::size_t i = done; i < works.size(); ++i)
      EXPECT_OK(works[i](*store));
    EXPECT_EQ(store->base().value().size(), 6U);
  }
}

JournalMessage message(const std::string& id) {
  return {.id = id, .agent = "coder", .instance_key = "k", .payload = "{}"};
}

using JournalWork = std::function<bool(Journal&)>;

std::vector<JournalWork> request_and_answer() {
  return {
      [](Journal& j) {
        return j.put_instance({.agent = "coder", .instance_key = "k", .created_at = "now"}).ok();
      },
      [](Journal& j) { return j.accept(message("m1")).ok(); },
      [](Journal& j) { return j.accept(message("m2"), {.correlation_id = "c"}).ok(); },
      [](Journal& j) { return j.count_attempt("m2").ok(); },
      [](Journal& j) { return j.finish("m2", "c", message("answer")).ok(); },
      [](Journal& j) { return j.open_handle({.handle = "h", .agent = "coder"}).ok(); },
      [](Journal& j) {
        return j.close_handle({.handle = "h", .state = HandleState::Ok}, message("told")).ok();
      },
      [](Journal& j) { return j.accept(message("m3"), {.correlation_id = "d"}).ok(); },
      [](Journal& j) { return j.drop_request("d", message("timeout")).ok(); },
      [](Journal& j) { return j.forget_instance("coder", "k").ok(); },
  };
}

std::string all_of(const Journal& journal) {
  std::ostringstream out;
  const auto messages = journal.unfinished().value();
  for (const JournalMessage& one : messages)
    out << "message " << one.seq << one.id << one.attempts << "\n";
  const auto requests = journal.requests().value();
  for (const RequestRecord& request : requests)
    out << "request " << request.correlation_id << "\n";
  const auto handles = journal.handles().value();
  for (const HandleRecord& handle : handles)
    out << "handle " << handle.handle << static_cast<int>(handle.state) << "\n";
  out << "instances " << journal.instances().value().size() << "\n";
  return out.str();
}

// REQ: HAND-9
TEST_F(CrashTest, AJournalIsAsItWasAfterItsLastCommit) {
  const std::vector<JournalWork> works = request_and_answer();
  Journal untouched = Journal::open(folder / "untouched").value();
  for (std::size_t done = 0; done <= works.size(); ++done) {
    const std::filesystem::path place = folder / std::to_string(done);
    const int status = in_child([&] {
      auto journal = Journal::open(place, dying_at(static_cast<int>(done) + 1));
      for (const JournalWork& work : works)
        if (!journal.ok() || !work(*journal)) return false;
      return true;
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << done;
    if (done > 0) {
      EXPECT_TRUE(works[done - 1](untouched));
    }
    const Journal journal = Journal::open(place).value();
    EXPECT_EQ(all_of(journal), all_of(untouched)) << done;
  }
}

// Killed from outside at some moment, not at a commit of its choice.
TEST_F(CrashTest, NoTransactionIsEverFoundByHalves) {
  for (int round = 0; round < 10; ++round) {
    const std::filesystem::path place = folder / std::to_string(round);
    std::array<int, 2> told{};
    ASSERT_EQ(::pipe(told.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      const auto store = InstanceStore::open(place, soon()).value();
      while (store->append(std::array{append("a"), append("b"), append("c")}).ok())
        (void)!::write(told[1], "x", 1);
      ::_exit(1);
    }
    ::close(told[1]);
    std::array<char, 1> byte{};
    for (int i = 0; i <= round * 7; ++i)
      ASSERT_EQ(::read(told[0], byte.data(), 1), 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(told[0]);
    const auto store = InstanceStore::open(place, Clock::now()).value();
    const std::size_t events = store->events().value().size();
    EXPECT_EQ(events % 3, 0U);
    EXPECT_GE(events, static_cast<std::size_t>(round) * 7 * 3 + 3);
  }
}

}  // namespace
}  // namespace goondan::store
