// Nothing that a child has started outlives it, or us. All of them hold the write end of a FIFO:
// its end of file proves that they are gone.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/peer/peer_fixture.h"
#include "os/supervised_child.h"

namespace goondan {
namespace {

using test::soon;

constexpr const char* kFifo = "GDN_TEST_FIFO";
constexpr int kProcesses = 2;  // that `children` starts

class PeerTree : public test::PeerTest {
 protected:
  void SetUp() override {
    PeerTest::SetUp();
    fifo_ = folder_.path() / "fifo";
    ASSERT_EQ(::mkfifo(fifo_.c_str(), 0600), 0);
    read_end_.reset(::open(fifo_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }

  // One byte; false at the end of file.
  bool read_byte() {
    char byte = 0;
    while (os::wait_readable(read_end_.get(), soon()) == os::Wake::Ready) {
      const ssize_t count = ::read(read_end_.get(), &byte, 1);
      if (count >= 0) return count == 1;
    }
    ADD_FAILURE() << "a process is still there";
    return false;
  }

  void await_started() {
    for (int i = 0; i < kProcesses; ++i)
      ASSERT_TRUE(read_byte());
  }

  Json params() const { return JsonObject{{"fifo", fifo_.string()}}; }

  test::TemporaryFolder folder_;
  std::filesystem::path fifo_;
  os::UniqueFd read_end_;
};

TEST_F(PeerTree, GoesWithThePeer) {
  ASSERT_TRUE(call("children", params()).ok());
  await_started();
  peer_.reset();
  EXPECT_FALSE(read_byte());
}

TEST_F(PeerTree, GoesWithAChildThatCrashes) {
  ASSERT_TRUE(call("children", params()).ok());
  await_started();
  ASSERT_FALSE(call("signal", JsonObject{{"number", SIGKILL}}).ok());
  EXPECT_FALSE(read_byte());
}

// What the process that the next test kills does.
void start_children_and_wait(const char* fifo) {
  const auto peer = make_peer_process(test::fake_peer());
  const Json params = JsonObject{{"fifo", fifo}};
  ASSERT_TRUE(peer->call({.method = "children", .params = params, .deadline = soon()}).ok());
  ASSERT_TRUE(peer->call({.method = "never", .deadline = soon()}).ok());
}

TEST_F(PeerTree, GoesWithAnOwnerThatIsKilled) {
  if (const char* const fifo = std::getenv(kFifo)) return start_children_and_wait(fifo);
  ::setenv(kFifo, fifo_.c_str(), 1);
  // Which part of the tests this process runs is not for others.
  ::unsetenv("GTEST_TOTAL_SHARDS");
  ::unsetenv("GTEST_SHARD_INDEX");
  os::Child owner =
      os::Child::spawn(
          {.argv = {"/proc/self/exe", "--gtest_filter=PeerTree.GoesWithAnOwnerThatIsKilled"}})
          .value();
  ::unsetenv(kFifo);
  await_started();
  ASSERT_EQ(::kill(owner.pid(), SIGKILL), 0);
  EXPECT_FALSE(read_byte());
}

TEST_F(PeerTree, IsNotStartedForAProgramThatIsNotThere) {
  const auto missing = os::spawn_supervised({.argv = {"/no/such/program"}});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
}

TEST_F(PeerTree, IsWatchedByOneThatEndsAsTheProgramDid) {
  os::Child exits = os::spawn_supervised({.argv = {"sh", "-c", "exit 5"}}).value();
  EXPECT_EQ(exits.wait(soon()).value().text(), "exit code 5");
  os::Child dies = os::spawn_supervised({.argv = {"sh", "-c", "kill -TERM $$"}}).value();
  EXPECT_EQ(dies.wait(soon()).value().text(), "SIGTERM");
}

TEST_F(PeerTree, EndsWhenItsSupervisorIsTold) {
  const std::string hold =
      "exec 3>'" + fifo_.string() + "'; printf x >&3; printf x >&3; sleep 3600 & wait";
  os::Child child = os::spawn_supervised({.argv = {"setsid", "--wait", "sh", "-c", hold}}).value();
  await_started();
  ::kill(child.pid(), SIGTERM);
  EXPECT_FALSE(read_byte());
  EXPECT_TRUE(child.wait(soon()).has_value());
}

}  // namespace
}  // namespace goondan
