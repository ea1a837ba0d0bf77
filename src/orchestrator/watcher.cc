#include "orchestrator/watcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/inotify.h>

#include "os/os_error.h"

namespace goondan::orchestrator {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                   IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW;
constexpr std::size_t kReadBytes = 16 * 1024;

bool is_skipped(const fs::path& name) {
  return name == ".git" || name == "node_modules" || name == "dist";
}

Error too_many(const fs::path& folder, std::size_t watched) {
  return {.code = ErrorCode::Limit,
          .message = "'" + folder.string() + "' and perhaps others are not watched for changes: " +
                     std::to_string(watched) + " folders are already",
          .suggestion =
              "Keep the bundle in a folder of its own, or raise "
              "fs.inotify.max_user_watches."};
}

}  // namespace

Watcher::Watcher(Loop& loop, os::UniqueFd fd, fs::path besides, std::function<void()> changed)
    : loop_(loop), fd_(std::move(fd)), besides_(std::move(besides)), changed_(std::move(changed)) {}

Result<std::unique_ptr<Watcher>> Watcher::make(Loop& loop, const fs::path& folder,
                                               const fs::path& besides,
                                               std::function<void()> changed,
                                               std::size_t max_folders) {
  os::UniqueFd fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!fd) return os::os_error("cannot watch for changes", errno);
  std::error_code ignored;
  std::unique_ptr<Watcher> watcher(
      new Watcher(loop, std::move(fd), fs::weakly_canonical(besides, ignored), std::move(changed)));
  watcher->max_folders_ = max_folders;
  watcher->folder_ = fs::weakly_canonical(folder, ignored);
  if (!watcher->add(watcher->folder_)) {
    return os::os_error("cannot watch '" + folder.string() + "' for changes", errno);
  }
  watcher->add_below(watcher->folder_);
  watcher->watch_ = GDN_TRY(
      loop.watch(watcher->fd_.get(), EPOLLIN, [self = watcher.get()](auto) { self->on_ready(); }));
  return watcher;
}

bool Watcher::add(const fs::path& folder) {
  if (folder == besides_) return false;
  const bool full = folders_.size() >= max_folders_;
  const int number = full ? -1 : ::inotify_add_watch(fd_.get(), folder.c_str(), kChanges);
  if (number >= 0) {
    folders_[number] = folder;
  } else if (full || errno == ENOSPC) {
    problem_ = too_many(folder, folders_.size());
  }
  return number >= 0;
}

void Watcher::add_below(const fs::path& folder) {
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  for (const fs::recursive_directory_iterator end; !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (!at->is_directory(ignored) || at->is_symlink(ignored)) continue;
    if (is_skipped(at->path().filename()) || !add(at->path())) at.disable_recursion_pending();
  }
}

void Watcher::on_ready() {
  alignas(inotify_event) std::array<char, kReadBytes> bytes;
  bool changed = false;
  while (true) {
    const ssize_t got = ::read(fd_.get(), bytes.data(), bytes.size());
    if (got <= 0) break;
    changed |= take({bytes.data(), static_cast<std::size_t>(got)});
  }
  if (!changed) return;
  const Deadline now = Clock::now();
  if (!settle_.pending()) settled_at_latest_ = now + kLongestSettleTime;
  settle_ = loop_.at(std::min(now + kSettleTime, settled_at_latest_), [this] { changed_(); });
}

// Whether something changed that is not skipped.
bool Watcher::take(std::string_view events) {
  bool changed = false;
  while (events.size() >= sizeof(inotify_event)) {
    inotify_event event{};
    std::memcpy(&event, events.data(), sizeof event);
    // Padded with zeros; nothing at all for what concerns no file in a folder.
    const std::string_view padded = events.substr(sizeof event, event.len);
    const fs::path name = padded.substr(0, padded.find('\0'));
    events.remove_prefix(sizeof event + event.len);
    if ((event.mask & IN_IGNORED) != 0) {
      folders_.erase(event.wd);
      continue;
    }
    if ((event.mask & IN_Q_OVERFLOW) != 0) add_below(folder_);
    const auto folder = folders_.find(event.wd);
    if (is_skipped(name) || (folder != folders_.end() && folder->second / name == besides_)) {
      continue;
    }
    if ((event.mask & IN_ISDIR) != 0 && folder != folders_.end() && add(folder->second / name)) {
      add_below(folder->second / name);
    }
    changed = true;
  }
  return changed;
}

}  // namespace goondan::orchestrator
