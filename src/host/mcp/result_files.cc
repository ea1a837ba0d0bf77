#include "host/mcp/result_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/ids.h"
#include "os/file_bytes.h"
#include "os/os_error.h"
#include "os/unique_fd.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxNamePart = 48;
constexpr int kMaxTries = 8;
constexpr mode_t kPrivateFile = 0600;
constexpr mode_t kPrivateFolder = 0700;

constexpr std::array<std::pair<std::string_view, std::string_view>, 31> kEndings{
    {{"image/png", ".png"},       {"image/jpeg", ".jpg"},      {"image/gif", ".gif"},
     {"image/webp", ".webp"},     {"image/svg+xml", ".svg"},   {"image/bmp", ".bmp"},
     {"image/tiff", ".tiff"},     {"image/avif", ".avif"},     {"image/heic", ".heic"},
     {"audio/mpeg", ".mp3"},      {"audio/wav", ".wav"},       {"audio/x-wav", ".wav"},
     {"audio/wave", ".wav"},      {"audio/ogg", ".ogg"},       {"audio/flac", ".flac"},
     {"audio/aac", ".aac"},       {"audio/mp4", ".m4a"},       {"audio/webm", ".webm"},
     {"video/mp4", ".mp4"},       {"video/webm", ".webm"},     {"application/pdf", ".pdf"},
     {"application/zip", ".zip"}, {"application/gzip", ".gz"}, {"application/json", ".json"},
     {"application/xml", ".xml"}, {"text/plain", ".txt"},      {"text/html", ".html"},
     {"text/csv", ".csv"},        {"text/markdown", ".md"},    {"text/css", ".css"},
     {"text/javascript", ".js"}}};

std::string name_part(std::string_view text) {
  std::string part;
  for (const char c : text.substr(0, kMaxNamePart)) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || (c == '-' && !part.empty());
    part += fine ? c : '_';
  }
  return part.empty() ? "x" : part;
}

Result<os::UniqueFd> open_results(const std::string& workdir) {
  const os::UniqueFd root(::open(workdir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) return os::os_error("cannot open '" + workdir + "'", errno);
  const std::string name(kMcpResultsFolder);
  if (::mkdirat(root.get(), name.c_str(), kPrivateFolder) != 0 && errno != EEXIST) {
    return os::os_error("cannot make '" + name + "' in '" + workdir + "'", errno);
  }
  // The workdir is the model's: what it put there may be a link to somewhere else.
  os::UniqueFd folder(
      ::openat(root.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) return os::os_error("'" + name + "' in '" + workdir + "' is no folder", errno);
  return folder;
}

// 0, or the `errno` of what failed.
int write_new(int folder, const std::string& name, std::string_view bytes) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const os::UniqueFd file(::openat(folder, name.c_str(), kFlags, kPrivateFile));
  if (!file) return errno;
  if (os::write_all(file.get(), bytes)) return 0;
  const int problem = errno;
  ::unlinkat(folder, name.c_str(), 0);
  return problem;
}

}  // namespace

std::string_view file_ending(std::string_view mime_type) {
  std::string type(mime_type.substr(0, mime_type.find(';')));
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto at = std::find_if(kEndings.begin(), kEndings.end(),
                               [&](const auto& ending) { return ending.first == type; });
  return at == kEndings.end() ? ".bin" : at->second;
}

Result<std::string> McpResultFiles::write(std::string_view bytes, std::string_view mime_type) {
  if (origin_.workdir.empty()) {
    return Error{.code = ErrorCode::Io, .message = "there is no folder to keep it in"};
  }
  if (count_ == kMaxResultFiles) {
    return Error{.code = ErrorCode::Limit,
                 .message = "one result may have " + std::to_string(kMaxResultFiles) + " files"};
  }
  if (bytes.size() > kMaxResultFileBytes - written_) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the files of one result may have " +
                            std::to_string(kMaxResultFileBytes >> 20) + " MiB together"};
  }
  const os::UniqueFd folder = GDN_TRY(open_results(origin_.workdir));
  const std::string base = name_part(origin_.server) + "-" + name_part(origin_.tool) + "-" +
                           name_part(origin_.call_id) + "-" + std::to_string(++count_);
  std::string name = base;
  for (int tries = 1;; ++tries) {
    name.append(file_ending(mime_type));
    const int problem = write_new(folder.get(), name, bytes);
    if (problem == 0) break;
    // Call ids are the model's and may come twice.
    if (problem != EEXIST || tries == kMaxTries) {
      return os::os_error("cannot write '" + name + "'", problem);
    }
    name = base + "-" + random_hex(4);
  }
  written_ += bytes.size();
  return std::string(kMcpResultsFolder) + "/" + name;
}

}  // namespace goondan
