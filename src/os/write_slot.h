// Where something is about to be created or replaced: an open folder and a name in it.
//
// Links at the end of a path are followed here, one by one and beneath the root, so that what is
// done afterwards with the folder's descriptor and the plain name follows none.
#pragma once

#include <goondan/result.h>

#include "os/rooted_files.h"

namespace goondan::os {

struct WriteSlot {
  UniqueFd folder;   // may be written to; for reading too where permissions allow
  std::string name;  // no link, unless somebody changes it meanwhile
};

// `verb` is for messages. `Parents::Make` makes the missing folders of the path itself, though not
// those of a link's target.
Result<WriteSlot> open_slot(std::string_view verb, const RootedPath& path, Parents parents);

}  // namespace goondan::os
