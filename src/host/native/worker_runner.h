// The process in which a plugin's code runs.
#pragma once

#include <filesystem>

namespace goondan {

// Loads the plugin, says hello, and serves one call after the other until the other side closes
// its socket. Does not return: whatever the plugin left behind is not worth a destructor.
[[noreturn]] void run_plugin(const std::filesystem::path& path);

}  // namespace goondan
