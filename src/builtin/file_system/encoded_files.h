// Files with a choice of `encoding`, as the tools `file.read` and `file.write` of the first dialect
// have them, over the same code as `file-system`.
#pragma once

#include <goondan/json.h>
#include <goondan/result.h>

#include "os/workspace.h"

namespace goondan::builtin::file_system {

// `{path, encoding?, maxBytes?}` -> `{path, size, truncated, content}`. `maxBytes` counts bytes of
// the file, in every encoding.
Result<Json> read_encoded(const os::Workspace& workspace, const JsonObject& input);

// `{path, content, encoding?}` -> `{path, size, written}`. Missing folders are made.
Result<Json> write_encoded(const os::Workspace& workspace, const JsonObject& input);

}  // namespace goondan::builtin::file_system
