#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "os/folder_stream.h"
#include "os/list_collector.h"
#include "os/path_error.h"
#include "os/rooted_files.h"

namespace goondan::os {
namespace {

// How many names are looked at before the clock is.
constexpr std::uint64_t kNamesPerLook = 256;

using Keep = ListOptions::Keep;
using Type = ListEntry::Type;

// One listing. Goes into each folder as it comes by, so that what waits is a descriptor a level.
// Every folder is opened from the one it was seen in, without following a link.
class Scan {
 public:
  explicit Scan(const ListOptions& options) : options_(options), collector_(options.max_entries) {}

  void folder(UniqueFd fd, std::size_t depth) {
    const int number = fd.get();
    const FolderStream stream = open_stream(std::move(fd));
    if (!stream) ++unreadable_;
    while (stream && !over()) {
      errno = 0;
      const dirent* entry = ::readdir(stream.get());
      if (entry == nullptr) {
        if (errno != 0) ++unreadable_;
        return;
      }
      look_at(number, *entry, depth);
    }
  }

  Listing take() {
    Listing listing{.entries = collector_.take(),
                    .total = collector_.total(),
                    .truncated = cut_,
                    .unreadable = unreadable_};
    listing.truncated = listing.truncated || listing.entries.size() < listing.total;
    return listing;
  }

 private:
  // Whether the time is up, somebody wants it to end, or it goes on for too long.
  bool over() {
    if (over_) return true;
    const bool look = ++names_ % kNamesPerLook == 0;
    over_ = names_ > std::max<std::uint64_t>(kMaxListScan, options_.max_entries) ||
            (look && (options_.stop.stop_requested() || Clock::now() >= options_.deadline));
    cut_ = cut_ || over_;
    return over_;
  }

  void look_at(int folder, const dirent& entry, std::size_t depth) {
    const std::string_view name(entry.d_name);
    if (name == "." || name == "..") return;
    const std::size_t before = path_.size();
    path_ += name;
    const unsigned char type = type_of(folder, entry);
    if (type == DT_REG) add_file(folder, entry.d_name);
    if (type == DT_DIR) add_folder(folder, entry.d_name, depth);
    path_.resize(before);
  }

  // Some file systems do not say what a name is.
  static unsigned char type_of(int folder, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat status {};
    if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return static_cast<unsigned char>(IFTODT(status.st_mode));
  }

  void add_file(int folder, const char* name) {
    if (options_.keep == Keep::FoldersOnly || !collector_.count(path_)) return;
    struct stat status {};
    const bool there = ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    collector_.add(path_, Type::File, there ? static_cast<std::uint64_t>(status.st_size) : 0);
  }

  void add_folder(int folder_fd, const char* name, std::size_t depth) {
    if (options_.keep != Keep::FilesOnly && collector_.count(path_))
      collector_.add(path_, Type::Folder, 0);
    if (options_.depth == ListOptions::Depth::OneLevel) return;
    if (depth + 1 >= kMaxListDepth) {
      cut_ = true;
      return;
    }
    UniqueFd inner(::openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!inner) {
      // Gone or something else by now is fine; not to be opened means that something is left out.
      if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) ++unreadable_;
      return;
    }
    path_ += '/';
    folder(std::move(inner), depth + 1);
  }

  const ListOptions& options_;
  ListCollector collector_;
  std::string path_;  // of the folder being read, with a slash at its end; empty at the top
  std::uint64_t names_ = 0;
  bool over_ = false;
  bool cut_ = false;  // by a limit
  std::uint64_t unreadable_ = 0;
};

}  // namespace

Result<Listing> list_folder(const RootedPath& path, const ListOptions& options) {
  UniqueFd folder = path.root->open_beneath(path.relative, O_RDONLY | O_DIRECTORY);
  if (!folder) return path_error("list", path, errno);
  if (options.keep == Keep::Nothing) return Listing{};
  Scan scan(options);
  scan.folder(std::move(folder), 0);
  return scan.take();
}

}  // namespace goondan::os
