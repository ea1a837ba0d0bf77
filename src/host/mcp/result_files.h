// Where the images, sounds and other bytes in the result of one call go: files in
// `<workdir>/mcp-results`, which the model can name to other tools.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan {

inline constexpr std::size_t kMaxResultFileBytes = std::size_t{32} << 20;  // of one call
inline constexpr std::size_t kMaxResultFiles = 100;                        // of one call
inline constexpr std::string_view kMcpResultsFolder = "mcp-results";

// The ending of a file of this type, with its dot; `.bin` if it is not known.
std::string_view file_ending(std::string_view mime_type);

// A resource; confined to one thread. The folder is made when it is first needed.
class McpResultFiles {
 public:
  struct Origin {
    std::string workdir = {};  // empty: nothing can be written
    std::string server = {};
    std::string tool = {};
    std::string call_id = {};
  };

  explicit McpResultFiles(Origin origin) : origin_(std::move(origin)) {}

  // Writes a new file that only its owner can read, and returns its path below the workdir. Never
  // follows a link and never replaces a file. Fails with `E_IO` or `E_LIMIT`.
  Result<std::string> write(std::string_view bytes, std::string_view mime_type);

 private:
  Origin origin_;
  std::size_t count_ = 0;
  std::size_t written_ = 0;
};

}  // namespace goondan
