// Processes that are killed at any moment: the branch is at the old commit or at the new one, Git
// finds nothing wrong, and whoever comes next can go on.
#include <chrono>
#include <random>
#include <signal.h>
#include <sys/wait.h>
#include <thread>

#include "changeset/changeset_fixture.h"
#include "changeset/worktree.h"

namespace goondan::changeset {
namespace {

constexpr int kRounds = 25;  // of each of the tests
constexpr unsigned kTests = 8;

class KilledTest : public ChangesetTest {
 protected:
  // In a process of its own: opens a changeset, changes all kinds of files, commits, ends.
  void change_in_child(int round) {
    const Result<Json> opened = changesets().open("round " + std::to_string(round));
    if (!opened.ok()) ::_exit(1);
    const std::filesystem::path at(std::string(opened->at("workdir").as_string()));
    change(at, round);
    const std::string id(opened->at("changesetId").as_string());
    const Result<Json> done = changesets().commit(id, "Round", {}, "agent");
    ::_exit(done.ok() ? 0 : 2);
  }

  static void change(const std::filesystem::path& at, int round) {
    const std::string number = std::to_string(round);
    write_at(at / "a.txt", "round " + number + "\n");
    write_at(at / "added" / number, number);
    std::filesystem::remove(at / "added" / std::to_string(round - 3));
    std::filesystem::remove_all(at / "swap");
    write_at(round % 2 == 0 ? at / "swap" : at / "swap/inner", number);
  }

  // How long one takes when nobody kills it, in microseconds.
  std::int64_t measure() {
    const auto start = std::chrono::steady_clock::now();
    const ::pid_t child = ::fork();
    if (child == 0) change_in_child(-1);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 start)
        .count();
  }

  // The changesets that are still open commit again, or are as good as new.
  void go_on() {
    for (const auto& entry : std::filesystem::directory_iterator(worktrees())) {
      const std::string id = entry.path().filename().string();
      if (!valid_changeset_id(id)) continue;
      const Json answer = commit(id);
      const std::string status = status_of(answer);
      EXPECT_TRUE(status == "ok" || code_of(answer) == "CHANGESET_NOT_FOUND")
          << to_text(answer) << git("status --porcelain");
    }
  }
};

class KilledAtRandom : public KilledTest, public testing::WithParamInterface<unsigned> {};

// REQ: CHG-1
TEST_P(KilledAtRandom, TheRepositoryIsSound) {
  make_repository();
  const std::int64_t whole = measure();
  std::mt19937 random(GetParam());
  std::string before = head();
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const ::pid_t child = ::fork();
    if (child == 0) change_in_child(round);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (whole * 5 / 4)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    const std::string heads = git("rev-parse HEAD HEAD~1 && git fsck --strict --no-dangling");
    EXPECT_TRUE(heads.starts_with(before) || heads.substr(41, 40) == before) << heads;
    go_on();
    const std::string after = git("rev-parse HEAD && git status --porcelain");
    EXPECT_EQ(after.substr(41), "");
    before = after.substr(0, 40);
  }
  // The next one that opens a changeset sweeps up.
  const std::string id = open();
  write_at(work / "last", "x");
  EXPECT_EQ(status_of(commit(id)), "ok");
  expect_closed();
}

INSTANTIATE_TEST_SUITE_P(Seeds, KilledAtRandom, testing::Range(0U, kTests));

TEST_F(KilledTest, WhatIsHalfMadeOrOldIsSweptUp) {
  make_repository();
  const std::string half = open();
  std::filesystem::remove(worktrees() / half / ".git");
  write_at(repository() / ".git/goondan/cs-00000000000a/gitdir", "x");
  const std::string lost = open();
  std::filesystem::remove_all(worktrees() / lost);
  const std::string old = open();
  const std::filesystem::path note = repository() / ".git/worktrees" / old / "gitdir";
  std::filesystem::last_write_time(
      note, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  const std::string sealed = open();
  std::filesystem::remove(worktrees() / sealed / ".git");
  std::filesystem::permissions(worktrees() / sealed / "prompts", std::filesystem::perms(0500));
  std::filesystem::create_directories(worktrees() / "cs-0123456789ab.check/x");
  git("worktree add -q ../persons-own");
  const std::string kept = open();
  EXPECT_EQ(sh("ls '" + worktrees().string() + "'").out, kept + "\nlock\n");
  EXPECT_EQ(sh("ls '" + (repository() / ".git/worktrees").string() + "'").out,
            kept + "\npersons-own\n");
}

// A lock of ours is known as ours; one of somebody else is not touched.
TEST_F(KilledTest, LocksThatWereLeftBehindAreRemovedIfTheyAreOurs) {
  make_repository();
  const std::string id = open();
  write_at(work / "x", "x");
  git("--version && cp .git/index .git/index.goondan && ln .git/index.goondan .git/index.lock && "
      "echo x > .git/goondan.ref && ln .git/goondan.ref .git/refs/heads/main.lock");
  EXPECT_EQ(status_of(commit(id)), "ok");
  expect_closed();
}

}  // namespace
}  // namespace goondan::changeset
