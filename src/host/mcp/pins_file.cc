#include "host/mcp/pins_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

#include <goondan/tool_context.h>

#include "host/mcp/pins_json.h"
#include "os/file_bytes.h"
#include "os/os_error.h"
#include "os/temporary_file.h"
#include "os/unique_fd.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLockTime{5};
constexpr std::chrono::milliseconds kFirstPause{1};
constexpr std::chrono::milliseconds kLongestPause{20};
constexpr mode_t kPrivate = 0600;

Error file_error(std::string_view what, const fs::path& path, int number) {
  return os::os_error("cannot " + std::string(what) + " '" + path.string() + "'", number);
}

// Nothing if there is no such file.
Result<std::optional<std::string>> read_text(const fs::path& path) {
  const os::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ENOENT) return std::optional<std::string>{};
  if (!file) return file_error("open", path, errno);
  std::string text;
  std::array<char, 65536> block{};
  while (text.size() <= kMaxPinsBytes) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) return std::optional(std::move(text));
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return damaged_pins(path, "it is larger than " + std::to_string(kMaxPinsBytes >> 20) + " MiB");
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::create_directories(folder, failed) && ::chmod(folder.c_str(), S_IRWXU) != 0) {
    return file_error("make", folder, errno);
  }
  if (failed) return file_error("make", folder, failed.value());
  return {};
}

Result<os::UniqueFd> take_lock(const fs::path& path) {
  const fs::path name = path.string() + ".lock";
  os::UniqueFd lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kPrivate));
  if (!lock) return file_error("open", name, errno);
  const Deadline end = Clock::now() + kLockTime;
  std::chrono::milliseconds pause = kFirstPause;
  while (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return file_error("lock", name, errno);
    if (Clock::now() >= end) {
      return Error{.code = ErrorCode::StoreBusy,
                   .message = "others have held '" + name.string() + "' for 5 s",
                   .suggestion = "Look for a gdn process that hangs."};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
  return lock;
}

Result<void> write_text(const fs::path& path, std::string_view text) {
  const fs::path folder = path.parent_path();
  const os::UniqueFd parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) return file_error("open", folder, errno);
  os::TemporaryFile file(parent.get(), kPrivate);
  const bool written = file.ok() && os::write_all(file.fd(), text) && os::sync_to_disk(file.fd()) &&
                       file.replace(path.filename().string());
  if (!written) return file_error("write", path, errno);
  return {};
}

}  // namespace

Result<McpPins> read_mcp_pins(const fs::path& path) {
  const std::optional<std::string> text = GDN_TRY(read_text(path));
  if (!text) return McpPins{};
  return parse_mcp_pins(*text, path);
}

Result<void> change_mcp_pins(const fs::path& path, const std::function<bool(McpPins&)>& change) {
  const fs::path whole = fs::absolute(path);
  GDN_TRY(make_folder(whole.parent_path()));
  const os::UniqueFd lock = GDN_TRY(take_lock(whole));
  McpPins pins = GDN_TRY(read_mcp_pins(whole));
  if (!change(pins)) return {};
  const std::string text = mcp_pins_text(pins);
  if (text.size() > kMaxPinsBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the pinned MCP tools need more than " +
                            std::to_string(kMaxPinsBytes >> 20) + " MiB in '" + whole.string() +
                            "'",
                 .suggestion = "Name the tools that are needed with `tools` in the bundle."};
  }
  return write_text(whole, text);
}

}  // namespace goondan
