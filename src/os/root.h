// One folder, held open, and what may be done beneath it.
#pragma once

#include <string>
#include <sys/stat.h>

#include <goondan/result.h>

#include "os/open_beneath.h"
#include "os/unique_fd.h"

namespace goondan::os {

enum class Access { Read, ReadWrite };

// Which folder it is, whatever it is called.
struct FolderId {
  dev_t device = 0;
  ino_t inode = 0;

  friend bool operator==(const FolderId&, const FolderId&) = default;
};

// Immutable and thread-safe. All `relative` paths are normalised (no empty part, no `.` or `..`,
// "." for the folder itself); links inside are followed as long as they stay beneath.
class Root {
 public:
  // `path` is absolute. Links in it are followed now, once.
  static Result<Root> open(const std::string& path, Access access,
                           Resolution resolution = Resolution::Kernel);

  [[nodiscard]] const std::string& path() const { return path_; }  // absolute, without links
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] int fd() const { return folder_.get(); }
  [[nodiscard]] FolderId id() const { return id_; }

  // `open(2)` beneath the root; `flags` get O_CLOEXEC, O_NOCTTY and O_NONBLOCK added. Empty with
  // `errno` set on failure; EXDEV: it would have led outside.
  [[nodiscard]] UniqueFd open_beneath(const std::string& relative, int flags,
                                      mode_t mode = 0) const;

 private:
  Root(std::string path, Access access, Resolution resolution)
      : path_(std::move(path)), access_(access), resolution_(resolution) {}

  std::string path_;
  Access access_;
  Resolution resolution_;
  UniqueFd folder_;
  FolderId id_;
};

}  // namespace goondan::os
