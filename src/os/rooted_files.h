// What tools do with files: read, write, list, make folders. Every path is a `RootedPath`.
//
// Errors: `E_NOT_FOUND`, `E_PATH_OUTSIDE_WORKSPACE` (a link led out), `E_IO` with the path and the
// reason. Blocking; none waits for another process (FIFOs and devices are refused, not opened).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/workspace.h"

namespace goondan::os {

struct FileContent {
  std::string bytes;
  std::uint64_t size = 0;  // of the whole file
  bool truncated = false;  // there is more than `bytes`
};

// More than this is never read at once.
inline constexpr std::size_t kMaxReadBytes = std::size_t{1} << 30;

// Reads at most `max_bytes` from the start of a regular file, and one more from the disk to know
// whether there is more.
Result<FileContent> read_file(const RootedPath& path, std::size_t max_bytes);

enum class WriteMode { Replace, Append };

// Makes missing parent folders. `Replace` is atomic: readers see the old file or the new one, also
// after a crash; the mode of the old file is kept, without setuid and setgid. A link is written
// through as long as it stays beneath; what is not a regular file is not replaced. `Append` is
// undone if it fails halfway, and refused for a file with several names. Returns the size
// afterwards.
Result<std::uint64_t> write_file(const RootedPath& path, std::string_view bytes, WriteMode mode);

enum class Parents { MustExist, Make };

// `Make`: an existing folder is fine.
Result<void> make_folder(const RootedPath& path, Parents parents);

// A folder, opened for use as a child's working folder or for listing.
Result<UniqueFd> open_folder(const RootedPath& path);

// Whether `path` is a regular file that can be read; the error says what else it is.
Result<void> check_readable_file(const RootedPath& path);

inline constexpr std::size_t kMaxListEntries = 10'000;
inline constexpr std::size_t kMaxListDepth = 64;
// How many names are looked at for one listing, unless more are to be kept.
inline constexpr std::uint64_t kMaxListScan = 1'000'000;

struct ListOptions {
  enum class Depth { OneLevel, All } depth = Depth::OneLevel;
  enum class Keep { All, FilesOnly, FoldersOnly, Nothing } keep = Keep::All;
  std::size_t max_entries = kMaxListEntries;
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
};

struct ListEntry {
  enum class Type { File, Folder };

  std::string path;  // below the listed folder, valid UTF-8
  Type type = Type::File;
  std::uint64_t size = 0;  // files only
};

struct Listing {
  std::vector<ListEntry> entries;  // sorted by path, see `collation.h`
  std::uint64_t total = 0;         // how many there are, at least
  bool truncated = false;          // an entry limit, the depth or the time ended it early
  std::uint64_t unreadable = 0;    // folders that could not be looked into, or not to the end
};

// Links and special files are left out. Which entries are kept of too many is the sorted beginning.
// Ends early, with what there is, at the deadline and on a stop.
Result<Listing> list_folder(const RootedPath& path, const ListOptions& options);

}  // namespace goondan::os
