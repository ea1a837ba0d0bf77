// Starting a child, for the first time and again.
#include "host/peer/peer_fixture.h"

namespace goondan {
namespace {

using test::fake_peer;
using test::soon;

class PeerStarts : public test::PeerTest {
 protected:
  // Ends the child once.
  void crash() {
    ASSERT_EQ(call("exit", JsonObject{{"code", 1}}).error().code, ErrorCode::ExtensionCrash);
  }
};

TEST_F(PeerStarts, AreFollowedByANewStartWithAllSetups) {
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

TEST_F(PeerStarts, OfASetupAreItsErrorAndItIsNotKept) {
  const Result<void> added = peer_->add_setup([](Peer& peer) -> Result<void> {
    GDN_TRY(peer.call({.method = "fail"}));
    return {};
  });
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().message, "no luck");
  crash();
  EXPECT_TRUE(call("echo").ok());
}

TEST_F(PeerStarts, InARowMakeForPauses) {
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

TEST_F(PeerStarts, AreNotTakenBackByASignOfLife) {
  PeerProcessOptions options = fake_peer();
  options.restarts = {.quick = 1, .first_pause = std::chrono::hours(1)};
  peer_ = make_peer_process(options);
  crash();
  ASSERT_TRUE(call("ping").ok());
  crash();
  EXPECT_EQ(call("ping").error().code, ErrorCode::HostUnavailable);
}

TEST_F(PeerStarts, AtTheStartSayWhatWasWritten) {
  peer_ = make_peer_process(fake_peer("leave"));
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message,
            "the fake ended with exit code 7 before it was ready; it last wrote: cannot go on");
}

TEST_F(PeerStarts, IncludeSilenceAtTheStart) {
  PeerProcessOptions options = fake_peer("silent");
  options.start_time = std::chrono::milliseconds(1);
  peer_ = make_peer_process(options);
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message, "the fake: it did not start in time");
}

TEST_F(PeerStarts, IncludeAnotherProtocol) {
  for (const char* const begin : {"wrong", "rude"}) {
    peer_ = make_peer_process(fake_peer(begin));
    const Result<Json> result = call("echo");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply) << result.error().message;
  }
}

TEST_F(PeerStarts, IncludeAProgramThatIsNotThere) {
  peer_ = make_peer_process({.name = "the fake", .child = []() -> Result<os::ChildOptions> {
                               return os::ChildOptions{.argv = {"no-such-program"}};
                             }});
  const Result<Json> result = call("echo");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::HostUnavailable);
  EXPECT_EQ(result.error().message, "the fake: there is no program 'no-such-program' in PATH");
}

}  // namespace
}  // namespace goondan
