// The environment of a command: what the runtime gives to all, and what the call adds.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::builtin::bash {

// The kernel takes no longer text as one argument or variable, its end included.
inline constexpr std::size_t kMaxTextBytes = 128 * 1024;

// Fails with `E_TOOL_INVALID_ARGS` if a program cannot be given `text` as an argument. `key` is the
// parameter it came from.
Result<void> check_text(std::string_view key, std::string_view text);

// `base` (NAME=value) with the variables of `given` over it, and `PWD`, which is `folder`. Null
// means none given. Fails with `E_TOOL_INVALID_ARGS` if one of them cannot be a variable.
Result<std::vector<std::string>> command_environment(std::span<const std::string> base,
                                                     const JsonObject* given,
                                                     const std::string& folder);

}  // namespace goondan::builtin::bash
