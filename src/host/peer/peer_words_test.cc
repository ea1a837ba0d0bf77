// What a child asks and says while calls run, and outside of them.
#include <thread>

#include "host/peer/peer_fixture.h"

namespace goondan {
namespace {

using test::soon;

class PeerWords : public test::PeerTest {};

TEST_F(PeerWords, MayBeMadeWhileAnotherIsServed) {
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

TEST_F(PeerWords, AnswerRequestsOfTheRuntimeSideBySide) {
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

TEST_F(PeerWords, AnswerMoreRequestsThanThereMayBeThreads) {
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

TEST_F(PeerWords, RefuseRequestsThatNobodyServes) {
  const Json result = call("ask", JsonObject{{"method", "next"}}).value();
  EXPECT_EQ(result.at("error").at("code"), Json("E_RUNTIME_UNAVAILABLE"));
}

TEST_F(PeerWords, HearNotesOnTheCallersThreadInOrder) {
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

TEST_F(PeerWords, MayHaveTheirDeadlineMovedByARequest) {
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

TEST_F(PeerWords, LeaveOtherWordsToListeners) {
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

TEST_F(PeerWords, AreHeardUntilTheVeryEnd) {
  const auto hearer = std::make_shared<test::Hearer>();
  peer_->listen(hearer);
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(call("say_at_the_end", Json("word " + std::to_string(i))).ok());
  peer_.reset();
  EXPECT_TRUE(hearer->heard("word 99", Clock::now()));
}

TEST_F(PeerWords, GiveListenersWhatTheChildPrints) {
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

}  // namespace
}  // namespace goondan
