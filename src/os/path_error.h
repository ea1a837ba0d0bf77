// Why a path could not be used, in words that name the path and the next step.
#pragma once

#include <string_view>
#include <sys/types.h>

#include <goondan/error.h>

#include "os/workspace.h"

namespace goondan::os {

// E.g. "cannot read 'no.txt': no such file or directory". `verb` is what was tried, `number` an
// `errno`. `E_NOT_FOUND` suggests a name that is there and alike.
Error path_error(std::string_view verb, const RootedPath& path, int number);

// E.g. "cannot read 'pipe': it is a FIFO (named pipe), not a regular file". `mode` is an `st_mode`.
Error not_regular_error(std::string_view verb, const RootedPath& path, mode_t mode);

// A link led from a writable folder into one that is not.
Error guarded_error(std::string_view verb, const RootedPath& path);

// How an operator allows `folder` (`Access::ReadWrite`: also to be written to).
std::string how_to_allow(std::string_view folder, Access access);

}  // namespace goondan::os
