// Which folders may be written to, told by identity and not by name.
//
// The text of a path says in which granted folder it lies, but a link inside one granted folder may
// lead into another that is only to be read. So before something is created, the folder it is
// created in is asked: of all the folders it lies in, the nearest marked one decides.
#pragma once

#include <vector>

#include "os/root.h"

namespace goondan::os {

// Immutable and thread-safe.
class WriteGuard {
 public:
  struct Mark {
    FolderId id;
    Access access = Access::Read;
  };

  explicit WriteGuard(std::vector<Mark> marks) : marks_(std::move(marks)) {}

  // Whether files may be created in `folder`. No, if it lies in no marked folder (any more).
  [[nodiscard]] bool may_write(int folder) const;

 private:
  [[nodiscard]] const Mark* find(const FolderId& id) const;

  std::vector<Mark> marks_;
};

}  // namespace goondan::os
