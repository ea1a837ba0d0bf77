#include "cli/log_reader.h"

#include <array>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "os/os_error.h"

namespace goondan::cli {
namespace {

constexpr const char* kLog = "events.jsonl";
constexpr const char* kOldLog = "events.jsonl.1";
constexpr std::size_t kChunk = std::size_t{64} << 10;

os::UniqueFd open_file(const std::filesystem::path& file) {
  return os::UniqueFd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

// Moves the complete lines of `text` into `lines`.
void split(std::string& text, std::vector<std::string>& lines) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  text.erase(0, begin);
}

}  // namespace

LogReader::LogReader(const std::filesystem::path& workspace_folder)
    : folder_(workspace_folder), changes_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (changes_) {
    ::inotify_add_watch(changes_.get(), folder_.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO);
  }
}

void LogReader::take(std::vector<std::string>& lines) {
  std::array<char, kChunk> chunk;
  std::size_t taken = 0;
  while (taken < kMaxLogBytes) {
    const ssize_t got = ::read(file_.get(), chunk.data(), chunk.size());
    if (got <= 0) break;
    taken += static_cast<std::size_t>(got);
    rest_.append(chunk.data(), static_cast<std::size_t>(got));
    split(rest_, lines);
  }
}

bool LogReader::replaced() const {
  struct stat ours {};
  struct stat named {};
  if (::fstat(file_.get(), &ours) != 0) return false;
  if (::stat((folder_ / kLog).c_str(), &named) != 0) return false;
  return ours.st_ino != named.st_ino;
}

Result<std::vector<std::string>> LogReader::read_all() {
  std::vector<std::string> lines;
  file_ = open_file(folder_ / kOldLog);
  if (file_) take(lines);
  rest_.clear();
  file_ = open_file(folder_ / kLog);
  if (!file_ && lines.empty()) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "there is no log in '" + folder_.string() + "'",
                 .suggestion = "`gdn run` writes one."};
  }
  if (file_) take(lines);
  return lines;
}

Result<std::vector<std::string>> LogReader::read_more() {
  std::array<char, kChunk> events;
  while (::read(changes_.get(), events.data(), events.size()) > 0) {
  }
  std::vector<std::string> lines;
  take(lines);
  if (replaced()) {
    rest_.clear();
    file_ = open_file(folder_ / kLog);
    if (!file_) return os::os_error("cannot read the log", errno);
    take(lines);
  }
  return lines;
}

os::Wake LogReader::wait(Deadline deadline, const os::StopWaker& stop) {
  return os::wait_readable(changes_.get(), deadline, stop);
}

}  // namespace goondan::cli
