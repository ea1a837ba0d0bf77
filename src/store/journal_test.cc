#include "store/journal.h"

#include "store/store_test.h"

namespace goondan::store {
namespace {

using Accepted = Journal::Accepted;

JournalMessage message(std::string id, std::string agent = "coder") {
  return {.id = std::move(id),
          .agent = std::move(agent),
          .instance_key = "default",
          .payload = "{\"input\":1}"};
}

RequestRecord request(std::string correlation_id) {
  return {.correlation_id = std::move(correlation_id),
          .event_id = "event",
          .caller_agent = "lead",
          .caller_instance_key = "k",
          .target = "coder",
          .target_instance_key = "default",
          .event_type = "agent.request",
          .metadata = "{}",
          .trace_id = "trace",
          .mode = RequestRecord::Mode::Async,
          .deadline_ms = 123};
}

HandleRecord handle(std::string name, std::string agent = "coder", std::string call = "call") {
  return {.handle = std::move(name),
          .agent = std::move(agent),
          .instance_key = "default",
          .tool_name = "build__start",
          .tool_call_id = std::move(call),
          .output = "{\"started\":true}",
          .trace_id = "trace",
          .created_at = "2026-01-15T10:00:00.000Z"};
}

class JournalTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    journal.emplace(Journal::open(folder / "w").value());
  }
  void reopen() {
    journal.reset();
    journal.emplace(Journal::open(folder / "w").value());
  }
  [[nodiscard]] std::string waiting() const {
    std::string ids;
    const std::vector<JournalMessage> messages = journal->unfinished().value();
    for (const JournalMessage& one : messages)
      ids += one.id + " ";
    return ids;
  }
  // Changes the file past the journal.
  void change(std::string_view sql) const {
    EXPECT_OK(Database::open(folder / "w/orchestrator.db", "", 2).value().run(sql));
  }
  std::optional<Journal> journal;
};

TEST_F(JournalTest, MessagesWaitInOrderOfAcceptance) {
  EXPECT_EQ(journal->accept(message("b")).value(), Accepted::New);
  JournalMessage other = message("a", "lead");
  other.kind = MessageKind::Inject;
  other.correlation_id = "c";
  EXPECT_EQ(journal->accept(other).value(), Accepted::New);
  EXPECT_OK(journal->count_attempt("a"));
  EXPECT_OK(journal->count_attempt("a"));
  reopen();
  const std::vector<JournalMessage> found = journal->unfinished().value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id, "b");
  EXPECT_EQ(found[0].kind, MessageKind::Turn);
  EXPECT_LT(found[0].seq, found[1].seq);
  EXPECT_EQ(found[1].kind, MessageKind::Inject);
  EXPECT_EQ(found[1].agent, "lead");
  EXPECT_EQ(found[1].instance_key, "default");
  EXPECT_EQ(found[1].correlation_id, "c");
  EXPECT_EQ(found[1].payload, "{\"input\":1}");
  EXPECT_EQ(found[1].attempts, 2);
}

// REQ: HAND-9
TEST_F(JournalTest, AMessageThatComesAgainIsKnownWhateverBecameOfIt) {
  EXPECT_EQ(journal->accept(message("a")).value(), Accepted::New);
  EXPECT_EQ(journal->accept(message("a")).value(), Accepted::Known);
  EXPECT_OK(journal->finish("a", "", std::nullopt));
  reopen();
  EXPECT_EQ(journal->accept(message("a")).value(), Accepted::Known);
  EXPECT_OK(journal->tidy());
  EXPECT_EQ(journal->accept(message("a")).value(), Accepted::Known);
  EXPECT_EQ(waiting(), "");
}

TEST_F(JournalTest, TidyingForgetsWhatEndedMoreThanADayAgo) {
  EXPECT_OK(journal->accept(message("done")));
  EXPECT_OK(journal->accept(message("recent")));
  EXPECT_OK(journal->accept(message("waits")));
  EXPECT_OK(journal->finish("done", "", std::nullopt));
  EXPECT_OK(journal->finish("recent", "", std::nullopt));
  EXPECT_OK(journal->open_handle(handle("closed")));
  EXPECT_OK(journal->open_handle(handle("open")));
  EXPECT_OK(journal->close_handle(handle("closed"), std::nullopt));
  change("UPDATE messages SET finished_ms = finished_ms - 86400001 WHERE id = 'done'");
  change("UPDATE handles SET closed_ms = closed_ms - 86400001 WHERE handle = 'closed'");
  EXPECT_OK(journal->tidy());
  EXPECT_EQ(journal->accept(message("done")).value(), Accepted::New);
  EXPECT_EQ(journal->accept(message("recent")).value(), Accepted::Known);
  EXPECT_EQ(waiting(), "waits done ");
  EXPECT_FALSE(journal->handle("closed").value().has_value());
  EXPECT_TRUE(journal->handle("open").value().has_value());
}

// REQ: HAND-3
TEST_F(JournalTest, ARequestIsAcceptedWithItsMessageAndGoesWithTheAnswer) {
  EXPECT_EQ(journal->accept(message("m"), request("c")).value(), Accepted::New);
  EXPECT_EQ(journal->accept(message("m"), request("d")).value(), Accepted::Known);
  reopen();
  const std::vector<RequestRecord> found = journal->requests().value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].correlation_id, "c");
  EXPECT_EQ(found[0].event_id, "event");
  EXPECT_EQ(found[0].caller_agent, "lead");
  EXPECT_EQ(found[0].caller_instance_key, "k");
  EXPECT_EQ(found[0].target, "coder");
  EXPECT_EQ(found[0].target_instance_key, "default");
  EXPECT_EQ(found[0].event_type, "agent.request");
  EXPECT_EQ(found[0].metadata, "{}");
  EXPECT_EQ(found[0].trace_id, "trace");
  EXPECT_EQ(found[0].mode, RequestRecord::Mode::Async);
  EXPECT_EQ(found[0].deadline_ms, 123);
  EXPECT_OK(journal->finish("m", "c", message("answer", "lead")));
  EXPECT_TRUE(journal->requests().value().empty());
  EXPECT_EQ(waiting(), "answer ");
}

TEST_F(JournalTest, AMessageIsFinishedOnce) {
  EXPECT_OK(journal->accept(message("m")));
  EXPECT_OK(journal->finish("m", "", message("one")));
  EXPECT_OK(journal->finish("m", "", message("two")));
  EXPECT_OK(journal->finish("never came", "", message("three")));
  EXPECT_EQ(waiting(), "one ");
}

TEST_F(JournalTest, ADroppedRequestLeavesItsMessageAndTellsTheCallerOnce) {
  EXPECT_OK(journal->accept(message("m"), request("c")));
  EXPECT_OK(journal->drop_request("c", message("timeout")));
  EXPECT_OK(journal->drop_request("c", message("again")));
  EXPECT_TRUE(journal->requests().value().empty());
  EXPECT_EQ(waiting(), "m timeout ");
}

TEST_F(JournalTest, ARequestThatCannotBeStoredLeavesNoMessage) {
  EXPECT_OK(journal->accept(message("m"), request("c")));
  EXPECT_EQ(code_of(journal->accept(message("n"), request("c"))), ErrorCode::Store);
  EXPECT_EQ(waiting(), "m ");
}

TEST_F(JournalTest, InstancesAreListedOldestFirst) {
  const InstanceRecord first{.agent = "z", .instance_key = "1", .cwd = "/a", .created_at = "now"};
  EXPECT_OK(journal->put_instance(first));
  EXPECT_OK(journal->put_instance({.agent = "a", .instance_key = "1"}));
  InstanceRecord changed = first;
  changed.owner_agent = "lead";
  changed.owner_instance_key = "k";
  EXPECT_OK(journal->put_instance(changed));
  reopen();
  const std::vector<InstanceRecord> found = journal->instances().value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].agent, "z");
  EXPECT_EQ(found[0].instance_key, "1");
  EXPECT_EQ(found[0].owner_agent, "lead");
  EXPECT_EQ(found[0].owner_instance_key, "k");
  EXPECT_EQ(found[0].cwd, "/a");
  EXPECT_EQ(found[0].created_at, "now");
  EXPECT_EQ(found[1].agent, "a");
}

TEST_F(JournalTest, AForgottenInstanceTakesItsMessagesAndHandlesAlong) {
  EXPECT_OK(journal->put_instance({.agent = "coder", .instance_key = "default"}));
  EXPECT_OK(journal->put_instance({.agent = "coder", .instance_key = "other"}));
  EXPECT_OK(journal->accept(message("m")));
  EXPECT_OK(journal->accept(message("n", "lead")));
  EXPECT_OK(journal->open_handle(handle("h")));
  EXPECT_OK(journal->open_handle(handle("g", "lead")));
  EXPECT_OK(journal->forget_instance("coder", "default"));
  ASSERT_EQ(journal->instances().value().size(), 1U);
  EXPECT_EQ(journal->instances().value()[0].instance_key, "other");
  EXPECT_EQ(waiting(), "n ");
  EXPECT_EQ(journal->accept(message("m")).value(), Accepted::Known);
  ASSERT_EQ(journal->handles().value().size(), 1U);
  EXPECT_EQ(journal->handles().value()[0].handle, "g");
}

// REQ: CALL-7
TEST_F(JournalTest, AHandleIsPendingUntilItIsClosedAndItsAgentIsTold) {
  EXPECT_OK(journal->open_handle(handle("h")));
  reopen();
  HandleRecord found = journal->handle("h").value().value();
  EXPECT_EQ(found.state, HandleState::Pending);
  EXPECT_EQ(found.agent, "coder");
  EXPECT_EQ(found.instance_key, "default");
  EXPECT_EQ(found.tool_name, "build__start");
  EXPECT_EQ(found.tool_call_id, "call");
  EXPECT_EQ(found.output, "{\"started\":true}");
  EXPECT_EQ(found.trace_id, "trace");
  EXPECT_EQ(found.created_at, "2026-01-15T10:00:00.000Z");
  EXPECT_EQ(found.completed_at, "");

  EXPECT_OK(journal->close_handle(
      {.handle = "h", .state = HandleState::Error, .output = "", .error = "{\"code\":\"E\"}"},
      message("told")));
  reopen();
  found = journal->handle("h").value().value();
  EXPECT_EQ(found.state, HandleState::Error);
  EXPECT_EQ(found.error, "{\"code\":\"E\"}");
  EXPECT_EQ(found.agent, "coder");
  EXPECT_FALSE(found.completed_at.empty());
  EXPECT_EQ(waiting(), "told ");
}

TEST_F(JournalTest, AHandleIsClosedOnce) {
  EXPECT_EQ(code_of(journal->close_handle({.handle = "h", .state = HandleState::Ok}, message("a"))),
            ErrorCode::HandleNotFound);
  EXPECT_OK(journal->open_handle(handle("h")));
  EXPECT_OK(journal->close_handle({.handle = "h", .state = HandleState::Cancelled}, message("b")));
  const Result<void> again =
      journal->close_handle({.handle = "h", .state = HandleState::Ok}, message("c"));
  ASSERT_EQ(code_of(again), ErrorCode::HandleClosed);
  EXPECT_NE(again.error().message.find("cancelled"), std::string::npos);
  EXPECT_EQ(waiting(), "b ");
  EXPECT_EQ(journal->handle("h").value()->state, HandleState::Cancelled);
}

TEST_F(JournalTest, AHandleBelongsToOneInstanceWhileItIsPending) {
  EXPECT_OK(journal->open_handle(handle("h")));
  EXPECT_OK(journal->open_handle(handle("h", "coder", "call")));
  EXPECT_EQ(code_of(journal->open_handle(handle("h", "lead"))), ErrorCode::HandleTaken);
  HandleRecord of_another = handle("h");
  of_another.surroundings = R"({"auth":{"subjects":{"user":"u:bob"}}})";
  EXPECT_EQ(code_of(journal->open_handle(of_another)), ErrorCode::HandleTaken);  // REQ: OAUTH-2
  EXPECT_OK(journal->close_handle({.handle = "h", .state = HandleState::Ok}, std::nullopt));
  // Said again after a crash: it stays closed.
  EXPECT_OK(journal->open_handle(handle("h")));
  EXPECT_EQ(journal->handle("h").value()->state, HandleState::Ok);
  // Another call, another handle of the same name.
  EXPECT_OK(journal->open_handle(handle("h", "lead")));
  EXPECT_EQ(journal->handle("h").value()->agent, "lead");
  EXPECT_EQ(journal->handle("h").value()->state, HandleState::Pending);
  EXPECT_EQ(journal->handles().value().size(), 1U);
}

TEST_F(JournalTest, HandlesAreListedNewestFirstAndNotWithoutEnd) {
  for (int i = 0; i < 1'005; ++i)
    ASSERT_TRUE(journal->open_handle(handle("h" + std::to_string(i))).ok());
  const std::vector<HandleRecord> found = journal->handles().value();
  ASSERT_EQ(found.size(), 1'000U);
  EXPECT_EQ(found.front().handle, "h1004");
  EXPECT_EQ(found.back().handle, "h5");
}

// As version 1 left it: without the columns that came with version 2.
TEST_F(JournalTest, OneOfAnEarlierVersionIsBroughtUpToDate) {
  EXPECT_OK(journal->accept(message("m1")));
  journal.reset();
  change("ALTER TABLE requests DROP COLUMN surroundings");
  change("ALTER TABLE handles DROP COLUMN surroundings");
  change("PRAGMA user_version=1");
  reopen();
  EXPECT_EQ(waiting(), "m1 ");
  HandleRecord handle{.handle = "h", .agent = "a", .instance_key = "k", .surroundings = "{}"};
  EXPECT_OK(journal->open_handle(handle));
  reopen();
  EXPECT_EQ(journal->handle("h").value()->surroundings, "{}");
}

}  // namespace
}  // namespace goondan::store
