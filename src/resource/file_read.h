// Reads a file that may be anything: huge, a device, a pipe that never ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <goondan/result.h>

namespace goondan {

// The whole of a regular file of at most `limit` bytes. Fails with `E_CONFIG_FILE_UNREADABLE` or
// `E_CONFIG_FILE_TOO_LARGE`; never waits for a writer.
Result<std::string> read_regular_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace goondan
