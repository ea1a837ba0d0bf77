// A file beside the one it will replace. Removed unless it takes its place.
//
// Where the file system can, it has no name until it is whole, so that nothing is left of it if we
// are killed while it is written. What it cannot do is to replace a file by one without a name: for
// an instant, it has a name of its own.
#pragma once

#include <string>
#include <sys/types.h>

#include "os/unique_fd.h"

namespace goondan::os {

// A resource; borrows `folder`. Confined to one thread.
class TemporaryFile {
 public:
  // Makes an empty file in `folder`. Check `ok`; `errno` says why not.
  TemporaryFile(int folder, mode_t mode);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] bool ok() const { return static_cast<bool>(file_); }
  [[nodiscard]] int fd() const { return file_.get(); }

  // Takes the place of `name`, whole and at once. False with `errno` set on failure.
  bool replace(const std::string& name);

 private:
  void make_nameless(mode_t mode);
  void make_named(mode_t mode);
  bool take_a_name();

  int folder_;
  std::string name_;  // empty: it has none
  UniqueFd file_;
};

}  // namespace goondan::os
