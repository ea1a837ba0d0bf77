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
