#include "changeset/repository.h"

#include <array>
#include <cstring>

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

Error no_repository(const fs::path& bundle_root, const std::string& why) {
  return {.code = ErrorCode::Config,
          .message = "the bundle '" + bundle_root.string() + "' is not in a Git repository (" +
                     why + "), so its changes cannot be recorded",
          .suggestion = "Make one in that folder: git init && git add . && git commit -m 'Begin'"};
}

Error foreign_owner(const fs::path& root) {
  return {.code = ErrorCode::Config,
          .message = "the Git repository of the bundle '" + root.string() +
                     "' belongs to another user, whose settings are not trusted",
          .suggestion =
              "Run as its owner, or trust it: git config --global --add safe.directory "
              "<its folder>"};
}

// Without any `safe.directory` in the configuration, libgit2 1.5 says that it has found none.
bool is_owner_refused(const GitLibrary& git, int result) {
  const git_error* last = git.git_error_last();
  return result == GIT_EOWNER || (result == GIT_ENOTFOUND && last != nullptr &&
                                  std::strstr(last->message, "safe.directory") != nullptr);
}

Error no_commit() {
  return {.code = ErrorCode::Config,
          .message = "the Git repository of the bundle has no commit yet",
          .suggestion = "Make the first: git add . && git commit -m 'Begin'"};
}

int note_file(const GitLibrary& git, TreeFiles& files, const char* folder,
              const git_tree_entry* entry) {
  if (git.git_tree_entry_type(entry) == GIT_OBJECT_TREE) return 0;
  files.emplace(
      std::string(folder) + git.git_tree_entry_name(entry),
      TreeFile{.id = *git.git_tree_entry_id(entry), .mode = git.git_tree_entry_filemode(entry)});
  return 0;
}

}  // namespace

bool same_file(const std::optional<TreeFile>& one, const std::optional<TreeFile>& other) {
  if (!one || !other) return !one && !other;
  return one->mode == other->mode && std::memcmp(one->id.id, other->id.id, GIT_OID_RAWSZ) == 0;
}

Result<Repository> Repository::open(const fs::path& bundle_root) {
  const GitLibrary* git = GDN_TRY(GitLibrary::shared());
  std::error_code failure;
  const fs::path root = fs::canonical(bundle_root, failure);
  if (failure) return no_repository(bundle_root, failure.message());
  git_repository* opened = nullptr;
  const int result = git->git_repository_open_ext(&opened, root.c_str(), 0, nullptr);
  GitPointer<git_repository> held(opened, git->git_repository_free);
  if (is_owner_refused(*git, result)) return foreign_owner(root);
  if (result == GIT_ENOTFOUND) return no_repository(root, "there is no .git in it or above it");
  if (result != 0) return git_error_of(*git, "open the Git repository of '" + root.string() + "'");
  Repository repository(git, std::move(held));
  if (git->git_repository_is_bare(opened) != 0) return no_repository(root, "it is a bare one");
  const fs::path work_tree = fs::canonical(repository.work_tree(), failure);
  const fs::path relative = root.lexically_relative(work_tree);
  if (failure || relative.empty() || *relative.begin() == "..")
    return no_repository(root, "its work tree is elsewhere");
  if (relative != ".") repository.offset_ = relative.generic_string() + "/";
  return repository;
}

fs::path Repository::work_tree() const {
  return git_->git_repository_workdir(get());
}

fs::path Repository::git_dir() const {
  return git_->git_repository_path(get());
}

fs::path Repository::common_dir() const {
  return git_->git_repository_commondir(get());
}

std::optional<std::string> Repository::in_bundle(std::string_view path) const {
  if (!path.starts_with(offset_)) return std::nullopt;
  return std::string(path.substr(offset_.size()));
}

Result<git_oid> Repository::head() const {
  git_oid id{};
  const int result = git_->git_reference_name_to_id(&id, get(), "HEAD");
  if (result == GIT_ENOTFOUND) return no_commit();
  if (result != 0) return git_error_of(*git_, "read the latest commit");
  return id;
}

Result<git_oid> Repository::find_commit(const std::string& words) const {
  const std::string plain = words.starts_with("git:") ? words.substr(4) : words;
  git_object* found = nullptr;
  int result = git_->git_revparse_single(&found, get(), plain.c_str());
  const GitPointer<git_object> held(found, git_->git_object_free);
  git_object* peeled = nullptr;
  if (result == 0) result = git_->git_object_peel(&peeled, found, GIT_OBJECT_COMMIT);
  const GitPointer<git_object> held_too(peeled, git_->git_object_free);
  if (result != 0) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "there is no commit '" + words + "' in the bundle's repository",
                 .suggestion = "`gdn bundle log` lists those that changed the bundle."};
  }
  // A commit is an object; libgit2 has no cast of its own for it.
  return *git_->git_commit_id(reinterpret_cast<const git_commit*>(peeled));
}

Result<GitPointer<git_commit>> Repository::commit(const git_oid& id) const {
  git_commit* found = nullptr;
  if (git_->git_commit_lookup(&found, get(), &id) != 0)
    return git_error_of(*git_, "read the commit " + hex(id));
  return GitPointer<git_commit>(found, git_->git_commit_free);
}

Result<GitPointer<git_tree>> Repository::tree_of(const git_oid& id) const {
  const GitPointer<git_commit> found = GDN_TRY(commit(id));
  git_tree* tree = nullptr;
  if (git_->git_commit_tree(&tree, found.get()) != 0)
    return git_error_of(*git_, "read the files of the commit " + hex(id));
  return GitPointer<git_tree>(tree, git_->git_tree_free);
}

Result<GitPointer<git_tree>> Repository::tree(const git_oid& id) const {
  git_tree* found = nullptr;
  if (git_->git_tree_lookup(&found, get(), &id) != 0)
    return git_error_of(*git_, "read the tree " + hex(id));
  return GitPointer<git_tree>(found, git_->git_tree_free);
}

Result<TreeFiles> Repository::files_of(git_tree* tree) const {
  struct Walk {
    const GitLibrary& git;
    TreeFiles files;
  } walk{.git = *git_, .files = {}};
  const auto note = [](const char* folder, const git_tree_entry* entry, void* to) {
    auto& taken = *static_cast<Walk*>(to);
    return note_file(taken.git, taken.files, folder, entry);
  };
  if (git_->git_tree_walk(tree, GIT_TREEWALK_PRE, note, &walk) != 0)
    return git_error_of(*git_, "list the files of a commit");
  return std::move(walk.files);
}

std::string Repository::hex(const git_oid& id) const {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  git_->git_oid_tostr(text.data(), text.size(), &id);
  return text.data();
}

bool Repository::equal(const git_oid& one, const git_oid& other) const {
  return git_->git_oid_cmp(&one, &other) == 0;
}

std::string ref_text(const Repository& repository, const git_oid& id) {
  return "git:" + repository.hex(id);
}

}  // namespace goondan::changeset
