// A child that ends, lies, floods or is silent.
#include <signal.h>
#include <thread>

#include "host/peer/peer_fixture.h"

namespace goondan {
namespace {

using test::fake_peer;
using test::soon;

class PeerFailures : public test::PeerTest {};

TEST_F(PeerFailures, FailAllCallsWithTheWayItEnded) {
  test::Waiting waiting;
  Result<Json> other = nullptr;
  const std::jthread caller([&] {
    other = peer_->call(
        {.method = "never",
         .deadline = soon(),
         .on_notify = [&](const std::string& method, const Json&) { waiting.note(method); }});
  });
  waiting.await();
  const Result<Json> result =
      call("exit", JsonObject{{"code", 3}, {"words", "first\nout of luck\n"}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ExtensionCrash);
  EXPECT_EQ(result.error().message,
            "the fake ended with exit code 3; it last wrote: first\nout of luck");
}

TEST_F(PeerFailures, NameTheSignal) {
  const Result<Json> result = call("signal", JsonObject{{"number", SIGSEGV}});
  EXPECT_EQ(result.error().code, ErrorCode::ExtensionCrash);
  EXPECT_EQ(result.error().message, "the fake was killed by SIGSEGV");
}

TEST_F(PeerFailures, CountAnOrderlyExitAsWell) {
  const Result<Json> result = call("exit", JsonObject{{"code", 0}});
  EXPECT_EQ(result.error().code, ErrorCode::ExtensionCrash);
  EXPECT_EQ(result.error().message, "the fake ended with exit code 0");
}

TEST_F(PeerFailures, IncludeGarbage) {
  const std::vector<JsonArray> garbage{{255, 255, 255, 255, 1, 2, 3},  // too large
                                       {3, 0, 0, 0, 'a', 'b', 'c'},    // no JSON
                                       {2, 0, 0, 0, '[', ']'},         // no object
                                       {2, 0, 0, 0, '{', '}'},         // no type
                                       {0, 0, 0, 0}};                  // nothing
  for (const JsonArray& bytes : garbage) {
    const Result<Json> result = call("raw", JsonObject{{"bytes", bytes}});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply) << result.error().message;
    EXPECT_TRUE(call("echo").ok());
  }
}

TEST_F(PeerFailures, ToWriteJsonThatWeTakeHitOnlyTheCall) {
  const Json pid = call("pid").value();
  // The first call of this peer had the id 1, this one has 2.
  const std::string text = R"({"type":"reply","id":2,"ok":"\ud83d"})";
  JsonArray bytes{static_cast<int>(text.size()), 0, 0, 0};
  for (const char one : text)
    bytes.emplace_back(static_cast<int>(one));
  const Result<Json> result = call("raw", JsonObject{{"bytes", bytes}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call("pid").value(), pid);
}

TEST_F(PeerFailures, IncludeAFloodOfRequests) {
  const Json pid = call("pid").value();
  PeerCall flood{.method = "flood", .params = JsonObject{}, .deadline = soon()};
  flood.on_request = [&](const std::string&, const Json&) -> Result<Json> {
    // Serves the first request until the other side has been cut off and started again.
    while (true) {
      const Result<Json> now = call("pid");
      if (now.ok() && *now != pid) return nullptr;
    }
  };
  const Result<Json> result = peer_->call(flood);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply) << result.error().message;
}

TEST_F(PeerFailures, DoNotComeFromAFloodOfWords) {
  const Result<Json> result =
      peer_->call({.method = "flood_said",
                   .deadline = Clock::now() + std::chrono::milliseconds(200),
                   .on_notify = [](const std::string&, const Json&) {}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_TRUE(call("echo").ok());
}

TEST_F(PeerFailures, IncludeAClosedSocket) {
  const Result<Json> result = call("close");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::ExtensionCrash);
  EXPECT_TRUE(call("echo").ok());
}

// A child that does not read cannot hold a caller, nor what it sends.
TEST_F(PeerFailures, IncludeOneThatNeverReads) {
  peer_ = make_peer_process(fake_peer("deaf"));
  const Json large(std::string(std::size_t{40} << 20, 'x'));
  for (int i = 0; i < 3; ++i) {
    const Result<Json> result =
        peer_->call({.method = "echo",
                     .params = large,
                     .deadline = Clock::now() + std::chrono::milliseconds(500)});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout) << result.error().message;
  }
}

// REQ: CALL-10
TEST_F(PeerFailures, EndAChildThatIsStuckInACancelledCall) {
  const Json pid = call("pid").value();
  const Result<Json> stuck =
      peer_->call({.method = "block", .deadline = Clock::now() + std::chrono::milliseconds(20)});
  EXPECT_EQ(stuck.error().code, ErrorCode::ToolTimeout);
  const Result<Json> next = call("pid");
  ASSERT_FALSE(next.ok());
  EXPECT_EQ(next.error().code, ErrorCode::ExtensionCrash) << next.error().message;
  EXPECT_NE(call("pid").value(), pid);
}

}  // namespace
}  // namespace goondan
