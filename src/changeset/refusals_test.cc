// What is turned away, what conflicts, and that the bundle is as before then.
#include <chrono>
#include <thread>

#include "changeset/changeset_fixture.h"
#include "changeset/checks.h"

namespace goondan::changeset {
namespace {

using testing::HasSubstr;

// REQ: CHG-2
TEST_F(ChangesetTest, ThePolicyTurnsFilesAwayAndTheChangesetStaysOpen) {
  make_repository();
  const std::string before = head();
  const std::string id = open();
  write_at(work / "prompts/helper.md", "x");
  write_at(work / "goondan.yaml", std::string(kTestBundle) + "\n");
  const Policy policy{.swarm_files = {{"prompts/**", "*.yaml"}}, .agent_files = {{"prompts/*"}}};
  Json answer = commit(id, policy);
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "POLICY_VIOLATION");
  EXPECT_EQ(answer.at("error").at("violatedFiles"), Json(JsonArray{"goondan.yaml"}));
  answer = commit(id, {.enabled = false});
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "POLICY_VIOLATION");
  EXPECT_EQ(head(), before);
  EXPECT_EQ(git("status --porcelain"), "");
  write_at(work / "goondan.yaml", kTestBundle);
  EXPECT_EQ(status_of(commit(id, policy)), "ok");
  expect_closed();
}

// REQ: CHG-3
TEST_F(ChangesetTest, ABundleThatDoesNotValidateIsRejectedAndTheOldOneGoesOn) {
  make_repository();
  const std::string before = head();
  const std::string id = open();
  std::filesystem::remove(work / "prompts/helper.md");
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "BUNDLE_INVALID");
  const JsonArray& diagnostics = answer.at("error").at("diagnostics").as_array();
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(head(), before);
  EXPECT_EQ(read("prompts/helper.md"), "Be brief.\n");
  write_at(work / "prompts/helper.md", "Mended.\n");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(read("prompts/helper.md"), "Mended.\n");
  expect_closed();
}

TEST_F(ChangesetTest, WhatCameInBetweenIsMergedWhereItDoesNotConflict) {
  make_repository();
  const std::string id = open();
  write_at(work / "a.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
  write_at(work / "new.txt", "new");
  write("b.txt", "b");
  write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nNINE\n");
  commit_all("In between");
  const std::string between = head();
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "ok");
  EXPECT_EQ(git("rev-parse HEAD~1").substr(0, 40), between) << "a line, no merge";
  EXPECT_EQ(git("rev-list --merges HEAD"), "");
  EXPECT_EQ(read("a.txt"), "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nNINE\n");
  EXPECT_EQ(read("b.txt"), "b");
  EXPECT_EQ(read("new.txt"), "new");
  expect_closed();
}

struct ConflictCase {
  const char* name;
  void (*theirs)(const std::filesystem::path& work);
  void (*ours)(const std::filesystem::path& bundle);
  const char* file;
};

void put(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

const ConflictCase kConflictCases[] = {
    {"the same line", [](auto& at) { put(at / "a.txt", "mine\n"); },
     [](auto& at) { put(at / "a.txt", "yours\n"); }, "a.txt"},
    {"changed and deleted", [](auto& at) { put(at / "a.txt", "mine\n"); },
     [](auto& at) { std::filesystem::remove(at / "a.txt"); }, "a.txt"},
    {"deleted and changed", [](auto& at) { std::filesystem::remove(at / "a.txt"); },
     [](auto& at) { put(at / "a.txt", "yours\n"); }, "a.txt"},
    {"both added", [](auto& at) { put(at / "n", "mine\n"); },
     [](auto& at) { put(at / "n", "yours\n"); }, "n"},
};

TEST_F(ChangesetTest, AConflictChangesNothingAndTheChangesetStaysOpen) {
  make_repository();
  for (const ConflictCase& c : kConflictCases) {
    SCOPED_TRACE(c.name);
    write("a.txt", std::string("for ") + c.name + "\n");
    commit_all("Begin again");
    const std::string id = open();
    c.theirs(work);
    c.ours(bundle);
    commit_all("In between");
    const std::string before = head();
    for (int tries = 0; tries < 2; ++tries) {
      const Json answer = commit(id);
      EXPECT_EQ(status_of(answer), "conflict");
      EXPECT_EQ(code_of(answer), "MERGE_CONFLICT");
      EXPECT_EQ(answer.at("error").at("conflictingFiles"), Json(JsonArray{c.file}));
      EXPECT_EQ(head(), before);
      EXPECT_EQ(git("status --porcelain"), "");
    }
    EXPECT_TRUE(std::filesystem::exists(worktrees() / id));
  }
  expect_sound();
}

// REQ: CHG-3
TEST_F(ChangesetTest, WhatIsValidAloneMayNotBeTogether) {
  make_repository();
  const std::string id = open();
  write_at(work / "goondan.yaml",
           std::string(kTestBundle).replace(kTestBundle.find("prompts/helper.md"), 17, "a.txt"));
  std::filesystem::remove(bundle / "a.txt");
  commit_all("Nobody needs it");
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "BUNDLE_INVALID");
  EXPECT_EQ(git("status --porcelain"), "");
  EXPECT_EQ(sh("ls '" + worktrees().string() + "'").out, id + "\nlock\n");
}

struct DirtyCase {
  const char* name;
  const char* command;  // in the bundle's folder
};

// Each is about `a.txt` (which the changeset changes), `new` (which it adds) or `gone` (deletes).
constexpr DirtyCase kDirtyCases[] = {
    {"changed", "echo mine > a.txt"},
    {"staged", "echo mine > a.txt && git add a.txt"},
    {"staged and undone", "cp a.txt x && echo mine > a.txt && git add a.txt && mv x a.txt"},
    {"deleted", "rm a.txt"},
    {"deleted and staged", "git rm -q a.txt"},
    {"executable", "chmod +x a.txt"},
    {"replaced by a link", "rm a.txt && ln -s goondan.yaml a.txt"},
    {"replaced by a folder", "rm a.txt && mkdir a.txt && echo x > a.txt/x"},
    {"a file in the way", "echo mine > new"},
    {"an ignored file in the way", "echo new > .gitignore && echo mine > new"},
    {"a link in the way", "ln -s a.txt new"},
    {"a folder in the way", "mkdir new && echo mine > new/x"},
    {"a file where a folder must be", "echo mine > deep"},
    {"a link where a folder must be", "ln -s prompts deep"},
    {"changed what is deleted", "echo mine > gone"},
};

// REQ: CHG-2
TEST_F(ChangesetTest, APersonsWorkIsNeverOverwritten) {
  make_repository();
  write("gone", "gone\n");
  commit_all("More");
  for (const DirtyCase& c : kDirtyCases) {
    SCOPED_TRACE(c.name);
    const std::string id = open();
    write_at(work / "a.txt", "the agent's\n");
    write_at(work / "new", "the agent's\n");
    write_at(work / "deep/er", "the agent's\n");
    std::filesystem::remove(work / "gone");
    ASSERT_EQ(sh("cd '" + bundle.string() + "' && " + c.command).code, 0);
    const std::string before = git("status --porcelain --ignored") + git("diff") + head();
    const Json answer = commit(id);
    EXPECT_EQ(status_of(answer), "conflict");
    EXPECT_EQ(answer.at("error").at("conflictingFiles").as_array().size(), 1U);
    EXPECT_EQ(git("status --porcelain --ignored") + git("diff") + head(), before);
    git("reset -q --hard && git clean -qfdx");
  }
  expect_sound();
}

TEST_F(ChangesetTest, OtherWorkOfAPersonIsLeftAlone) {
  make_repository();
  write("b.txt", "b\n");
  write("c.txt", "c\n");
  commit_all("More");
  const std::string id = open();
  write_at(work / "a.txt", "the agent's\n");
  write("b.txt", "mine\n");
  write("c.txt", "mine\n");
  git("add c.txt");
  write("untracked", "mine\n");
  EXPECT_EQ(status_of(commit(id)), "ok");
  EXPECT_EQ(git("status --porcelain"), " M b.txt\nM  c.txt\n?? untracked\n");
  EXPECT_EQ(read("a.txt"), "the agent's\n");
  EXPECT_EQ(read("b.txt"), "mine\n");
  EXPECT_EQ(git("show HEAD:c.txt"), "c\n");
}

TEST_F(ChangesetTest, InTheMiddleOfAMergeNothingIsCommitted) {
  make_repository();
  const std::string id = open();
  write_at(work / "new", "x");
  git("checkout -q -b side && echo side > a.txt && git commit -qam side && git checkout -q main && "
      "echo main > a.txt && git commit -qam main && ! git merge -q side");
  EXPECT_EQ(status_of(commit(id)), "conflict");
  git("merge --abort");
  EXPECT_EQ(status_of(commit(id)), "ok");
  expect_closed();
}

struct LinkCase {
  const char* path;
  const char* target;
  bool stays;
};

constexpr LinkCase kLinkCases[] = {
    {"l", "a.txt", true},      {"l", "./a.txt", true},      {"l", "d/e", true},
    {"d/l", "../a.txt", true}, {"d/e/l", "../../x", true},  {"l", ".", true},
    {"l", "..a", true},        {"l", "missing", true},      {"l", "..", false},
    {"l", "../x", false},      {"d/l", "../../x", false},   {"l", "/etc/passwd", false},
    {"l", "d/../../x", false}, {"l", "d/../x", false},      {"l", "link", false},
    {"l", "link/x", false},    {"d/l", "../link/x", false}, {"l", "", false},
    {"l", ".git", false},      {"l", "d/.GIT/x", false},    {"l", ".gitx", true},
};

TEST(LinkCheck, SaysWhatStaysInside) {
  for (const LinkCase& c : kLinkCases)
    EXPECT_EQ(link_stays_inside(c.path, c.target, {"link"}), c.stays) << c.path << " " << c.target;
}

TEST_F(ChangesetTest, LinksOutsideRepositoriesAndDevicesAreRefused) {
  make_repository();
  for (const char* command :
       {"ln -s /etc/passwd bad", "ln -s ../../x bad", "git init -q bad", "mkfifo bad",
        "mkdir -p bad/.git", "ln -s . one && ln -s one/../.. bad"}) {
    SCOPED_TRACE(command);
    const std::string id = open();
    ASSERT_EQ(sh("cd '" + work.string() + "' && " + command).code, 0);
    const Json answer = commit(id);
    EXPECT_EQ(status_of(answer), "rejected");
    EXPECT_EQ(code_of(answer), "POLICY_VIOLATION");
    EXPECT_THAT(to_text(answer.at("error").at("violatedFiles")), HasSubstr("bad"));
    EXPECT_EQ(git("status --porcelain"), "");
  }
}

TEST_F(ChangesetTest, ThereIsALimitOfFiles) {
  make_repository();
  const std::string id = open();
  for (std::size_t at = 0; at <= kMaxChangedFiles; ++at)
    std::ofstream(work / ("f" + std::to_string(at)));
  const Json answer = commit(id);
  EXPECT_EQ(status_of(answer), "rejected");
  EXPECT_EQ(code_of(answer), "LIMIT_EXCEEDED");
  EXPECT_THAT(to_text(answer), HasSubstr("10000 files"));
}

TEST_F(ChangesetTest, ThereIsALimitOfBytes) {
  make_repository();
  const std::string id = open();
  std::ofstream(work / "sparse").close();
  std::filesystem::resize_file(work / "sparse", kMaxChangedBytes + 1);
  const Json answer = commit(id);
  EXPECT_EQ(code_of(answer), "LIMIT_EXCEEDED");
  EXPECT_THAT(to_text(answer), HasSubstr("64 MiB"));
  std::filesystem::remove(work / "sparse");
  EXPECT_EQ(status_of(commit(id)), "ok");
}

TEST_F(ChangesetTest, ThereIsALimitOfOpenChangesets) {
  make_repository();
  std::string id;
  for (std::size_t at = 0; at < kMaxOpenChangesets; ++at)
    id = open();
  const Result<Json> more = changesets().open("x");
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, ErrorCode::Limit);
  EXPECT_THAT(more.error().message, HasSubstr(id));
  EXPECT_EQ(status_of(commit(id)), "ok");
  const std::string kept = open();
  // One of an hour ago makes room when there is none.
  const std::filesystem::path note = repository() / ".git/worktrees" / kept / "gitdir";
  std::filesystem::last_write_time(
      note, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(90));
  EXPECT_TRUE(changesets().open("x").ok());
  EXPECT_EQ(code_of(commit(kept)), "CHANGESET_NOT_FOUND");
  EXPECT_FALSE(changesets().open("x").ok());
}

TEST_F(ChangesetTest, ManyAtATimeAllArrive) {
  make_repository();
  std::vector<std::thread> threads;
  for (int at = 0; at < 6; ++at) {
    threads.emplace_back([this, at] {
      Changesets own({.bundle_root = bundle, .worktrees = worktrees()});
      const Json opened = own.open("race").value();
      const std::filesystem::path folder(std::string(opened.at("workdir").as_string()));
      write_at(folder / ("file" + std::to_string(at)), "x");
      const std::string id(opened.at("changesetId").as_string());
      EXPECT_EQ(status_of(own.commit(id, "m", {}, "agent").value()), "ok");
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(git("rev-list --count HEAD"), "7\n");
  expect_closed();
}

}  // namespace
}  // namespace goondan::changeset
