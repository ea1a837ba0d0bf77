#include "orchestrator/event_log.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "os/file_bytes.h"

namespace goondan::orchestrator {

EventLog::EventLog(std::filesystem::path workspace_folder, std::int64_t max_bytes)
    : file_(std::move(workspace_folder) / "events.jsonl"), max_bytes_(max_bytes) {
  open();
}

void EventLog::open() {
  fd_.reset(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  struct stat status {};
  size_ = fd_ && ::fstat(fd_.get(), &status) == 0 ? status.st_size : 0;
}

void EventLog::append(std::string_view lines) {
  if (lines.empty()) return;
  const auto bytes = static_cast<std::int64_t>(lines.size());
  if (size_ > 0 && size_ + bytes > max_bytes_) rotate();
  if (!fd_) open();
  if (!fd_) return;
  if (os::write_all(fd_.get(), lines)) {
    size_ += bytes;
  } else if (::ftruncate(fd_.get(), size_) != 0) {
    fd_.reset();  // a new try with the next lines
  }
}

void EventLog::rotate() {
  fd_.reset();
  ::rename(file_.c_str(), (file_.string() + ".1").c_str());
  open();
}

}  // namespace goondan::orchestrator
