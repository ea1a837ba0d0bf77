// One folder, held open, and what may be done beneath it.
#pragma once

#include <string>
#include <sys/stat.h>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::os {

enum class Access { Read, ReadWrite };

// Immutable and thread-safe. All `relative` paths are normalised (no empty part, no `.` or `..`,
// "." for the folder itself); links inside are followed as long as they stay beneath.
class Root {
 public:
  // `path` is absolute. Links in it are followed now, once.
  static Result<Root> open(const std::string& path, Access access);

  [[nodiscard]] const std::string& path() const { return path_; }  // absolute, without links
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] int fd() const { return folder_.get(); }

  // `open(2)` beneath the root; `flags` get O_CLOEXEC, O_NOCTTY and O_NONBLOCK added. Empty with
  // `errno` set on failure; EXDEV or ELOOP: it would have led outside.
  [[nodiscard]] UniqueFd open_beneath(const std::string& relative, int flags,
                                      mode_t mode = 0) const;

 private:
  Root(std::string path, Access access, UniqueFd folder)
      : path_(std::move(path)), access_(access), folder_(std::move(folder)) {}

  std::string path_;
  Access access_;
  UniqueFd folder_;
};

}  // namespace goondan::os
