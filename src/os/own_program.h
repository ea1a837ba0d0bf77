// Where the program `gdn` is: what runs plugin workers and shell commands in processes of their
// own.
#pragma once

#include <filesystem>

#include <goondan/result.h>

namespace goondan::os {

// `$GOONDAN_GDN`, this program if it is `gdn`, a `gdn` beside it, or the one this library was built
// or installed with. Fails with `E_HOST_UNAVAILABLE`, saying what to set.
Result<std::filesystem::path> own_program();

}  // namespace goondan::os
