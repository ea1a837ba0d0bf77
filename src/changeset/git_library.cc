#include "changeset/git_library.h"

#include <array>
#include <dlfcn.h>
#include <string>

#include "os/shared_function.h"

namespace goondan::changeset {
namespace {

constexpr const char* kGitLibraryName = "libgit2.so.1.5";

Error git_not_loaded(std::string_view what) {
  const char* reason = ::dlerror();
  return {.code = ErrorCode::HostUnavailable,
          .message = "changesets need libgit2 1.5, but " + std::string(what) +
                     " cannot be loaded: " + (reason == nullptr ? "unknown reason" : reason),
          .suggestion = "Install it (Debian, Ubuntu: apt install libgit2-1.5)."};
}

}  // namespace

Result<GitLibrary> GitLibrary::load(const char* name) {
  void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return git_not_loaded(name);
  GitLibrary git;
  const char* missing = nullptr;
#define GDN_GIT_FIND(function) os::find_shared_function(library, #function, git.function, missing);
  GDN_GIT_FUNCTIONS(GDN_GIT_FIND)
#undef GDN_GIT_FIND
  if (missing != nullptr) return git_not_loaded(missing);
  git.git_libgit2_init();
  // Objects and references reach the disk before we say that they are there.
  git.git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  // `git sparse-checkout` and `git config --worktree` write this; what it means is not ours to
  // read.
  std::array<const char*, 1> extensions{"worktreeconfig"};
  git.git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
  return git;
}

Result<const GitLibrary*> GitLibrary::shared() {
  static const Result<GitLibrary> library = load(kGitLibraryName);
  if (!library.ok()) return library.error();
  return &*library;
}

Error git_error_of(const GitLibrary& git, std::string_view what) {
  const git_error* last = git.git_error_last();
  const std::string why =
      last == nullptr || last->message == nullptr ? "unknown reason" : last->message;
  return {.code = ErrorCode::Io, .message = "cannot " + std::string(what) + ": " + why};
}

}  // namespace goondan::changeset
