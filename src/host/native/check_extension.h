// Telling plugins with tools and plugins that are extensions apart.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan {

// Fails with `E_EXT_LOAD` if a plugin with these exports is no extension.
Result<void> check_extension(std::string_view extension, std::span<const std::string> exports);

// Fails with `E_PLUGIN_LOAD` if a tool's plugin is an extension.
Result<void> check_no_extension(std::string_view tool, std::span<const std::string> exports);

}  // namespace goondan
