// Calls of a child that behaves well.
#include <thread>

#include "host/peer/peer_fixture.h"

namespace goondan {
namespace {

using test::soon;

class PeerCalls : public test::PeerTest {};

TEST_F(PeerCalls, GiveBackWhatTheOtherSideReplied) {
  EXPECT_EQ(call("echo", JsonObject{{"text", "\u00e4 \U0001F600"}}).value(),
            (JsonObject{{"text", "\u00e4 \U0001F600"}}));
  EXPECT_EQ(call("echo").value(), nullptr);
}

// REQ: CALL-3
TEST_F(PeerCalls, GiveBackTheOtherSidesError) {
  const Result<Json> result = call("fail");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "no luck");
  EXPECT_EQ(result.error().name(), "RuntimeError");
  EXPECT_EQ(result.error().code_text(), "E_FAKE");
}

TEST_F(PeerCalls, CarryMessagesThatAreLargerThanTheSocketTakes) {
  const std::string large(std::size_t{8} << 20, 'x');
  EXPECT_EQ(call("echo", JsonObject{{"large", large}}).value().at("large").as_string(), large);
}

TEST_F(PeerCalls, RefuseWhatIsLargerThanAMessageMayBe) {
  const Result<Json> result = call("echo", Json(std::string((std::size_t{64} << 20) + 1, 'x')));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::Limit);
  EXPECT_TRUE(call("echo").ok());
}

// REQ: CALL-10
TEST_F(PeerCalls, RunSideBySide) {
  // All wait for each other's requests: none could end if they came one after the other.
  constexpr std::size_t kCalls = 64;
  std::mutex mutex;
  std::condition_variable all_there;
  std::size_t there = 0;
  std::vector<Json> results(kCalls);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kCalls; ++i) {
      threads.emplace_back([&, i] {
        const auto meet = [&](const std::string&, const Json& params) -> Result<Json> {
          std::unique_lock lock(mutex);
          ++there;
          all_there.notify_all();
          all_there.wait_until(lock, soon(), [&] { return there == kCalls; });
          return params;
        };
        results[i] = peer_
                         ->call({.method = "ask",
                                 .params = JsonObject{{"method", "meet"}, {"params", i}},
                                 .deadline = soon(),
                                 .on_request = meet})
                         .value();
      });
    }
  }
  for (std::size_t i = 0; i < kCalls; ++i)
    EXPECT_EQ(results[i].at("ok"), Json(i));
}

TEST_F(PeerCalls, MayBeMadeWhileAnotherIsServed) {
  int depth = 0;
  const std::function<Result<Json>(const std::string&, const Json&)> deeper =
      [&](const std::string&, const Json&) -> Result<Json> {
    if (++depth == 5) return "bottom";
    return peer_->call({.method = "ask",
                        .params = JsonObject{{"method", "next"}},
                        .deadline = soon(),
                        .on_request = deeper});
  };
  const Json result = deeper("next", nullptr).value();
  EXPECT_EQ(to_text(result), R"({"ok":{"ok":{"ok":{"ok":"bottom"}}}})");
}

TEST_F(PeerCalls, AnswerRequestsOfTheRuntimeSideBySide) {
  constexpr std::size_t kRequests = 10;
  std::mutex mutex;
  std::condition_variable all_there;
  std::size_t there = 0;
  const auto meet = [&](const std::string& method, const Json& params) -> Result<Json> {
    EXPECT_EQ(method, "runtime");
    std::unique_lock lock(mutex);
    ++there;
    all_there.notify_all();
    all_there.wait_until(lock, soon(), [&] { return there == kRequests; });
    return params;
  };
  const Json result = peer_
                          ->call({.method = "ask_many",
                                  .params = JsonObject{{"count", kRequests}},
                                  .deadline = soon(),
                                  .on_request = meet})
                          .value();
  ASSERT_EQ(result.as_array().size(), kRequests);
  for (std::size_t i = 0; i < kRequests; ++i)
    EXPECT_EQ(result.at(i).at("ok").at("n"), Json(i));
}

TEST_F(PeerCalls, AnswerMoreRequestsThanThereMayBeThreads) {
  const Json result =
      peer_
          ->call({.method = "ask_many",
                  .params = JsonObject{{"count", 100}},
                  .deadline = soon(),
                  .on_request = [](const std::string&, const Json& params) -> Result<Json> {
                    return params;
                  }})
          .value();
  EXPECT_EQ(result.as_array().size(), 100U);
}

TEST_F(PeerCalls, RefuseRequestsThatNobodyServes) {
  const Json result = call("ask", JsonObject{{"method", "next"}}).value();
  EXPECT_EQ(result.at("error").at("code"), Json("E_RUNTIME_UNAVAILABLE"));
}

TEST_F(PeerCalls, HearNotesOnTheCallersThreadInOrder) {
  std::vector<std::int64_t> heard;
  const auto caller = std::this_thread::get_id();
  const auto hear = [&](const std::string& method, const Json& params) {
    EXPECT_EQ(method, "note");
    EXPECT_EQ(std::this_thread::get_id(), caller);
    heard.push_back(params.at("n").as_int64());
  };
  ASSERT_TRUE(peer_
                  ->call({.method = "tell",
                          .params = JsonObject{{"method", "note"}, {"count", 100}},
                          .deadline = soon(),
                          .on_notify = hear})
                  .ok());
  ASSERT_EQ(heard.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(heard));
}

TEST_F(PeerCalls, MayHaveTheirDeadlineMovedByARequest) {
  PeerCall one{.method = "ask", .params = JsonObject{{"method", "next"}}};
  one.deadline = soon();
  one.on_request = [&one](const std::string&, const Json&) -> Result<Json> {
    one.deadline = Clock::now();
    return "too late";
  };
  const Result<Json> result = peer_->call(one);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
}

TEST_F(PeerCalls, LeaveOtherWordsToListeners) {
  const auto first = std::make_shared<test::Hearer>();
  const auto second = std::make_shared<test::Hearer>();
  peer_->listen(first);
  peer_->listen(second);
  ASSERT_TRUE(call("tell_outside", "hello").ok());
  EXPECT_TRUE(first->heard(R"(said "hello")"));
  EXPECT_TRUE(second->heard(R"(said "hello")"));
  const Json params = JsonObject{{"method", "double"}, {"params", 3}};
  EXPECT_EQ(to_text(call("ask_outside", params).value()), R"({"ok":[3,3]})");
  const Json unknown = call("ask_outside", JsonObject{{"method", "triple"}}).value();
  EXPECT_EQ(unknown.at("error").at("code"), Json("E_NOT_FOUND"));
}

TEST_F(PeerCalls, GiveListenersWhatTheChildPrints) {
  const auto hearer = std::make_shared<test::Hearer>();
  peer_->listen(hearer);
  const std::string long_line(20'000, 'y');
  ASSERT_TRUE(call("print", JsonObject{{"out", "one\r\ntwo\n" + long_line + "\n"},
                                       {"err", "bad \xF0\x9F\n"}})
                  .ok());
  EXPECT_TRUE(hearer->heard(R"(log {"level":"info","text":"one"})"));
  EXPECT_TRUE(hearer->heard(R"("text":"two")"));
  EXPECT_TRUE(hearer->heard("yyy [11808 more bytes]"));
}

// REQ: CALL-10
TEST_F(PeerCalls, AreCancelledByAStop) {
  std::stop_source source;
  test::Waiting waiting;
  Result<Json> result = nullptr;
  {
    const std::jthread caller([&] {
      result = peer_->call(
          {.method = "until_cancelled",
           .stop = source.get_token(),
           .on_notify = [&](const std::string& method, const Json&) { waiting.note(method); }});
    });
    waiting.await();
    source.request_stop();
  }
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolCancelled);
  EXPECT_TRUE(call("echo").ok());
}

// REQ: CALL-10
TEST_F(PeerCalls, EndAtTheirDeadlineAndLeaveOthersAlone) {
  const Json pid = call("pid").value();
  const Result<Json> result =
      peer_->call({.method = "never", .deadline = Clock::now() + std::chrono::milliseconds(20)});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_EQ(call("pid").value(), pid);
}

TEST_F(PeerCalls, ThatHaveNoTimeDoNotEndAStart) {
  const Result<Json> result = peer_->call({.method = "echo", .deadline = Clock::now()});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_TRUE(call("echo").ok());
}

}  // namespace
}  // namespace goondan
