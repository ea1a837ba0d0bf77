// Finds the files of a bundle that hold resources.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "resource/diagnostics.h"

namespace goondan {

inline constexpr std::string_view kMainFile = "goondan.yaml";
inline constexpr std::string_view kMainFileShort = "goondan.yml";

// Whether a file of this name makes its folder a bundle.
bool is_main_file(const std::filesystem::path& name);

// The paths of the files below `root` whose names say that they hold resources, relative to it:
// the main file first, the others by path. Reports folders that cannot be read or are not searched.
std::vector<std::filesystem::path> find_resource_files(const std::filesystem::path& root,
                                                       Diagnostics& diagnostics);

}  // namespace goondan
