// A folder that files of Git are written to, and read back from. No link is ever followed, so that
// nothing outside of it is reached, whatever was swapped meanwhile.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

#include <goondan/result.h>

#include "changeset/git_library.h"
#include "os/unique_fd.h"

namespace goondan::changeset {

// What Git calls a file or a link on disk.
git_filemode_t mode_of(const struct stat& status);

// A resource: one open folder. Paths are relative, `/` between parts.
class Folder {
 public:
  // Fails if `path` is a link.
  static Result<Folder> open(const std::filesystem::path& path);

  // What is at `path`; nothing if there is nothing, or something on the way to it is no folder.
  [[nodiscard]] Result<std::optional<struct stat>> look(const std::string& path) const;

  // The content of a file, or the target of a link. Of what is longer than `most`, only somewhat
  // more than that: it may still be growing.
  [[nodiscard]] Result<std::string> read(const std::string& path, std::size_t most) const;

  // Takes the place of what is there, whole and at once; makes the folders above it. A folder in
  // its place is an error.
  Result<void> write(const std::string& path, std::string_view bytes, git_filemode_t mode) const;

  // Removes a file, and the folders above it that are empty then. Fine if it is not there, or is a
  // folder.
  Result<void> remove(const std::string& path) const;

  // Removes the folders above `path` that are empty.
  void remove_empty_above(const std::string& path) const;

  // Moves what is at `path`, at once: to where nothing is, or in exchange for what is there. `No`
  // if something is there, or nothing; `NotPossible` if the file systems cannot do it.
  enum class Move { IfFree, Exchange };
  enum class Moved { No, Yes, NotPossible };
  Result<Moved> move(const std::string& path, const Folder& to, const std::string& to_path,
                     Move how) const;

  // Removes a folder if there is nothing but folders in it; fails otherwise.
  Result<void> remove_empty(const std::string& path) const;

  // The names in the folder at `path` (empty: this one), sorted. That it cannot be read is an
  // error: nobody may take it for an empty one.
  [[nodiscard]] Result<std::vector<std::string>> names(const std::string& path) const;

 private:
  explicit Folder(os::UniqueFd fd) : fd_(std::move(fd)) {}
  [[nodiscard]] os::UniqueFd enter(const std::string& path) const;
  [[nodiscard]] Result<os::UniqueFd> make_parent(const std::string& path) const;

  os::UniqueFd fd_;
};

}  // namespace goondan::changeset
