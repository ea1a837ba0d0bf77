#include "changeset/swap.h"

#include "base/ids.h"
#include "changeset/worktree.h"
#include "os/os_error.h"

namespace goondan::changeset {
namespace {

namespace fs = std::filesystem;

fs::path aside_folder(const Repository& repository) {
  return repository.git_dir() / "goondan.files";
}

}  // namespace

Result<Swap> Swap::begin(const Repository& repository, const Folder& files) {
  const fs::path path = aside_folder(repository);
  std::error_code failure;
  fs::create_directories(path, failure);
  if (failure) return os::os_error("cannot make '" + path.string() + "'", failure.value());
  Folder aside = GDN_TRY(Folder::open(path));
  return Swap(path, std::move(aside), files);
}

Swap::~Swap() {
  if (!path_.empty()) remove_folder(path_);
}

Result<Swap::Outcome> Swap::put(const std::string& path, std::string_view bytes,
                                git_filemode_t mode, const IsKnown& is_known) const {
  const std::string name = random_hex(8);
  GDN_TRY(aside_.write(name, bytes, mode));
  const std::optional<struct stat> there = GDN_TRY(files_.look(path));
  const Folder::Move how = there ? Folder::Move::Exchange : Folder::Move::IfFree;
  const Folder::Moved moved = GDN_TRY(aside_.move(name, files_, path, how));
  if (moved == Folder::Moved::NotPossible) {
    GDN_TRY(files_.write(path, bytes, mode));
    return Outcome::Done;
  }
  if (moved == Folder::Moved::No) return Outcome::LeftAlone;
  if (!there) return Outcome::Done;
  const Result<bool> known = is_known(aside_, name);
  if (known.ok() && *known) {
    GDN_TRY(aside_.remove(name));
    return Outcome::Done;
  }
  GDN_TRY(aside_.move(name, files_, path, Folder::Move::Exchange));
  if (!known.ok()) return known.error();
  return Outcome::LeftAlone;
}

Result<Swap::Outcome> Swap::take_away(const std::string& path, const IsKnown& is_known) const {
  const std::optional<struct stat> there = GDN_TRY(files_.look(path));
  if (!there || S_ISDIR(there->st_mode)) {
    files_.remove_empty_above(path);
    return Outcome::Done;
  }
  const std::string name = random_hex(8);
  const Folder::Moved moved = GDN_TRY(files_.move(path, aside_, name, Folder::Move::IfFree));
  if (moved == Folder::Moved::NotPossible) GDN_TRY(files_.remove(path));
  if (moved == Folder::Moved::Yes) {
    const Result<bool> known = is_known(aside_, name);
    if (!known.ok() || !*known) {
      GDN_TRY(aside_.move(name, files_, path, Folder::Move::IfFree));
      if (!known.ok()) return known.error();
      return Outcome::LeftAlone;
    }
    GDN_TRY(aside_.remove(name));
  }
  files_.remove_empty_above(path);
  return Outcome::Done;
}

void mend_swap(const Repository& repository) {
  remove_folder(aside_folder(repository));
}

}  // namespace goondan::changeset
