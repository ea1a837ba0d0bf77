// Writing the files of `gdn init` and `gdn new`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "cli/commands.h"

namespace goondan::cli {

struct NewFile {
  std::filesystem::path path;  // relative to the folder they are written to
  std::string content;
};

// Writes all files below `folder`, making folders as needed. Without `force` nothing is written if
// one of them exists (`E_CONFIG_EXISTS`). Prints a line for each.
Result<void> write_new_files(const std::filesystem::path& folder, const std::vector<NewFile>& files,
                             Answer force);

// `text` with every `@NAME@` replaced by `name`.
std::string filled_in(std::string_view text, std::string_view name);

}  // namespace goondan::cli
