#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <vector>

#include <climits>

#include "os/open_beneath.h"

namespace goondan::os {
namespace {

// One resolution. Nothing in it follows a link in the kernel, so whatever is swapped meanwhile, it
// only ever stands in the start or in a folder that was opened from where it stood before.
class Walk {
 public:
  Walk(int start, std::string path, int flags, mode_t mode)
      : start_(start), rest_(std::move(path)), flags_(flags), mode_(mode) {}

  UniqueFd run() {
    if (rest_.starts_with('/')) return fail(EXDEV);
    if (rest_.empty()) return fail(ENOENT);
    while (!rest_.empty()) {
      const std::string part = take_part();
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        if (folders_.empty()) return fail(EXDEV);
        folders_.pop_back();
        continue;
      }
      std::optional<UniqueFd> end = step(part);
      if (end) return std::move(*end);
    }
    return open_here(".");
  }

 private:
  static UniqueFd fail(int number) {
    errno = number;
    return {};
  }

  [[nodiscard]] int here() const { return folders_.empty() ? start_ : folders_.back().get(); }

  // The part before the first slash, which goes too; slashes that follow stay and are empty parts.
  std::string take_part() {
    const std::size_t slash = rest_.find('/');
    std::string part = rest_.substr(0, slash);
    ended_in_slash_ = slash != std::string::npos;
    rest_.erase(0, ended_in_slash_ ? slash + 1 : rest_.size());
    return part;
  }

  [[nodiscard]] bool is_last() const { return rest_.find_first_not_of('/') == std::string::npos; }

  // Goes into `part`, or opens it if it is the last. Nothing: go on.
  std::optional<UniqueFd> step(const std::string& part) {
    UniqueFd seen(::openat(here(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    const bool last = is_last();
    if (!seen && !(last && errno == ENOENT && (flags_ & O_CREAT) != 0)) return UniqueFd();
    struct stat status {};
    if (seen && ::fstat(seen.get(), &status) != 0) return UniqueFd();
    const bool wants_link = last && (flags_ & O_NOFOLLOW) != 0 && !ended_in_slash_;
    if (seen && S_ISLNK(status.st_mode) && !wants_link) return enter_link(seen.get());
    if (last) return open_last(part);
    if (!S_ISDIR(status.st_mode)) return fail(ENOTDIR);
    if (folders_.size() >= kMaxWalkDepth) return fail(ENAMETOOLONG);
    folders_.push_back(std::move(seen));
    return std::nullopt;
  }

  // Puts the target in place of the link. Absolute ones would start outside.
  std::optional<UniqueFd> enter_link(int link) {
    if (++links_ > kMaxLinks) return fail(ELOOP);
    std::string target(PATH_MAX, '\0');
    const ssize_t length = ::readlinkat(link, "", target.data(), target.size());
    if (length < 0) return UniqueFd();
    target.resize(static_cast<std::size_t>(length));
    if (target.empty()) return fail(ENOENT);
    if (target.starts_with('/')) return fail(EXDEV);
    if (target.size() + rest_.size() >= kMaxRest) return fail(ENAMETOOLONG);
    rest_ = target + (ended_in_slash_ ? "/" : "") + rest_;
    return std::nullopt;
  }

  std::optional<UniqueFd> open_last(const std::string& part) {
    if (ended_in_slash_) {
      if ((flags_ & O_CREAT) != 0) return fail(EISDIR);
      flags_ |= O_DIRECTORY;
    }
    return open_here(part.c_str());
  }

  UniqueFd open_here(const char* name) {
    UniqueFd opened(::openat(here(), name, flags_ | O_NOFOLLOW, mode_));
    if (!opened || (flags_ & O_PATH) == 0 || (flags_ & O_NOFOLLOW) != 0) return opened;
    // O_PATH opens links themselves; this one took the place of what was there a moment ago.
    struct stat status {};
    if (::fstat(opened.get(), &status) == 0 && S_ISLNK(status.st_mode)) return fail(ELOOP);
    return opened;
  }

  static constexpr std::size_t kMaxRest = std::size_t{4} * PATH_MAX;

  int start_;
  std::vector<UniqueFd> folders_;  // from below the start down to where we are
  std::string rest_;
  int flags_;
  mode_t mode_;
  int links_ = 0;
  bool ended_in_slash_ = false;  // of the part taken last
};

}  // namespace

UniqueFd walk_beneath(int folder, const std::string& path, int flags, mode_t mode) {
  return Walk(folder, path, flags, mode).run();
}

}  // namespace goondan::os
