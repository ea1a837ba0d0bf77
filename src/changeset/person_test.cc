// A person who works in the bundle's folder at the same time.
#include <chrono>
#include <functional>
#include <thread>

#include "changeset/changeset_fixture.h"
#include "changeset/swap.h"

namespace goondan::changeset {
namespace {

using testing::HasSubstr;

class PersonTest : public ChangesetTest {
 protected:
  static void wait_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!done() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    EXPECT_TRUE(done());
  }

  // Commits `id` while Git's own lock is held by a person who stages `file`: theirs is the next
  // index.
  Json commit_while_staging(
      const std::string& id, const std::string& file, const std::function<void()>& more = [] {}) {
    git("--version && cp .git/index .git/theirs && cp " + file + " ../kept && echo mine > " + file +
        " && GIT_INDEX_FILE=.git/theirs git add " + file + " && cp ../kept " + file +
        " && touch .git/index.lock");
    const std::filesystem::path git_folder = repository() / ".git";
    std::thread person([&git_folder, &more] {
      wait_until([&] { return std::filesystem::exists(git_folder / "index.goondan"); });
      more();
      std::filesystem::rename(git_folder / "theirs", git_folder / "index");
      std::filesystem::remove(git_folder / "index.lock");
    });
    Json answer = commit(id);
    person.join();
    return answer;
  }
};

TEST_F(PersonTest, WhatIsStagedMeanwhileStaysStaged) {
  make_repository();
  write("other.txt", "other\n");
  commit_all("Other");
  const std::string id = open();
  write_at(work / "a.txt", "the agent's\n");
  EXPECT_EQ(status_of(commit_while_staging(id, "other.txt")), "ok");
  EXPECT_EQ(git("show :other.txt"), "mine\n");
  EXPECT_EQ(git("show HEAD:other.txt"), "other\n");
  EXPECT_EQ(git("show :a.txt"), "the agent's\n");
  EXPECT_EQ(read("a.txt"), "the agent's\n");
  expect_sound();
}

TEST_F(PersonTest, WhatIsStagedMeanwhileOfTheSameFileIsAConflict) {
  make_repository();
  const std::string before = head();
  const std::string was = read("a.txt");
  const std::string id = open();
  write_at(work / "a.txt", "the agent's\n");
  write_at(work / "new", "the agent's\n");
  const Json answer = commit_while_staging(id, "a.txt");
  EXPECT_EQ(status_of(answer), "conflict");
  EXPECT_EQ(answer.at("error").at("conflictingFiles"), Json(JsonArray{"a.txt"}));
  EXPECT_EQ(head(), before);
  EXPECT_EQ(git("show :a.txt"), "mine\n");
  EXPECT_FALSE(std::filesystem::exists(bundle / "new"));
  expect_sound();
}

// Between the file and the index: Git must not take what was saved for what was committed.
TEST_F(PersonTest, WhatIsSavedBeforeTheIndexIsWrittenCountsAsChanged) {
  make_repository();
  write("other.txt", "other\n");
  commit_all("Other");
  std::string id = open();
  write_at(work / "a.txt", "the agent's\n");
  // Of an earlier time than the index, so that Git goes by the file's looks.
  const auto save = [this] {
    write("a.txt", "saved\n");
    std::filesystem::last_write_time(
        bundle / "a.txt", std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  };
  EXPECT_EQ(status_of(commit_while_staging(id, "other.txt", save)), "ok");
  EXPECT_EQ(git("status --porcelain -- a.txt"), " M a.txt\n");
  id = open();
  write_at(work / "a.txt", "the agent's again\n");
  EXPECT_EQ(status_of(commit(id)), "conflict");
  EXPECT_EQ(read("a.txt"), "saved\n");
}

// The files are replaced one after the other; somebody saves the last of them in the middle.
TEST_F(PersonTest, AFileThatIsSavedWhileOthersAreReplacedIsNotOverwritten) {
  constexpr int kFiles = 300;
  make_repository();
  for (int at = 0; at < kFiles; ++at)
    write("many/" + std::to_string(at), "old\n");
  write("z", "old\n");
  commit_all("Many");
  const std::string before = head();
  const std::string id = open();
  for (int at = 0; at < kFiles; ++at)
    write_at(work / "many" / std::to_string(at), "the agent's\n");
  write_at(work / "z", "the agent's\n");
  std::thread person([this] {
    wait_until([this] { return read("many/0") != "old\n"; });
    write("z", "mine\n");
  });
  const Json answer = commit(id);
  person.join();
  EXPECT_EQ(read("z"), "mine\n");
  EXPECT_EQ(git("status --porcelain"), " M z\n");
  if (status_of(answer) == "ok") return;  // it was saved after all was done
  EXPECT_EQ(answer.at("error").at("conflictingFiles"), Json(JsonArray{"z"}));
  EXPECT_EQ(head(), before);
  expect_sound();
}

// What is saved between the last look and the exchange.
TEST_F(PersonTest, WhatIsFoundOnlyAfterItWasMovedAsideGoesBack) {
  make_repository();
  const Repository opened = Repository::open(bundle).value();
  const Folder files = Folder::open(bundle).value();
  const auto known = [](const Folder& where, const std::string& path) -> Result<bool> {
    return GDN_TRY(where.read(path, 100)) != "mine\n";
  };
  const Swap swap = Swap::begin(opened, files).value();
  write("deep/er", "mine\n");
  EXPECT_EQ(swap.put("deep/er", "new\n", GIT_FILEMODE_BLOB, known).value(),
            Swap::Outcome::LeftAlone);
  EXPECT_EQ(swap.take_away("deep/er", known).value(), Swap::Outcome::LeftAlone);
  EXPECT_EQ(read("deep/er"), "mine\n");
  write("deep/er", "old\n");
  EXPECT_EQ(swap.put("deep/er", "new\n", GIT_FILEMODE_BLOB, known).value(), Swap::Outcome::Done);
  EXPECT_EQ(read("deep/er"), "new\n");
  EXPECT_EQ(swap.take_away("deep/er", known).value(), Swap::Outcome::Done);
  EXPECT_FALSE(std::filesystem::exists(bundle / "deep"));
  EXPECT_EQ(swap.put("deep/er", "new\n", GIT_FILEMODE_BLOB, known).value(), Swap::Outcome::Done);
  EXPECT_EQ(read("deep/er"), "new\n");
}

// Git's index was written in the same moment as the file, so that the file's time says nothing.
TEST_F(PersonTest, AChangeInTheMomentOfTheCommitIsSeen) {
  make_repository();
  sh("cd '" + bundle.string() + "' && echo old > r && touch -d 2040-01-01 r && git add r && git " +
     "commit -qm More && echo new > r && touch -d 2040-01-01 r");
  const std::string id = open();
  write_at(work / "r", "the agent's\n");
  EXPECT_EQ(status_of(commit(id)), "conflict");
  EXPECT_EQ(read("r"), "new\n");
}

TEST_F(PersonTest, AHugeFileInTheWayIsNotRead) {
  make_repository();
  const std::string id = open();
  write_at(work / "new", "the agent's\n");
  write("new", "");
  std::filesystem::resize_file(bundle / "new", std::uintmax_t{1} << 40);  // holds no blocks
  const Json answer = commit(id);
  EXPECT_EQ(answer.at("error").at("conflictingFiles"), Json(JsonArray{"new"}));
}

TEST_F(PersonTest, InTheMiddleOfAMergeNothingIsRolledBack) {
  make_repository();
  git("checkout -q -b side && echo side > a.txt && git commit -qam side && git checkout -q main && "
      "echo main > a.txt && git commit -qam main && ! git merge -q side && "
      "git checkout -q HEAD -- a.txt");
  const std::string before = head();
  EXPECT_EQ(status_of(changesets().rollback("", "", "").value()), "conflict");
  EXPECT_EQ(head(), before);
  git("merge --abort");
  EXPECT_EQ(status_of(changesets().rollback("", "", "").value()), "ok");
  EXPECT_EQ(git("status --porcelain"), "");
  expect_sound();
}

TEST_F(PersonTest, ABundleThatNobodyHasCommittedCannotBeChanged) {
  make_repository();
  bundle = repository() / "another";
  write("goondan.yaml", kTestBundle);
  const Result<Json> answer = changesets().open("x");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::Config);
  EXPECT_THAT(answer.error().suggestion, HasSubstr("git add"));
}

}  // namespace
}  // namespace goondan::changeset
