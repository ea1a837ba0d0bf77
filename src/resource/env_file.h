// Files of environment variables, as `.env`: lines `KEY=value`.
//
// `export` before a key, empty lines and comments (`#`) are allowed. A value in single quotes is
// taken as it is; in double quotes `\n`, `\t`, `\r`, `\"`, `\\`, `\$` stand for what they do
// elsewhere; both may go over several lines. A value without quotes ends at ` #` or the end of the
// line. Nothing is expanded and nothing is run. Functions of their arguments.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

namespace goondan {

struct EnvEntry {
  std::string name = {};
  std::string value = {};

  friend bool operator==(const EnvEntry&, const EnvEntry&) = default;
};

inline constexpr std::size_t kMaxEnvFileBytes = std::size_t{1} << 20;

// In the order of the file; a name may come twice, and the last one counts. Fails with
// `E_CONFIG_PARSE_ERROR`; the message begins with `file` and the number of the line.
Result<std::vector<EnvEntry>> parse_env_file(std::string_view text, std::string_view file);

enum class Absent { Empty, Error };

// Reads and parses. A file that is not there is an empty one, or `E_CONFIG_FILE_NOT_FOUND`.
Result<std::vector<EnvEntry>> load_env_file(const std::filesystem::path& file, Absent absent);

}  // namespace goondan
