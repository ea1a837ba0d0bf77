#include "store/instance_store.h"

#include <algorithm>
#include <array>
#include <thread>

#include "store/store_test.h"

namespace goondan::store {
namespace {

MessageEvent append(std::string id) {
  return {.message = {.id = id, .json = "{\"id\":\"" + id + "\"}"}};
}
MessageEvent replace(std::string target, std::string id) {
  return {.type = EventType::Replace,
          .message = {.id = id, .json = "new " + id},
          .target_id = std::move(target)};
}
MessageEvent remove(std::string target) {
  return {.type = EventType::Remove, .target_id = std::move(target)};
}
MessageEvent truncate() {
  return {.type = EventType::Truncate};
}

TurnRecord turn(const std::string& id) {
  return {.turn_id = id,
          .message_id = "msg_" + id,
          .trace_id = "trace",
          .span_id = "span",
          .message = "{\"input\":1}",
          .started_at = "2026-01-15T10:00:00.000Z"};
}

class InstanceStoreTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store = InstanceStore::open(folder / "i", soon()).value();
  }

  void reopen() {
    store.reset();
    store = InstanceStore::open(folder / "i", soon()).value();
  }

  [[nodiscard]] std::string base_ids() const {
    std::string ids;
    const std::vector<StoredMessage> base = store->base().value();
    for (const StoredMessage& message : base)
      ids += message.id + " ";
    return ids;
  }

  // A whole turn with these events; returns the ids of the base after it.
  std::string fold(const std::vector<MessageEvent>& stored, const std::vector<MessageEvent>& last) {
    const std::string id = "t" + std::to_string(++turns);
    EXPECT_OK(store->begin_turn(turn(id), stored));
    EXPECT_OK(store->finish_turn(id, "{}", last));
    EXPECT_TRUE(store->events().value().empty());
    return base_ids();
  }

  std::unique_ptr<InstanceStore> store;
  int turns = 0;
};

TEST_F(InstanceStoreTest, ANewInstanceIsEmpty) {
  EXPECT_TRUE(store->base().value().empty());
  EXPECT_TRUE(store->events().value().empty());
  EXPECT_FALSE(store->running_turn().value().has_value());
  EXPECT_FALSE(store->find_turn("m").value().has_value());
  EXPECT_TRUE(store->injections().value().empty());
  EXPECT_TRUE(store->calls("t").value().empty());
  EXPECT_FALSE(store->output("h").value().has_value());
  EXPECT_TRUE(store->traces(10).value().empty());
  EXPECT_EQ(mode_of(folder / "i/lock"), 0600U);
}

// REQ: MW-5
TEST_F(InstanceStoreTest, WhatAnExtensionKeepsIsThereAfterAReopening) {
  EXPECT_FALSE(store->extension_state("counter").value().has_value());
  EXPECT_OK(store->set_extension_state("counter", "{\"n\":1}"));
  EXPECT_OK(store->set_extension_state("other", "[]"));
  EXPECT_OK(store->set_extension_state("counter", "{\"n\":2}"));
  reopen();
  EXPECT_EQ(store->extension_state("counter").value(), "{\"n\":2}");
  EXPECT_EQ(store->extension_state("other").value(), "[]");
  EXPECT_FALSE(store->extension_state("nobody").value().has_value());
}

TEST_F(InstanceStoreTest, EventsStayInOrderUntilTheTurnEnds) {
  EXPECT_OK(store->append(std::array{append("a"), append("b")}));
  EXPECT_OK(store->append(std::array{replace("a", "c"), remove("b"), truncate()}));
  reopen();
  const std::vector<MessageEvent> events = store->events().value();
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].type, EventType::Append);
  EXPECT_EQ(events[0].message.id, "a");
  EXPECT_EQ(events[0].message.json, "{\"id\":\"a\"}");
  EXPECT_EQ(events[2].type, EventType::Replace);
  EXPECT_EQ(events[2].target_id, "a");
  EXPECT_EQ(events[2].message.id, "c");
  EXPECT_EQ(events[3].type, EventType::Remove);
  EXPECT_EQ(events[3].target_id, "b");
  EXPECT_EQ(events[4].type, EventType::Truncate);
  EXPECT_TRUE(store->base().value().empty());
}

TEST_F(InstanceStoreTest, FoldingAppliesEventsInOrder) {
  EXPECT_EQ(fold({append("a"), append("b")}, {append("c")}), "a b c ");
  EXPECT_EQ(fold({replace("b", "B")}, {}), "a B c ");
  EXPECT_EQ(store->base().value()[1].json, "new B");
  EXPECT_EQ(fold({remove("a"), append("d")}, {remove("c")}), "B d ");
  EXPECT_EQ(fold({append("e"), truncate(), append("f")}, {}), "f ");
  EXPECT_EQ(fold({append("g"), replace("g", "h")}, {remove("h"), append("g")}), "f g ");
  EXPECT_EQ(fold({}, {truncate()}), "");
}

TEST_F(InstanceStoreTest, AnEventWhoseTargetIsGoneChangesNothing) {
  EXPECT_EQ(fold({append("a"), append("b")}, {}), "a b ");
  EXPECT_EQ(fold({remove("x"), replace("x", "y"), remove("b"), remove("b")}, {replace("b", "z")}),
            "a ");
}

TEST_F(InstanceStoreTest, OfTwoMessagesWithOneIdTheFirstIsMeant) {
  EXPECT_EQ(fold({append("a"), append("b"), append("a")}, {remove("a")}), "b a ");
}

TEST_F(InstanceStoreTest, ATurnIsFoundByItsMessageAndWhileItRuns) {
  EXPECT_OK(store->begin_turn(turn("t"), std::array{append("u")}));
  EXPECT_OK(store->append_step("t", std::array{append("a")}));
  EXPECT_OK(store->append_step("t", {}));
  reopen();
  const TurnRecord running = store->running_turn().value().value();
  EXPECT_EQ(running.turn_id, "t");
  EXPECT_EQ(running.message_id, "msg_t");
  EXPECT_EQ(running.trace_id, "trace");
  EXPECT_EQ(running.span_id, "span");
  EXPECT_EQ(running.state, TurnState::Running);
  EXPECT_EQ(running.message, "{\"input\":1}");
  EXPECT_EQ(running.outcome, "");
  EXPECT_EQ(running.steps, 2);
  EXPECT_EQ(running.started_at, "2026-01-15T10:00:00.000Z");
  EXPECT_EQ(store->events().value().size(), 2U);

  EXPECT_OK(store->finish_turn("t", "{\"ok\":true}", {}));
  EXPECT_FALSE(store->running_turn().value().has_value());
  const TurnRecord done = store->find_turn("msg_t").value().value();
  EXPECT_EQ(done.state, TurnState::Done);
  EXPECT_EQ(done.outcome, "{\"ok\":true}");
  EXPECT_EQ(done.steps, 2);
  EXPECT_EQ(base_ids(), "u a ");
}

TEST_F(InstanceStoreTest, AMessageGetsOneTurn) {
  EXPECT_OK(store->begin_turn(turn("t"), {}));
  EXPECT_EQ(code_of(store->begin_turn(turn("t"), std::array{append("x")})), ErrorCode::Store);
  EXPECT_TRUE(store->events().value().empty());
}

TEST_F(InstanceStoreTest, OnlyARunningTurnIsFinishedOrGetsSteps) {
  EXPECT_EQ(code_of(store->finish_turn("t", "{}", std::array{append("x")})), ErrorCode::NotFound);
  EXPECT_EQ(code_of(store->append_step("t", std::array{append("x")})), ErrorCode::NotFound);
  fold({}, {});
  EXPECT_EQ(code_of(store->finish_turn("t1", "{}", std::array{append("x")})), ErrorCode::NotFound);
  EXPECT_EQ(base_ids(), "");
  EXPECT_TRUE(store->events().value().empty());
}

TEST_F(InstanceStoreTest, CallsKeepTheirOrderAndTheirResultsUntilTheyBecomeMessages) {
  EXPECT_OK(store->begin_turn(turn("t"), {}));
  EXPECT_OK(store->begin_call("t", {.call_id = "c2", .tool_name = "bash__exec"}));
  EXPECT_OK(store->begin_call("t", {.call_id = "c1", .tool_name = "http-fetch__get"}));
  EXPECT_OK(store->end_call("t", "c1", "{\"status\":\"ok\"}"));
  reopen();
  const std::vector<CallRecord> calls = store->calls("t").value();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].call_id, "c2");
  EXPECT_EQ(calls[0].tool_name, "bash__exec");
  EXPECT_EQ(calls[0].state, CallState::Begun);
  EXPECT_EQ(calls[0].result, "");
  EXPECT_EQ(calls[1].state, CallState::Done);
  EXPECT_EQ(calls[1].result, "{\"status\":\"ok\"}");
  EXPECT_TRUE(store->calls("other").value().empty());

  EXPECT_OK(store->append_results("t", std::array{append("r2"), append("r1")}));
  EXPECT_TRUE(store->calls("t").value().empty());
  EXPECT_EQ(store->events().value().size(), 2U);
}

TEST_F(InstanceStoreTest, ACallThatIsBegunAgainHasNoResult) {
  EXPECT_OK(store->begin_call("t", {.call_id = "c", .tool_name = "a"}));
  EXPECT_OK(store->begin_call("t", {.call_id = "d", .tool_name = "a"}));
  EXPECT_OK(store->end_call("t", "c", "{}"));
  EXPECT_OK(store->begin_call("t", {.call_id = "c", .tool_name = "b"}));
  const std::vector<CallRecord> calls = store->calls("t").value();
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].tool_name, "b");
  EXPECT_EQ(calls[0].state, CallState::Begun);
  EXPECT_EQ(calls[0].result, "");
}

TEST_F(InstanceStoreTest, OnlyACallThatWasBegunEnds) {
  EXPECT_EQ(code_of(store->end_call("t", "c", "{}")), ErrorCode::NotFound);
  EXPECT_OK(store->begin_call("t", {.call_id = "c"}));
  EXPECT_EQ(code_of(store->end_call("u", "c", "{}")), ErrorCode::NotFound);
}

TEST_F(InstanceStoreTest, TheEndOfATurnForgetsItsCalls) {
  EXPECT_OK(store->begin_turn(turn("t"), {}));
  EXPECT_OK(store->begin_call("t", {.call_id = "c"}));
  EXPECT_OK(store->begin_call("u", {.call_id = "c"}));
  EXPECT_OK(store->finish_turn("t", "{}", {}));
  EXPECT_TRUE(store->calls("t").value().empty());
  EXPECT_EQ(store->calls("u").value().size(), 1U);
}

TEST_F(InstanceStoreTest, CallsMayBeginAndEndOnManyThreads) {
  constexpr int kThreads = 8;
  constexpr int kCalls = 25;
  EXPECT_OK(store->begin_turn(turn("t"), {}));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        for (int n = 0; n < kCalls; ++n) {
          const std::string id = std::to_string(i) + "." + std::to_string(n);
          EXPECT_OK(store->begin_call("t", {.call_id = id, .tool_name = "tool"}));
          EXPECT_OK(store->keep_output(id, "whole " + id));
          EXPECT_TRUE(store->calls("t").ok());
          EXPECT_OK(store->end_call("t", id, "result " + id));
        }
      });
  }
  const std::vector<CallRecord> calls = store->calls("t").value();
  EXPECT_EQ(calls.size(), std::size_t{kThreads * kCalls});
  for (const CallRecord& call : calls) {
    EXPECT_EQ(call.state, CallState::Done);
    EXPECT_EQ(call.result, "result " + call.call_id);
    EXPECT_EQ(store->output(call.call_id).value(), "whole " + call.call_id);
  }
}

TEST_F(InstanceStoreTest, AnInjectionIsTakenOnce) {
  using enum InstanceStore::Added;
  EXPECT_EQ(store->add_injection({.id = "i1", .json = "{1}"}).value(), New);
  EXPECT_EQ(store->add_injection({.id = "i2", .json = "{2}"}).value(), New);
  EXPECT_EQ(store->add_injection({.id = "i1", .json = "{other}"}).value(), Known);
  reopen();
  std::vector<Injection> waiting = store->injections().value();
  ASSERT_EQ(waiting.size(), 2U);
  EXPECT_EQ(waiting[0].id, "i1");
  EXPECT_EQ(waiting[0].json, "{1}");
  EXPECT_OK(store->use_injections(std::span(waiting).first(1), std::array{append("m")}));
  EXPECT_EQ(store->events().value().size(), 1U);
  EXPECT_EQ(store->add_injection({.id = "i1", .json = "{1}"}).value(), Known);
  waiting = store->injections().value();
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_EQ(waiting[0].id, "i2");
}

// REQ: CALL-11
TEST_F(InstanceStoreTest, AWholeOutputIsKept) {
  const std::string big(3'000'000, 'x');
  EXPECT_OK(store->keep_output("out_1", big));
  EXPECT_OK(store->keep_output("out_2", ""));
  reopen();
  EXPECT_EQ(store->output("out_1").value(), big);
  EXPECT_EQ(store->output("out_2").value(), "");
  EXPECT_OK(store->keep_output("out_2", "later"));
  EXPECT_EQ(store->output("out_2").value(), "later");
}

// REQ: TURN-3
TEST_F(InstanceStoreTest, SpansAreFoundByTheirTrace) {
  const auto span = [](std::string trace, std::string id, std::int64_t start, std::int64_t end) {
    return SpanRecord{.trace_id = std::move(trace),
                      .span_id = id,
                      .parent_id = "p",
                      .name = "span " + id,
                      .start_ns = start,
                      .end_ns = end,
                      .attributes = "{}"};
  };
  EXPECT_OK(store->add_span(span("old", "b", 20, 0)));
  EXPECT_OK(store->add_span(span("old", "a", 10, 90)));
  EXPECT_OK(store->add_span(span("new", "c", 100, 110)));
  SpanRecord ended = span("old", "b", 20, 50);
  ended.status = "error";
  EXPECT_OK(store->add_spans(std::array{ended, span("new", "d", 105, 108)}));

  const std::vector<SpanRecord> spans = store->spans("old").value();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].span_id, "a");
  EXPECT_EQ(spans[0].parent_id, "p");
  EXPECT_EQ(spans[0].status, "ok");
  EXPECT_EQ(spans[0].attributes, "{}");
  EXPECT_EQ(spans[1].span_id, "b");
  EXPECT_EQ(spans[1].end_ns, 50);
  EXPECT_EQ(spans[1].status, "error");

  const auto traces = store->traces(10).value();
  ASSERT_EQ(traces.size(), 2U);
  EXPECT_EQ(traces[0].trace_id, "new");
  EXPECT_EQ(traces[0].spans, 2);
  EXPECT_EQ(traces[1].trace_id, "old");
  EXPECT_EQ(traces[1].name, "span a");
  EXPECT_EQ(traces[1].start_ns, 10);
  EXPECT_EQ(traces[1].end_ns, 90);
  EXPECT_EQ(traces[1].spans, 2);
  EXPECT_EQ(store->traces(1).value().size(), 1U);
}

TEST_F(InstanceStoreTest, SomebodyElseMayReadBesideTheOwner) {
  EXPECT_EQ(code_of(InstanceStore::open_for_reading(folder / "none")), ErrorCode::NotFound);
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
  fold({append("a")}, {});
  EXPECT_EQ(in_child([&] {
              const auto reader = InstanceStore::open_for_reading(folder / "i");
              return reader.ok() && (*reader)->base().value().size() == 1 &&
                     !(*reader)->append(std::array{append("b")}).ok();
            }),
            0);
  store.reset();
  const auto reader = InstanceStore::open_for_reading(folder / "i").value();
  EXPECT_EQ(reader->base().value().size(), 1U);
  EXPECT_OK(InstanceStore::open(folder / "i", Clock::now()));
}

TEST_F(InstanceStoreTest, AReaderMayComeWhileTheInstanceIsMade) {
  constexpr int kInstances = 20;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    for (int i = 0; i < kInstances; ++i)
      if (!InstanceStore::open(folder / std::to_string(i), soon()).ok()) ::_exit(1);
    ::_exit(0);
  }
  const Deadline deadline = soon();
  for (int i = 0; i < kInstances && Clock::now() < deadline;) {
    const auto reader = InstanceStore::open_for_reading(folder / std::to_string(i));
    if (reader.ok()) {
      EXPECT_TRUE((*reader)->base().ok());
      ++i;
    } else {
      ASSERT_EQ(reader.error().code, ErrorCode::NotFound) << reader.error().message;
      std::this_thread::yield();
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(InstanceStoreTest, AnInstanceHasOneOwner) {
  const Result<std::unique_ptr<InstanceStore>> second =
      InstanceStore::open(folder / "i", Clock::now());
  ASSERT_EQ(code_of(second), ErrorCode::StoreBusy);
  EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
  EXPECT_EQ(in_child([&] {
              const auto third = InstanceStore::open(folder / "i", Clock::now());
              return !third.ok() && third.error().code == ErrorCode::StoreBusy;
            }),
            0);
  store.reset();
  EXPECT_OK(InstanceStore::open(folder / "i", Clock::now()));
}

TEST_F(InstanceStoreTest, TheLockIsWaitedForUntilItsOwnerEnds) {
  store.reset();
  std::array<int, 2> ready{};
  std::array<int, 2> go{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  ASSERT_EQ(::pipe(go.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    const auto other = InstanceStore::open(folder / "i", soon());
    char byte = 'r';
    (void)!::write(ready[1], &byte, 1);
    (void)!::read(go[0], &byte, 1);
    ::kill(::getpid(), SIGKILL);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(code_of(InstanceStore::open(folder / "i", Clock::now())), ErrorCode::StoreBusy);
  ASSERT_EQ(::write(go[1], &byte, 1), 1);
  EXPECT_OK(InstanceStore::open(folder / "i", soon()));
  ::waitpid(child, nullptr, 0);
  for (const int fd : {ready[0], ready[1], go[0], go[1]})
    ::close(fd);
}

// A turn with one span, in this trace; each a second after the one before.
void take_turn(InstanceStore& store, int number, const std::string& trace) {
  constexpr std::int64_t kTenOClock = 1'768'471'200;
  const auto digits = [](int value) { return std::to_string(100 + value).substr(1); };
  TurnRecord begun = turn("t" + std::to_string(number));
  begun.trace_id = trace;
  begun.started_at = "2026-01-15T10:" + digits(number / 60) + ":" + digits(number % 60) + ".000Z";
  const SpanRecord span{.trace_id = trace,
                        .span_id = begun.turn_id,
                        .start_ns = (kTenOClock + number) * 1'000'000'000};
  EXPECT_OK(store.begin_turn(begun, {}));
  EXPECT_OK(store.finish_turn(begun.turn_id, "{}", {}, std::array{span}));
}

TEST_F(InstanceStoreTest, ForgetsOldTurnsWithTheirSpans) {
  EXPECT_OK(store->begin_turn(turn("open"), {}));  // still runs, however old it is
  constexpr int kTurns = static_cast<int>(kKeptTurns) + 200;
  for (int i = 0; i < kTurns; ++i)
    take_turn(*store, i, i % 2 == 0 ? "one long trace" : "trace " + std::to_string(i));
  EXPECT_FALSE(store->find_turn("msg_t1").value().has_value());
  EXPECT_TRUE(store->spans("trace 1").value().empty());
  EXPECT_TRUE(store->find_turn("msg_t300").value().has_value());
  EXPECT_EQ(store->spans("trace 301").value().size(), 1U);
  EXPECT_EQ(store->running_turn().value()->turn_id, "open");
  // The trace that goes on keeps what is not older than the turns that are kept.
  const std::size_t kept = store->spans("one long trace").value().size();
  EXPECT_GE(kept, kKeptTurns / 2);
  EXPECT_LE(kept, kKeptTurns / 2 + 16);
  EXPECT_LE(store->traces(10'000).value().size(), kKeptTurns + 16);
}

TEST_F(InstanceStoreTest, ForgetsTheIdsOfOldInjectionsThatWereUsed) {
  EXPECT_OK(store->add_injection({.id = "waiting", .json = "w"}));
  constexpr int kCount = static_cast<int>(kKeptInjections) + 10;
  for (int i = 0; i < kCount; ++i) {
    const Injection one{.id = "i" + std::to_string(i), .json = "x"};
    EXPECT_OK(store->add_injection(one));
    EXPECT_OK(store->use_injections(std::array{one}, {}));
  }
  ASSERT_EQ(store->injections().value().size(), 1U);
  EXPECT_EQ(store->injections().value()[0].id, "waiting");
  EXPECT_EQ(store->add_injection({.id = "i20", .json = "x"}).value(), InstanceStore::Added::Known);
  EXPECT_EQ(store->add_injection({.id = "i1", .json = "x"}).value(), InstanceStore::Added::New);
}

TEST_F(InstanceStoreTest, KeepsTheNewestOutputs) {
  for (std::size_t i = 0; i < kKeptOutputs + 5; ++i)
    EXPECT_OK(store->keep_output("o" + std::to_string(i), "é" + std::to_string(i)));
  EXPECT_FALSE(store->output("o4").value().has_value());
  EXPECT_EQ(store->output("o5").value(), "é5");
  const std::string large(kKeptOutputBytes / 2, 'x');
  for (const char* handle : {"a", "b", "c"})
    EXPECT_OK(store->keep_output(handle, large));
  EXPECT_FALSE(store->output("a").value().has_value());
  EXPECT_TRUE(store->output("b").value().has_value());
  EXPECT_OK(store->keep_output("huge", large + large + large));
  EXPECT_FALSE(store->output("c").value().has_value());
  EXPECT_EQ(store->output("huge").value()->size(), 3 * large.size());
}

}  // namespace
}  // namespace goondan::store
