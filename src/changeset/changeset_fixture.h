// For tests: a bundle in a Git repository of its own, and a place for changesets beside it. The
// repository is made and looked at with the `git` program, which our code never runs.
#pragma once

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changeset/changesets.h"
#include "resource/test_folder.h"

namespace goondan::changeset {

inline constexpr std::string_view kTestBundle =
    "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: main}\n"
    "spec: {provider: anthropic, model: some-model}\n---\n"
    "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: helper}\n"
    "spec: {modelConfig: {modelRef: Model/main}, prompt: {systemRef: prompts/helper.md}}\n---\n"
    "apiVersion: goondan.ai/v1\nkind: Swarm\nmetadata: {name: default}\n"
    "spec: {entryAgent: Agent/helper, agents: [{ref: Agent/helper}]}\n";

struct Shell {
  int code = 0;
  std::string out;
};

inline Shell sh(const std::string& command) {
  Shell shell;
  std::FILE* pipe = ::popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    shell.out.append(buffer.data(), got);
  shell.code = ::pclose(pipe);
  return shell;
}

class ChangesetTest : public testing::Test {
 protected:
  // `offset`: where in the repository the bundle lies, with a `/` at its end.
  void make_repository(const std::string& offset = "") {
    bundle = repository() / offset;
    write("goondan.yaml", kTestBundle);
    write("prompts/helper.md", "Be brief.\n");
    write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
    write("run.sh", "#!/bin/sh\n");
    std::filesystem::permissions(bundle / "run.sh", std::filesystem::perms(0755));
    git("init -q -b main . && git config user.name Mina && git config user.email m@example.com");
    commit_all("Begin");
  }

  [[nodiscard]] std::filesystem::path repository() const { return folder_.path() / "repo"; }
  [[nodiscard]] std::filesystem::path worktrees() const {
    return folder_.path() / "state/changesets";
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  Changesets changesets() { return Changesets({.bundle_root = bundle, .worktrees = worktrees()}); }

  // In the bundle, as a person would.
  void write(const std::string& name, std::string_view text) { write_at(bundle / name, text); }

  static void write_at(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  std::string read(const std::string& name) { return test::read_file(bundle / name); }

  std::string git(const std::string& words) {
    const Shell shell = sh("cd '" + repository().string() + "' && git " + words);
    EXPECT_EQ(shell.code, 0) << words << "\n" << shell.out;
    return shell.out;
  }

  void commit_all(const std::string& message) { git("add -A && git commit -qm '" + message + "'"); }

  std::string head() { return git("rev-parse HEAD").substr(0, 40); }

  // Opens one; its bundle's folder is `work`.
  std::string open(const std::string& reason = "to test") {
    Result<Json> opened = changesets().open(reason);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    if (!opened.ok()) return "";
    const JsonObject& answer = opened->as_object();
    work = std::filesystem::path(std::string(answer.at("workdir").as_string())) /
           std::string(answer.at("hint").at("bundleRootInWorkdir").as_string());
    return std::string(answer.at("changesetId").as_string());
  }

  Json commit(const std::string& id, const Policy& policy = {},
              const std::string& message = "Change it") {
    Result<Json> answer = changesets().commit(id, message, policy, "agent helper");
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
    return answer.ok() ? *answer : Json();
  }

  // No complaint of Git about its own files, and no lock, no work tree left.
  void expect_sound() {
    const Shell fsck = sh("cd '" + repository().string() + "' && git fsck --strict --full");
    EXPECT_EQ(fsck.code, 0) << fsck.out;
    EXPECT_EQ(sh("find '" + (repository() / ".git").string() + "' -name '*.lock'").out, "");
  }

  void expect_closed() {
    expect_sound();
    EXPECT_EQ(git("status --porcelain"), "");
    EXPECT_EQ(sh("ls '" + worktrees().string() + "'").out, "lock\n");
    EXPECT_EQ(sh("ls '" + (repository() / ".git/worktrees").string() + "'").out, "");
  }

  std::filesystem::path bundle;
  std::filesystem::path work;

 private:
  test::TestFolder folder_;
};

inline std::string status_of(const Json& answer) {
  return std::string(answer.at("status").as_string());
}

inline std::string code_of(const Json& answer) {
  return std::string(answer.at("error").at("code").as_string());
}

}  // namespace goondan::changeset
