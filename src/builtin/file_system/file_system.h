// The built-in tool `file-system`: files in the working folder and in what the operator allows.
#pragma once

#include "builtin/tool_definition.h"

namespace goondan::builtin::file_system {

Definition definition();

// What a `read` returns at most, and what it returns if nothing is said; in bytes.
inline constexpr std::size_t kMaxReadBytes = 20'000'000;
inline constexpr std::size_t kDefaultReadBytes = 100'000;

// `maxBytes` of a call: without its fraction, at most `kMaxReadBytes`. Fails if it is below 1.
Result<std::size_t> read_limit(const JsonObject& input);

// The path in `input`, bound to its root, for a file. One that ends in a slash names a folder.
Result<os::RootedPath> file_path(const os::Workspace& workspace, const JsonObject& input,
                                 os::Access need);

Result<Json> list(const Services& services, ToolContext& context, const JsonObject& input);

}  // namespace goondan::builtin::file_system
