#include "changeset/changesets.h"

#include "changeset/changeset_fixture.h"
#include "changeset/worktree.h"

namespace goondan::changeset {
namespace {

using testing::HasSubstr;

// REQ: CHG-1
TEST_F(ChangesetTest, OpenMakesAWorkTreeApartFromTheBundle) {
  make_repository();
  const Json answer = changesets().open("to learn").value();
  const std::string id(answer.at("changesetId").as_string());
  EXPECT_TRUE(valid_changeset_id(id)) << id;
  EXPECT_EQ(answer.at("baseRef"), Json("git:" + head()));
  EXPECT_EQ(answer.at("workdir"), Json((worktrees() / id).string()));
  EXPECT_EQ(answer.at("hint"),
            (Json{{"bundleRootInWorkdir", "."}, {"recommendedFiles", JsonArray{"goondan.yaml"}}}));
  EXPECT_EQ(test::read_file(worktrees() / id / "prompts/helper.md"), "Be brief.\n");
  EXPECT_EQ(sh("cd '" + (worktrees() / id).string() + "' && git status --porcelain").out, "");
  EXPECT_THAT(git("worktree list"), HasSubstr(id));
  EXPECT_EQ(git("status --porcelain"), "");
  expect_sound();
}

// REQ: CHG-1, CHG-2
TEST_F(ChangesetTest, CommitBringsAddedChangedAndDeletedFilesToTheBranch) {
  make_repository();
  const std::string before = head();
  const std::string id = open("the answers\nare too long");
  write_at(work / "prompts/helper.md", "Be very brief.\n");
  write_at(work / "prompts/new/more.md", "More.\n");
  std::filesystem::remove(work / "a.txt");
  const Json answer = commit(id, {}, "Shorten the prompt");
  EXPECT_EQ(answer, (Json{{"status", "ok"},
                          {"changesetId", id},
                          {"baseRef", "git:" + before},
                          {"newRef", "git:" + head()},
                          {"summary", Json{{"filesChanged", JsonArray{"prompts/helper.md"}},
                                           {"filesAdded", JsonArray{"prompts/new/more.md"}},
                                           {"filesDeleted", JsonArray{"a.txt"}}}}}));
  EXPECT_EQ(read("prompts/helper.md"), "Be very brief.\n");
  EXPECT_EQ(read("prompts/new/more.md"), "More.\n");
  EXPECT_FALSE(std::filesystem::exists(bundle / "a.txt"));
  EXPECT_EQ(git("log -1 --format='%an|%B|%P'"),
            "agent helper|Shorten the prompt\n\nChangeset-Reason: the answers are too long\n"
            "Changeset-Id: " +
                id + "\n|" + before + "\n");
  EXPECT_THAT(git("reflog -1"), HasSubstr("changeset: Shorten the prompt"));
  expect_closed();
}

TEST_F(ChangesetTest, FilesKeepTheirKindAndContent) {
  make_repository();
  const std::string id = open();
  const std::string binary("\0\r\n\xff\n\r", 6);
  write_at(work / ".gitattributes", "* text=auto eol=crlf\n*.big filter=evil\n");
  write_at(work / "binary.big", binary);
  write_at(work / "crlf.txt", "a\r\nb\r\n");
  write_at(work / "new.sh", "#!/bin/sh\n");
  write_at(work / "이름 with space.txt", "x");
  write_at(work / "empty", "");
  std::filesystem::permissions(work / "new.sh", std::filesystem::perms(0755));
  std::filesystem::permissions(work / "run.sh", std::filesystem::perms(0644));
  std::filesystem::create_symlink("prompts/helper.md", work / "link");
  // No program of the configuration runs, neither here nor there.
  git("config filter.evil.smudge 'touch ../ran; cat' && git config filter.evil.clean 'touch "
      "../ran; cat' && git config core.hooksPath hooks && git config core.fsmonitor 'touch "
      "../ran'");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_FALSE(std::filesystem::exists(folder() / "ran"));
  git("config --unset filter.evil.smudge && git config --unset filter.evil.clean && git config "
      "--unset core.fsmonitor");
  EXPECT_EQ(read("binary.big"), binary);
  EXPECT_EQ(read("crlf.txt"), "a\r\nb\r\n");
  EXPECT_EQ(read("empty"), "");
  EXPECT_EQ(read("이름 with space.txt"), "x");
  EXPECT_EQ(std::filesystem::read_symlink(bundle / "link"), "prompts/helper.md");
  EXPECT_THAT(git("ls-files -s new.sh"), HasSubstr("100755"));
  EXPECT_THAT(git("ls-files -s run.sh"), HasSubstr("100644"));
  const auto mode = std::filesystem::status(bundle / "new.sh").permissions();
  EXPECT_NE(mode & std::filesystem::perms::owner_exec, std::filesystem::perms::none);
  expect_sound();
}

TEST_F(ChangesetTest, AFileBecomesAFolderAndAFolderAFile) {
  make_repository();
  const std::string id = open();
  std::filesystem::remove(work / "a.txt");
  write_at(work / "a.txt/inner/x", "x");
  write_at(work / "goondan.yaml",
           std::string(kTestBundle).replace(kTestBundle.find("prompts/helper.md"), 17, "prompts"));
  std::filesystem::remove_all(work / "prompts");
  write_at(work / "prompts", "I am a file now.");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(read("a.txt/inner/x"), "x");
  EXPECT_EQ(read("prompts"), "I am a file now.");
  expect_closed();
}

TEST_F(ChangesetTest, WhatGitIgnoresStaysOut) {
  make_repository();
  write(".gitignore", "*.log\nbuild/\n");
  commit_all("Ignore");
  const std::string id = open();
  write_at(work / "x.log", "x");
  write_at(work / "build/deep/x", "x");
  write_at(work / "kept.txt", "x");
  const Json answer = commit(id);
  EXPECT_EQ(answer.at("summary").at("filesAdded"), Json(JsonArray{"kept.txt"}));
  expect_closed();
}

TEST_F(ChangesetTest, WithNothingChangedNothingIsCommitted) {
  make_repository();
  const std::string before = head();
  const Json answer = commit(open());
  EXPECT_EQ(status_of(answer), "ok");
  EXPECT_FALSE(answer.as_object().contains("newRef"));
  EXPECT_EQ(answer.at("summary").at("filesChanged"), Json(JsonArray{}));
  EXPECT_EQ(head(), before);
  expect_closed();
}

// REQ: CHG-2
TEST_F(ChangesetTest, AnIdThatIsNotOpenFails) {
  make_repository();
  const std::string id = open();
  EXPECT_EQ(status_of(commit(id)), "ok");
  for (const std::string& wrong :
       {id, std::string("cs-0123456789ab"), std::string(""), std::string("../repo"),
        std::string("cs-../../../../x"), std::string("cs-0123456789AB"), std::string("lock")}) {
    const Json answer = commit(wrong);
    EXPECT_EQ(status_of(answer), "failed") << wrong;
    EXPECT_EQ(code_of(answer), "CHANGESET_NOT_FOUND") << wrong;
    EXPECT_EQ(answer.at("changesetId"), Json(wrong));
  }
}

TEST_F(ChangesetTest, ABundleInAFolderOfARepositoryIsChangedThereOnly) {
  make_repository("teams/one/");
  write_at(repository() / "other.txt", "other\n");
  commit_all("Other");
  std::string id = open();
  EXPECT_EQ(work.lexically_relative(worktrees() / id), "teams/one");
  write_at(work / "new.md", "new");
  EXPECT_EQ(commit(id).at("summary").at("filesAdded"), Json(JsonArray{"new.md"}));
  EXPECT_EQ(read("new.md"), "new");

  id = open();
  write_at(work / "../../other.txt", "changed");
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "POLICY_VIOLATION");
  EXPECT_EQ(answer.at("error").at("violatedFiles"), Json(JsonArray{"other.txt"}));
  write_at(work / "../../other.txt", "other\n");
  write_at(work / "again.md", "again");
  EXPECT_EQ(status_of(commit(id)), "ok");
  expect_closed();
}

TEST_F(ChangesetTest, ADetachedHeadABranchOfTwoNamesAndAWorkTreeOfGitAreFine) {
  make_repository();
  git("checkout -q --detach");
  std::string id = open();
  write_at(work / "x", "x");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(git("show HEAD:x"), "x");
  git("checkout -q main");
  EXPECT_FALSE(std::filesystem::exists(bundle / "x"));

  git("branch trunk && git symbolic-ref refs/heads/main refs/heads/trunk");
  id = open();
  write_at(work / "x", "x");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(git("symbolic-ref refs/heads/main"), "refs/heads/trunk\n");
  EXPECT_EQ(git("show trunk:x"), "x");

  git("worktree add -q ../linked -b side");
  bundle = folder() / "linked";
  id = open();
  write_at(work / "y", "y");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(git("show side:y"), "y");
  EXPECT_EQ(read("y"), "y");
  EXPECT_EQ(sh("cd '" + bundle.string() + "' && git status --porcelain").out, "");
  expect_sound();
}

TEST_F(ChangesetTest, AShallowCloneAndPackedReferencesAreFine) {
  make_repository();
  write("b.txt", "b");
  commit_all("Second");
  git("gc -q");
  sh("cd '" + folder().string() + "' && git clone -q --depth 1 file://" + repository().string() +
     " shallow");
  bundle = folder() / "shallow";
  std::string id = open();
  write_at(work / "y", "y");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(changesets().log(10)->size(), 2U);
  EXPECT_EQ(sh("cd '" + bundle.string() + "' && git status --porcelain && git fsck").code, 0);
  bundle = repository();
  id = open();
  write_at(work / "z", "z");
  EXPECT_EQ(status_of(commit(id)), "ok");
  expect_closed();
}

TEST_F(ChangesetTest, WithoutARepositoryOrACommitTheErrorSaysWhatToDo) {
  bundle = folder() / "plain";
  write("goondan.yaml", kTestBundle);
  Result<Json> answer = changesets().open("x");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().suggestion, HasSubstr("git init"));
  sh("cd '" + bundle.string() + "' && git init -q .");
  answer = changesets().open("x");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message, HasSubstr("no commit yet"));
  sh("cd '" + folder().string() + "' && git init -q --bare bare.git");
  bundle = folder() / "bare.git";
  EXPECT_FALSE(changesets().open("x").ok());
  bundle = folder() / "nowhere";
  EXPECT_FALSE(changesets().open("x").ok());
}

TEST_F(ChangesetTest, TheFolderOfChangesetsIsNeverInsideTheBundle) {
  make_repository();
  Changesets inside({.bundle_root = bundle, .worktrees = bundle / "state"});
  const Result<Json> answer = inside.open("x");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::Config);
  EXPECT_FALSE(std::filesystem::exists(bundle / "state"));
}

TEST_F(ChangesetTest, AnAgentMayCommitInItsWorkTreeItself) {
  make_repository();
  const std::string before = head();
  const std::string id = open();
  write_at(work / "a.txt", "mine");
  const Shell shell = sh("cd '" + work.string() + "' && git add -A && git commit -qm mine");
  EXPECT_EQ(shell.code, 0) << shell.out;
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "ok");
  EXPECT_EQ(answer.at("baseRef"), Json("git:" + before));
  EXPECT_EQ(git("rev-parse HEAD~1").substr(0, 40), before);
  EXPECT_EQ(read("a.txt"), "mine");
  expect_closed();
}

TEST(GitLibraryTest, SaysHowToInstallWhatIsMissing) {
  const Result<GitLibrary> library = GitLibrary::load("libgit2-that-is-not-there.so");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::HostUnavailable);
  EXPECT_THAT(library.error().suggestion, HasSubstr("apt install libgit2-1.5"));
}

}  // namespace
}  // namespace goondan::changeset
