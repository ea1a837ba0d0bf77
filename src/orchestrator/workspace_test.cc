// The files of a workspace: lock, socket, log; and the watching of a bundle's folder.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <gmock/gmock.h>

#include "orchestrator/bundle_environment.h"
#include "orchestrator/control_socket.h"
#include "orchestrator/event_log.h"
#include "orchestrator/handover.h"
#include "orchestrator/watcher.h"
#include "orchestrator/workspace_lock.h"
#include "resource/test_folder.h"

namespace goondan::orchestrator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

TEST(WorkspaceLock, IsHeldByOneAndNamesIt) {
  const goondan::test::TestFolder folder;
  const fs::path workspace = folder.path() / "a/b";
  Result<WorkspaceLock> lock = WorkspaceLock::take(workspace);
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(fs::status(workspace).permissions(), fs::perms::owner_all);
  const Result<WorkspaceLock> other = WorkspaceLock::take(workspace);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::AlreadyRunning);
  EXPECT_THAT(other.error().message, HasSubstr(std::to_string(::getpid())));
}

TEST(WorkspaceLock, GoesOnInTheNextProgramAndIsFreeOnceReleased) {
  const goondan::test::TestFolder folder;
  Result<WorkspaceLock> lock = WorkspaceLock::take(folder.path());
  ASSERT_TRUE(lock.ok());
  {
    const Result<WorkspaceLock> kept = WorkspaceLock::adopt(lock->release(), folder.path());
    EXPECT_TRUE(kept.ok());
    EXPECT_FALSE(WorkspaceLock::take(folder.path()).ok());
  }
  EXPECT_TRUE(WorkspaceLock::take(folder.path()).ok());
  // What is no lock of this folder is not taken for one.
  os::UniqueFd other(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(WorkspaceLock::adopt(std::move(other), folder.path()).ok());
}

TEST(ControlSocket, IsPrivateAndReplacesOneThatWasLeft) {
  const goondan::test::TestFolder folder;
  { const Result<os::UniqueFd> left = listen_in(folder.path()); }
  const Result<os::UniqueFd> socket = listen_in(folder.path());
  ASSERT_TRUE(socket.ok());
  EXPECT_EQ(fs::status(folder.path() / "orchestrator.sock").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(accept_own(socket->get()));
}

TEST(ControlSocket, ListensInAFolderWhosePathIsTooLongForAnAddress) {
  const goondan::test::TestFolder folder;
  const fs::path deep = folder.path() / std::string(100, 'a') / std::string(100, 'b');
  fs::create_directories(deep);
  const Result<os::UniqueFd> socket = listen_in(deep);
  ASSERT_TRUE(socket.ok()) << socket.error().message;
  EXPECT_TRUE(fs::is_socket(deep / "orchestrator.sock"));
}

TEST(EventLog, KeepsOneOldFileAndWholeLines) {
  const goondan::test::TestFolder folder;
  const fs::path file = folder.path() / "events.jsonl";
  EventLog log(folder.path(), 10);
  log.append("one\n");
  log.append("two\n");
  log.append("three\n");
  EXPECT_EQ(goondan::test::read_file(file), "three\n");
  EXPECT_EQ(goondan::test::read_file(file.string() + ".1"), "one\ntwo\n");
  log.append("longer than all of it\n");
  EXPECT_EQ(goondan::test::read_file(file), "longer than all of it\n");
}

TEST(EventLog, GoesOnWhereNothingCanBeWritten) {
  const goondan::test::TestFolder folder;
  EventLog log(folder.path() / "not/there");
  log.append("lost\n");
  fs::create_directories(folder.path() / "not/there");
  log.append("kept\n");
  EXPECT_EQ(goondan::test::read_file(folder.path() / "not/there/events.jsonl"), "kept\n");
}

TEST(AgentEnvironment, TakesTheSystemThenTheFilesInTheirOrder) {
  const goondan::test::TestFolder folder;
  folder.write(".env", "A=env\nB=env\nPATH=from the file");
  folder.write(".env.local", "B=local\nC=local");
  folder.write("more", "C=more");
  const Result<AgentEnvironment> environment =
      agent_environment(folder.path(), folder.path() / "more");
  ASSERT_TRUE(environment.ok());
  for (const char* entry : {"A=env", "B=local", "C=more", "PATH=from the file"})
    EXPECT_THAT(environment->entries, Contains(entry));
  EXPECT_THAT(environment->entries, Not(Contains("B=env")));
  folder.write("more", "C=other");
  EXPECT_NE(agent_environment(folder.path(), folder.path() / "more")->fingerprint,
            environment->fingerprint);
  EXPECT_EQ(agent_environment(folder.path(), folder.path() / "none").error().code,
            ErrorCode::ConfigFileNotFound);
}

TEST(Handover, RefusesWhatIsNone) {
  EXPECT_FALSE(take_handover(::open("/dev/null", O_RDONLY | O_CLOEXEC)).ok());
  EXPECT_FALSE(take_handover(-1).ok());
}

TEST(Handover, LeavesEverythingAsItWasIfTheProgramCannotBeReplaced) {
  const goondan::test::TestFolder folder;
  folder.write("gdn", "no program");
  fs::permissions(folder.path() / "gdn", fs::perms::owner_all);
  ::setenv("GOONDAN_GDN", (folder.path() / "gdn").c_str(), 1);
  Handover handover{.lock = WorkspaceLock::take(folder.path())->release(), .reason = "test"};
  const Error error = replace_program({"gdn", "orchestrator"}, handover);
  ::unsetenv("GOONDAN_GDN");
  EXPECT_THAT(error.message, HasSubstr("anew"));
  EXPECT_EQ(::fcntl(handover.lock.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_FALSE(WorkspaceLock::take(folder.path()).ok());
}

class WatcherTest : public ::testing::Test {
 protected:
  void watch(std::size_t max_folders = kMaxWatchedFolders) {
    watcher_ = *Watcher::make(
        *loop_, folder_.path(), folder_.path() / "state", [this] { ++changes_; }, max_folders);
  }

  // Rounds until a change that is known to count has been told.
  int changes_after_marker() {
    folder_.write("marker", std::to_string(++markers_));
    const int before = changes_;
    while (changes_ == before)
      loop_->round(Clock::now() + std::chrono::seconds(60));
    return changes_;
  }

  goondan::test::TestFolder folder_;
  std::unique_ptr<Loop> loop_ = *Loop::make();
  int changes_ = 0;
  int markers_ = 0;
  std::unique_ptr<Watcher> watcher_;
};

TEST_F(WatcherTest, TellsManyChangesOnceAlsoInNewFolders) {
  watch();
  folder_.write("a.yaml", "1");
  folder_.write("new/deep/b.yaml", "1");
  EXPECT_EQ(changes_after_marker(), 1);
  folder_.write("new/deep/b.yaml", "2");
  while (changes_ == 1)
    loop_->round(Clock::now() + std::chrono::seconds(60));
  fs::remove(folder_.path() / "a.yaml");
  while (changes_ == 2)
    loop_->round(Clock::now() + std::chrono::seconds(60));
}

TEST_F(WatcherTest, TellsOfChangesThatDoNotEnd) {
  watch();
  for (int i = 0; changes_ == 0; ++i) {
    folder_.write("log", std::to_string(i));
    loop_->round(Clock::now() + kSettleTime / 4);
  }
  EXPECT_EQ(changes_, 1);
}

TEST_F(WatcherTest, SaysThatThereAreTooManyFolders) {
  for (const char* name : {"a", "b", "c"})
    fs::create_directories(folder_.path() / name);
  watch(3);
  ASSERT_TRUE(watcher_->problem().has_value());
  EXPECT_EQ(watcher_->problem()->code, ErrorCode::Limit);
  EXPECT_EQ(changes_after_marker(), 1);
}

TEST_F(WatcherTest, DoesNotLookWhereNothingOfTheBundleLies) {
  for (const char* name : {".git/x", "node_modules/x/y", "dist/x", "state/x"})
    folder_.write(name, "1");
  watch();
  for (const char* name : {".git/x", "node_modules/x/y", "dist/x", "state/x"})
    folder_.write(name, "2");
  loop_->round(Clock::now());
  loop_->round(Clock::now());
  EXPECT_EQ(changes_after_marker(), 1);
}

}  // namespace
}  // namespace goondan::orchestrator
