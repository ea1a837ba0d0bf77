// What a signal is called.
#pragma once

#include <string>

namespace goondan::os {

// "SIGSEGV"; "signal 99" for a number without a name.
std::string signal_name(int signal);

}  // namespace goondan::os
