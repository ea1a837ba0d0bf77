// A child that ends, lies, floods or is silent.
#include <signal.h>
#include <thread>

#include "host/peer/peer_fixture.h"

namespace goondan {
namespace {

using test::fake_peer;
using test::soon;

class PeerFailures : public test::PeerTest {
 protected:
  // Ends the child once.
  void crash() {
    ASSERT_EQ(call("exit", JsonObject{{"code", 1}}).error().code, ErrorCode::ExtensionCrash);
  }
};

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

TEST_F(PeerFailures, AreFollowedByANewStartWithAllSetups) {
  for (const char* const name : {"a", "b"}) {
    ASSERT_TRUE(
        peer_
            ->add_setup([name](Peer& peer) -> Result<void> {
              GDN_TRY(peer.call({.method = "load", .params = JsonObject{{"module", name}}}));
              return {};
            })
            .ok());
  }
  const Json pid = call("pid").value();
  crash();
  EXPECT_NE(call("pid").value(), pid);
  EXPECT_EQ(to_text(call("loaded").value()), R"(["a","b"])");
}

TEST_F(PeerFailures, OfASetupAreItsErrorAndItIsNotKept) {
  const Result<void> added = peer_->add_setup([](Peer& peer) -> Result<void> {
    GDN_TRY(peer.call({.method = "fail"}));
    return {};
  });
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().message, "no luck");
  crash();
  EXPECT_TRUE(call("echo").ok());
}

TEST_F(PeerFailures, InARowMakeForPauses) {
  PeerProcessOptions options = fake_peer();
  options.restarts = {.quick = 1, .first_pause = std::chrono::hours(1)};
  peer_ = make_peer_process(options);
  crash();
  ASSERT_TRUE(call("echo").ok());  // takes the first end back
  crash();
  crash();
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_TRUE(result.error().message.starts_with(
      "the fake ended 2 times in a row and is started again in 3"))
      << result.error().message;
}

TEST_F(PeerFailures, AtTheStartSayWhatWasWritten) {
  peer_ = make_peer_process(fake_peer("leave"));
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message,
            "the fake ended with exit code 7 before it was ready; it last wrote: cannot go on");
}

TEST_F(PeerFailures, IncludeSilenceAtTheStart) {
  PeerProcessOptions options = fake_peer("silent");
  options.start_time = std::chrono::milliseconds(1);
  peer_ = make_peer_process(options);
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message, "the fake: it did not start in time");
}

TEST_F(PeerFailures, IncludeAnotherProtocol) {
  for (const char* const begin : {"wrong", "rude"}) {
    peer_ = make_peer_process(fake_peer(begin));
    const Result<Json> result = call("echo");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply) << result.error().message;
  }
}

TEST_F(PeerFailures, IncludeAProgramThatIsNotThere) {
  peer_ = make_peer_process({.name = "the fake", .child = []() -> Result<os::ChildOptions> {
                               return os::ChildOptions{.argv = {"no-such-program"}};
                             }});
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message, "the fake: there is no program 'no-such-program' in PATH");
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
