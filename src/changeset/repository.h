// The Git repository that a bundle lies in.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "changeset/git_library.h"

namespace goondan::changeset {

// A file of a tree: what it is, and its content by its hash.
struct TreeFile {
  git_oid id = {};
  git_filemode_t mode = GIT_FILEMODE_BLOB;
};

bool same_file(const std::optional<TreeFile>& one, const std::optional<TreeFile>& other);

// By path from the root of the repository. Submodules are in it, with their mode.
using TreeFiles = std::map<std::string, TreeFile>;

// A resource, confined to one thread.
class Repository {
 public:
  // The repository that `bundle_root` lies in, with its work tree. `E_CONFIG` with the next step
  // if there is none.
  static Result<Repository> open(const std::filesystem::path& bundle_root);

  [[nodiscard]] const GitLibrary& git() const { return *git_; }
  [[nodiscard]] git_repository* get() const { return repository_.get(); }

  [[nodiscard]] std::filesystem::path work_tree() const;
  [[nodiscard]] std::filesystem::path git_dir() const;     // of this work tree
  [[nodiscard]] std::filesystem::path common_dir() const;  // of all work trees

  // The bundle's folder in the repository: empty, or with a `/` at the end.
  [[nodiscard]] const std::string& offset() const { return offset_; }
  // `path` as seen from the bundle; empty if it lies outside.
  [[nodiscard]] std::optional<std::string> in_bundle(std::string_view path) const;

  // The latest commit. `E_CONFIG` if there is none yet.
  [[nodiscard]] Result<git_oid> head() const;
  // The commit that a person's words name: a hash, a branch, `HEAD~2`, `git:<hash>`.
  [[nodiscard]] Result<git_oid> find_commit(const std::string& words) const;

  [[nodiscard]] Result<GitPointer<git_commit>> commit(const git_oid& id) const;
  [[nodiscard]] Result<GitPointer<git_tree>> tree_of(const git_oid& commit) const;
  [[nodiscard]] Result<GitPointer<git_tree>> tree(const git_oid& id) const;
  [[nodiscard]] Result<TreeFiles> files_of(git_tree* tree) const;
  [[nodiscard]] Result<std::string> content(const git_oid& blob) const;
  // How long it is, without reading it.
  [[nodiscard]] Result<std::size_t> content_size(const git_oid& blob) const;
  [[nodiscard]] Result<git_oid> write_blob(std::string_view bytes) const;
  // The hash that `bytes` would have as a file.
  [[nodiscard]] Result<git_oid> hash(std::string_view bytes) const;

  [[nodiscard]] std::string hex(const git_oid& id) const;
  [[nodiscard]] bool equal(const git_oid& one, const git_oid& other) const;

 private:
  Repository(const GitLibrary* git, GitPointer<git_repository> repository)
      : git_(git), repository_(std::move(repository)) {}

  const GitLibrary* git_;
  GitPointer<git_repository> repository_;
  std::string offset_;
};

// `git:<hash>`, as results name a commit.
std::string ref_text(const Repository& repository, const git_oid& id);

}  // namespace goondan::changeset
