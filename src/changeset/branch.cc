#include "changeset/branch.h"

#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include "os/file_bytes.h"
#include "os/os_error.h"
#include "os/unique_fd.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 6;  // as many as Git follows

struct Branch {
  std::string name;  // `HEAD` if it is detached
  fs::path folder;   // the name is a path below it
};

fs::path prepared_ref(const Repository& repository) {
  return repository.common_dir() / "goondan.ref";
}

// A branch may be another name for a branch, which is the one that moves then.
Result<Branch> branch_of(const Repository& repository) {
  const GitLibrary& git = repository.git();
  Branch branch{.name = "HEAD", .folder = repository.git_dir()};
  for (int names = 0; names < kMostNames; ++names) {
    git_reference* found = nullptr;
    if (git.git_reference_lookup(&found, repository.get(), branch.name.c_str()) != 0)
      return git_error_of(git, "read '" + branch.name + "'");
    const GitPointer<git_reference> held(found, git.git_reference_free);
    if (git.git_reference_type(found) != GIT_REFERENCE_SYMBOLIC) return branch;
    branch = {.name = git.git_reference_symbolic_target(found), .folder = repository.common_dir()};
  }
  return Error{.code = ErrorCode::Config, .message = "the names of the bundle's branch never end"};
}

Result<void> prepare(const fs::path& path, const std::string& text) {
  const os::UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  std::string_view rest = text;
  if (!file || !os::write_all(file.get(), rest) || !os::sync_to_disk(file.get()))
    return os::os_error("cannot write '" + path.string() + "'", errno);
  return {};
}

// One line, where Git keeps such a log. That it fails does not matter: the commit is there.
void append_log(const fs::path& log, const std::string& line) {
  const os::UniqueFd file(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  std::string_view rest = line;
  if (file) static_cast<void>(os::write_all(file.get(), rest));
}

}  // namespace

Result<Replaced> move_branch(const Repository& repository, const git_oid& from, const git_oid& to,
                             const std::string& message) {
  const Branch branch = GDN_TRY(branch_of(repository));
  const fs::path prepared = prepared_ref(repository);
  std::error_code ignored;
  fs::remove(prepared, ignored);  // never written over: it may be a second name of a branch
  GDN_TRY(prepare(prepared, repository.hex(to) + "\n"));
  const auto unmoved = [&]() -> Result<bool> {
    const git_oid now = GDN_TRY(repository.head());
    return repository.equal(now, from);
  };
  const Replaced moved = GDN_TRY(replace_locked(prepared, branch.folder / branch.name, unmoved));
  if (moved == Replaced::No) return moved;
  const std::string line = repository.hex(from) + " " + repository.hex(to) +
                           " goondan <changesets@goondan.invalid> " +
                           std::to_string(std::time(nullptr)) +
                           " +0000\tchangeset: " + message.substr(0, message.find('\n')) + "\n";
  append_log(repository.git_dir() / "logs" / "HEAD", line);
  if (branch.name != "HEAD") append_log(branch.folder / "logs" / branch.name, line);
  return moved;
}

void mend_branch(const Repository& repository) {
  const fs::path prepared = prepared_ref(repository);
  std::error_code ignored;
  if (!fs::exists(prepared, ignored)) return;
  remove_stale(prepared, repository.common_dir());
}

}  // namespace goondan::changeset
