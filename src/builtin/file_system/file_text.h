// What the beginning of a file looks like as text.
#pragma once

#include <string>

#include "base/redactor.h"
#include "os/rooted_files.h"

namespace goondan::builtin::file_system {

// The bytes as UTF-8; each that is not part of a character becomes U+FFFD. If the file goes on,
// a character that the cut went through is left out.
std::string file_text(os::FileContent content);

// The same, and of a secret that the cut went through nothing is shown.
std::string file_text(os::FileContent content, const Redactor& redactor);

}  // namespace goondan::builtin::file_system
