// What an agent may put into its changeset to get around the checks, or to make them hang.
#include "changeset/changeset_fixture.h"
#include "changeset/folder.h"
#include "changeset/git_names.h"

namespace goondan::changeset {
namespace {

using testing::HasSubstr;

class HostileTest : public ChangesetTest {
 protected:
  Json commit_after(const std::string& command) {
    const std::string id = open();
    EXPECT_EQ(sh("cd '" + work.string() + "' && " + command).code, 0);
    return commit(id);
  }

  void expect_nothing_happened(const std::string& before) {
    EXPECT_EQ(head(), before);
    EXPECT_EQ(git("status --porcelain"), "");
    expect_sound();
  }
};

// REQ: CHG-3
TEST_F(HostileTest, AFileThatGitIgnoresDoesNotMakeABundleValid) {
  make_repository();
  write(".gitignore", "*.local\n");
  commit_all("Ignore");
  const std::string before = head();
  const Json answer =
      commit_after("sed -i s,prompts/helper.md,x.local, goondan.yaml && echo Hello > x.local");
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "BUNDLE_INVALID");
  expect_nothing_happened(before);
}

struct RefusedCase {
  const char* name;
  const char* command;  // in the work tree
};

constexpr RefusedCase kRefusedCases[] = {
    {"a pipe that Git would read", "mkfifo .gitignore"},
    {"the same deeper",
     "mkdir prompts/new && touch prompts/new/x && mkfifo prompts/new/.gitignore"},
    {"a link that Git would follow", "mkfifo ../pipe; ln -s ../pipe .gitignore"},
    {"attributes in a link", "ln -s a.txt .gitattributes"},
    {"submodules in a link", "ln -s a.txt .gitmodules"},
    {"submodules in a link, on Windows", "ln -s a.txt gitmod~1"},
    {"a link to Git's folder", "ln -s .git/config x"},
    {"Git's folder in capitals", "mkdir x .GIT"},
    {"Git's folder on Windows", "mkdir git~1 && touch git~1/config"},
    {"Git's folder with a dot", "mkdir .git. && touch .git./config"},
    {"Git's folder on macOS", "n=$(printf '.g\\342\\200\\214it') && mkdir $n && touch $n/config"},
};

TEST_F(HostileTest, WhatGitTakesForItsOwnIsRefused) {
  make_repository();
  const std::string before = head();
  for (const RefusedCase& c : kRefusedCases) {
    SCOPED_TRACE(c.name);
    const Json answer = commit_after(c.command);
    EXPECT_EQ(status_of(answer), "rejected");
    EXPECT_EQ(code_of(answer), "POLICY_VIOLATION");
    EXPECT_EQ(answer.at("error").at("violatedFiles").as_array().size(), 1U) << to_text(answer);
  }
  expect_nothing_happened(before);
}

TEST(GitNames, KnowsThoseOfOtherSystems) {
  for (const char* name : {".git", ".GiT", ".git ", ".git...", ".git::$INDEX_ALLOCATION", "GIT~1",
                           "\xef\xbb\xbf.git", ".gi\xe2\x80\x8et", ".git\xe2\x81\xaf"})
    EXPECT_TRUE(names_git_folder(name)) << name;
  for (const char* name : {"git", ".gitignore", ".gitx", "a.git", "git~2", ".gi t",
                           ".g\xe2\x80\x93it", "\xe2\x80", "", ".", " "})
    EXPECT_FALSE(names_git_folder(name)) << name;
}

TEST_F(HostileTest, ALinkThatAPersonHasCommittedIsNotTheAgentsFault) {
  make_repository();
  write("rules", "*.log\n");
  std::filesystem::create_symlink("rules", bundle / ".gitignore");
  std::filesystem::create_symlink("rules", bundle / ".gitattributes");
  commit_all("Links");
  EXPECT_EQ(status_of(commit_after("echo x > new")), "ok");
  EXPECT_EQ(status_of(commit_after("rm rules && mkfifo rules")), "rejected");
}

// What is elsewhere would be read with our rights.
TEST_F(HostileTest, AWorkTreeThatIsALinkIsNone) {
  make_repository();
  const std::string id = open();
  ASSERT_EQ(sh("cd '" + worktrees().string() + "' && mv " + id + " ../elsewhere && echo x > " +
               "../elsewhere/secret && ln -s ../elsewhere " + id)
                .code,
            0);
  const Json answer = commit(id);
  EXPECT_EQ(code_of(answer), "CHANGESET_NOT_FOUND");
  EXPECT_FALSE(Folder::open(worktrees() / id).ok());
}

TEST_F(HostileTest, ThereIsALimitOfFoldersInsideEachOther) {
  make_repository();
  const std::string id = open();
  std::string deep = "d";
  for (std::size_t at = 1; at < kMaxNewFolders; ++at)
    deep += "/d";
  write_at(work / deep / "x", "x");
  std::filesystem::create_directories(work / deep / "d");
  const Json answer = commit(id);
  EXPECT_EQ(code_of(answer), "LIMIT_EXCEEDED");
  EXPECT_THAT(to_text(answer), HasSubstr("64 deep"));
  std::filesystem::remove(work / deep / "d");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(read(deep + "/x"), "x");
}

TEST_F(HostileTest, AFolderThatCannotBeReadIsNotTakenForAnEmptyOne) {
  write_at(folder() / "a/file", "x");
  const Folder opened = Folder::open(folder()).value();
  EXPECT_EQ(opened.names("a").value(), std::vector<std::string>{"file"});
  EXPECT_FALSE(opened.names("missing").ok());
  EXPECT_FALSE(opened.names("a/file").ok());
}

TEST_F(HostileTest, NoMoreIsReadThanWasAskedFor) {
  write_at(folder() / "file", std::string(100'000, 'x'));
  const Folder opened = Folder::open(folder()).value();
  EXPECT_EQ(opened.read("file", 10)->size(), 11U) << "enough to see that there is more";
  EXPECT_EQ(opened.read("file", 100'000)->size(), 100'000U);
}

TEST_F(HostileTest, OnlyEmptyFoldersAreRemovedWithAllThatIsInThem) {
  std::filesystem::create_directories(folder() / "empty/a/b");
  write_at(folder() / "full/a/file", "x");
  const Folder opened = Folder::open(folder()).value();
  EXPECT_TRUE(opened.remove_empty("empty").ok());
  EXPECT_FALSE(std::filesystem::exists(folder() / "empty"));
  EXPECT_FALSE(opened.remove_empty("full").ok());
  EXPECT_TRUE(std::filesystem::exists(folder() / "full/a/file"));
}

}  // namespace
}  // namespace goondan::changeset
