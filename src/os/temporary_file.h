// A file beside the one it will replace. Removed unless it takes its place.
#pragma once

#include <string>
#include <sys/types.h>

#include "os/unique_fd.h"

namespace goondan::os {

// A resource; borrows `folder`. Confined to one thread.
class TemporaryFile {
 public:
  // Makes an empty file with a new name in `folder`. Check `ok`; `errno` says why not.
  TemporaryFile(int folder, mode_t mode);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] bool ok() const { return static_cast<bool>(file_); }
  [[nodiscard]] int fd() const { return file_.get(); }

  // Takes the place of `name`, whole and at once. False with `errno` set on failure.
  bool replace(const std::string& name);

 private:
  int folder_;
  std::string name_;
  UniqueFd file_;
};

}  // namespace goondan::os
