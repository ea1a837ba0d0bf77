// Looking a program up before it is started.
#pragma once

#include <string>
#include <string_view>

#include <goondan/result.h>

#include "os/child.h"

namespace goondan::os {

// The absolute path of the file that `Child::spawn(options)` would run: in the PATH of our
// environment, or relative to the folder to start in. Fails with `E_NOT_FOUND`.
Result<std::string> find_program(const ChildOptions& options);

// The first executable file of that name in PATH; empty if there is none.
std::string find_in_path(std::string_view name);

}  // namespace goondan::os
