// Running the C++ compiler, and making sense of what it says.
#pragma once

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

namespace goondan {

inline constexpr std::chrono::seconds kBuildTime{120};

// `$CXX`, which may hold options, e.g. "ccache g++"; else "c++".
std::vector<std::string> compiler_command();

// Runs `command` to compile `entry`. `E_PLUGIN_BUILD` with the compiler's first errors, or with
// what to install if there is none; `E_TOOL_CANCELLED` on a stop.
Result<void> compile(const std::filesystem::path& entry, std::vector<std::string> command,
                     const std::stop_token& stop);

// The lines of a compiler's output that say what is wrong: the first errors, else the last lines.
std::string first_errors(std::string_view compiler_output);

// `E_PLUGIN_BUILD`
Error build_error(std::string message, std::string suggestion);

}  // namespace goondan
