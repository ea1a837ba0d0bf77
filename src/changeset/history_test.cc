#include "changeset/changeset_fixture.h"

namespace goondan::changeset {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> subjects(const Result<std::vector<Json>>& log) {
  std::vector<std::string> texts;
  for (const Json& entry : log.value())
    texts.emplace_back(entry.at("subject").as_string());
  return texts;
}

TEST_F(ChangesetTest, TheLogHoldsWhatChangedTheBundleOnly) {
  make_repository("teams/one/");
  write_at(repository() / "other.txt", "x");
  commit_all("Something else");
  write("a.txt", "second\n");
  commit_all("Second");
  git("checkout -q -b side HEAD~1 && echo x > teams/one/side.txt && git add -A && "
      "git commit -qm Side && git checkout -q main && git merge -q -m Merge side");
  const Result<std::vector<Json>> log = changesets().log(10);
  EXPECT_THAT(subjects(log), testing::UnorderedElementsAre("Merge", "Side", "Second", "Begin"));
  EXPECT_THAT(subjects(changesets().log(1)), testing::ElementsAre("Merge"));
  const Json& entry = log->back();
  EXPECT_EQ(entry.at("author"), Json("Mina"));
  EXPECT_EQ(std::string(entry.at("ref").as_string()),
            "git:" + std::string(entry.at("sha").as_string()));
  EXPECT_THAT(std::string(entry.at("time").as_string()), HasSubstr("T"));
}

TEST_F(ChangesetTest, TheDifferenceIsThatOfTheBundle) {
  make_repository("teams/one/");
  EXPECT_THAT(changesets().diff("", "").value(), HasSubstr("+++ b/goondan.yaml"));
  const std::string first = head();
  write("a.txt", "second\n");
  commit_all("Second");
  write_at(repository() / "other.txt", "x");
  commit_all("Something else");
  const std::string latest = changesets().diff("", "").value();
  EXPECT_THAT(latest, HasSubstr("--- a/a.txt\n+++ b/a.txt\n"));
  EXPECT_THAT(latest, HasSubstr("-one\n"));
  EXPECT_THAT(latest, HasSubstr("+second\n"));
  EXPECT_THAT(latest, Not(HasSubstr("other.txt")));
  EXPECT_EQ(changesets().diff(first, "HEAD").value(), latest);
  EXPECT_EQ(changesets().diff("git:" + first, "").value(), latest);
  EXPECT_EQ(changesets().diff("HEAD", "HEAD").value(), "");
  const Result<std::string> wrong = changesets().diff("nobody", "");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::NotFound);
}

TEST_F(ChangesetTest, RollbackRestoresTheBundleInANewCommit) {
  make_repository("teams/one/");
  const std::string first = head();
  const std::string id = open();
  write_at(work / "a.txt", "changed\n");
  write_at(work / "new.txt", "new\n");
  EXPECT_EQ(status_of(commit(id)), "ok");
  write_at(repository() / "other.txt", "x");
  commit_all("Something else");
  const std::string before = head();
  const Json answer = changesets().rollback("", "", "").value();
  EXPECT_EQ(status_of(answer), "ok");
  EXPECT_EQ(answer.at("summary"), (Json{{"filesChanged", JsonArray{"a.txt"}},
                                        {"filesAdded", JsonArray{}},
                                        {"filesDeleted", JsonArray{"new.txt"}}}));
  EXPECT_EQ(git("rev-parse HEAD~1").substr(0, 40), before);
  EXPECT_EQ(git("diff --stat " + first + " HEAD -- teams"), "");
  EXPECT_EQ(git("log -1 --format='%an|%s|%(trailers:key=Rollback-To,valueonly)'"),
            "Mina|Roll the bundle back to " + first.substr(0, 8) + "|" + first + "\n\n");
  EXPECT_TRUE(std::filesystem::exists(repository() / "other.txt"));
  expect_closed();
  const Json again = changesets().rollback(first, "", "").value();
  EXPECT_EQ(status_of(again), "ok");
  EXPECT_FALSE(again.as_object().contains("newRef"));
}

TEST_F(ChangesetTest, RollbackRefusesUncommittedChangesAndInvalidBundles) {
  make_repository();
  write("goondan.yaml", std::string(kTestBundle) + "---\nkind: Nonsense\n");
  commit_all("Broken");
  write("goondan.yaml", kTestBundle);
  commit_all("Mended");
  const std::string before = head();
  const Json invalid = changesets().rollback("HEAD~1", "", "").value();
  EXPECT_EQ(status_of(invalid), "rejected");
  EXPECT_EQ(code_of(invalid), "BUNDLE_INVALID");
  write("a.txt", "mine\n");
  const Json dirty = changesets().rollback("HEAD~2", "", "").value();
  EXPECT_EQ(status_of(dirty), "ok") << "nothing to do: the files are the same";
  write("run.sh", "#!/bin/sh\ntrue\n");
  git("add run.sh && git commit -qm More");
  const Json conflict = changesets().rollback("HEAD~1", "", "").value();
  EXPECT_EQ(status_of(conflict), "conflict");
  EXPECT_EQ(conflict.at("error").at("conflictingFiles"), Json(JsonArray{"a.txt"}));
  EXPECT_EQ(read("a.txt"), "mine\n");
  EXPECT_EQ(git("rev-parse HEAD~1").substr(0, 40), before);
  EXPECT_FALSE(changesets().rollback("nobody", "", "").ok());
}

TEST_F(ChangesetTest, ThereIsNothingBeforeTheFirstCommit) {
  make_repository();
  const Result<Json> answer = changesets().rollback("", "", "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace goondan::changeset
