// Replaces files of the bundle without losing what a person saves in the same moment: what was
// there is moved aside, at once, and looked at afterwards. If it is not what was expected, it goes
// back.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "changeset/folder.h"
#include "changeset/repository.h"

namespace goondan::changeset {

// A resource: a folder beside Git's own files for what is moved aside, removed at the end. Borrows
// `files`. Where the file system cannot exchange files, or that folder lies on another one, files
// are replaced without that look.
class Swap {
 public:
  // Whether what is at this path of this folder may be lost.
  using IsKnown = std::function<Result<bool>(const Folder& folder, const std::string& path)>;
  enum class Outcome { Done, LeftAlone };

  static Result<Swap> begin(const Repository& repository, const Folder& files);
  Swap(Swap&&) = default;
  Swap& operator=(Swap&&) = delete;
  ~Swap();

  // Both leave a file alone that is not known, or that comes into being meanwhile.
  Result<Outcome> put(const std::string& path, std::string_view bytes, git_filemode_t mode,
                      const IsKnown& is_known) const;
  Result<Outcome> take_away(const std::string& path, const IsKnown& is_known) const;

 private:
  Swap(std::filesystem::path path, Folder aside, const Folder& files)
      : path_(std::move(path)), aside_(std::move(aside)), files_(files) {}

  std::filesystem::path path_;
  Folder aside_;
  const Folder& files_;
};

// Removes what one who was killed has moved aside.
void mend_swap(const Repository& repository);

}  // namespace goondan::changeset
