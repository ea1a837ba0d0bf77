// Opening a folder to write in, and making the ones that are missing.
#pragma once

#include <goondan/result.h>

#include "os/rooted_files.h"

namespace goondan::os {

// Opens the folder `relative` beneath the root of `path`; `path` itself is for messages. `Make`
// makes each missing folder in the one above it, which follows no link and so never leaves. Fails
// with `E_PATH_READ_ONLY` if a link led to where nothing may be written.
Result<UniqueFd> open_folder_to_write(std::string_view verb, const RootedPath& path,
                                      const std::string& relative, Parents parents);

}  // namespace goondan::os
