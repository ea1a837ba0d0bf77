#include "changeset/trees.h"

#include <set>

#include "changeset/index_entry.h"

namespace goondan::changeset {
namespace {

// An index in memory, with the files of a tree.
Result<GitPointer<git_index>> index_of(const Repository& repository, git_tree* tree) {
  const GitLibrary& git = repository.git();
  git_index* made = nullptr;
  const int failed = git.git_index_new(&made);
  GitPointer<git_index> index(made, git.git_index_free);
  if (failed != 0 || git.git_index_read_tree(made, tree) != 0)
    return git_error_of(git, "read the files of a commit");
  return index;
}

Result<git_oid> write_index_tree(const Repository& repository, git_index* index) {
  git_oid id{};
  if (repository.git().git_index_write_tree_to(&id, index, repository.get()) != 0)
    return git_error_of(repository.git(), "write to the Git repository");
  return id;
}

Result<void> add_to_index(const Repository& repository, git_index* index, const std::string& path,
                          const TreeFile& file) {
  const git_index_entry entry = index_entry(path, file, std::nullopt);
  if (repository.git().git_index_add(index, &entry) != 0)
    return git_error_of(repository.git(), "record '" + path + "'");
  return {};
}

Result<std::vector<std::string>> conflicts_of(const Repository& repository, git_index* index) {
  const GitLibrary& git = repository.git();
  git_index_conflict_iterator* made = nullptr;
  if (git.git_index_conflict_iterator_new(&made, index) != 0)
    return git_error_of(git, "read what conflicts");
  const GitPointer<git_index_conflict_iterator> iterator(made,
                                                         git.git_index_conflict_iterator_free);
  std::set<std::string> paths;
  const git_index_entry* base = nullptr;
  const git_index_entry* ours = nullptr;
  const git_index_entry* theirs = nullptr;
  while (git.git_index_conflict_next(&base, &ours, &theirs, made) == 0) {
    for (const git_index_entry* entry : {base, ours, theirs})
      if (entry != nullptr) paths.insert(entry->path);
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

}  // namespace

Result<git_oid> changed_tree(const Repository& repository, const git_oid& base_commit,
                             const std::vector<Change>& changes) {
  const GitPointer<git_tree> base = GDN_TRY(repository.tree_of(base_commit));
  const GitPointer<git_index> index = GDN_TRY(index_of(repository, base.get()));
  // First what goes, so that a file can become a folder, and a folder a file.
  for (const Change& change : changes) {
    if (change.kind == Change::Kind::Deleted)
      repository.git().git_index_remove(index.get(), change.path.c_str(), 0);
  }
  for (const Change& change : changes) {
    if (change.kind == Change::Kind::Deleted) continue;
    const git_oid id = GDN_TRY(repository.write_blob(change.bytes));
    GDN_TRY(add_to_index(repository, index.get(), change.path, {.id = id, .mode = change.mode}));
  }
  return write_index_tree(repository, index.get());
}

Result<git_oid> tree_with_bundle_of(const Repository& repository, const git_oid& commit,
                                    const git_oid& other) {
  const GitPointer<git_tree> tree = GDN_TRY(repository.tree_of(commit));
  const GitPointer<git_tree> wanted = GDN_TRY(repository.tree_of(other));
  const GitPointer<git_index> index = GDN_TRY(index_of(repository, tree.get()));
  for (const auto& [path, file] : GDN_TRY(repository.files_of(tree.get()))) {
    if (repository.in_bundle(path)) repository.git().git_index_remove(index.get(), path.c_str(), 0);
  }
  for (const auto& [path, file] : GDN_TRY(repository.files_of(wanted.get()))) {
    if (repository.in_bundle(path)) GDN_TRY(add_to_index(repository, index.get(), path, file));
  }
  return write_index_tree(repository, index.get());
}

Result<Merged> merge_onto(const Repository& repository, const git_oid& base, const git_oid& head,
                          const git_oid& tree) {
  const GitLibrary& git = repository.git();
  if (repository.equal(base, head)) return Merged{.tree = tree};
  const GitPointer<git_tree> before = GDN_TRY(repository.tree_of(base));
  const GitPointer<git_tree> ours = GDN_TRY(repository.tree_of(head));
  const GitPointer<git_tree> theirs = GDN_TRY(repository.tree(tree));
  git_merge_options options{};
  git.git_merge_options_init(&options, GIT_MERGE_OPTIONS_VERSION);
  options.flags = 0;  // a file is its path: what was renamed is not guessed
  git_index* made = nullptr;
  if (git.git_merge_trees(&made, repository.get(), before.get(), ours.get(), theirs.get(),
                          &options) != 0) {
    return git_error_of(git, "merge the changeset");
  }
  const GitPointer<git_index> index(made, git.git_index_free);
  Merged merged;
  if (git.git_index_has_conflicts(made) != 0) {
    merged.conflicts = GDN_TRY(conflicts_of(repository, made));
  } else {
    merged.tree = GDN_TRY(write_index_tree(repository, made));
  }
  return merged;
}

Result<std::vector<FileStep>> steps_between(const Repository& repository, git_tree* from,
                                            git_tree* to) {
  const TreeFiles before = GDN_TRY(repository.files_of(from));
  const TreeFiles after = GDN_TRY(repository.files_of(to));
  std::map<std::string, FileStep> steps;
  for (const auto& [path, file] : before)
    steps[path].before = file;
  for (const auto& [path, file] : after)
    steps[path].after = file;
  std::vector<FileStep> different;
  for (auto& [path, step] : steps) {
    if (same_file(step.before, step.after)) continue;
    step.path = path;
    different.push_back(std::move(step));
  }
  return different;
}

}  // namespace goondan::changeset
