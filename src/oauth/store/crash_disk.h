// A disk as a power cut leaves it, for tests: calls are recorded, and states made of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oauth/store/file_calls.h"

namespace goondan::oauth {

// What one call changed. `at` and `other` are paths; names lead to files by number.
struct DiskStep {
  enum class Kind { Make, MakeFolder, Write, SyncFile, SyncFolder, Rename, Swap, Unlink };
  Kind kind = Kind::Make;
  std::string at = {};
  std::string other = {};
  int file = 0;
  std::string bytes = {};
};

// Makes the calls of the system and records those that change something. For one thread.
class RecordingCalls : public FileCalls {
 public:
  int open_at(int folder, const char* name, int flags, mode_t mode) override;
  ssize_t write(int file, const char* bytes, std::size_t size) override;
  int sync(int file) override;
  int close(int file) override;
  int rename_at(int from_folder, const char* from, int to_folder, const char* to,
                unsigned flags) override;
  int unlink_at(int folder, const char* name, int flags) override;
  int make_folder_at(int folder, const char* name, mode_t mode) override;

  std::vector<DiskStep> steps;

 private:
  struct Opened {
    std::string path;
    int file = 0;  // 0: a folder, or a file that was not made here
  };
  [[nodiscard]] std::string path_of(int folder, const char* name) const;

  std::map<int, Opened> opened_;
  int files_ = 0;
};

// What becomes of bytes that were written and not synced.
enum class Unsynced { Lost, Half, Kept };

// All files of one state: path to content; a folder has none.
using DiskState = std::map<std::string, std::optional<std::string>>;

// The states that a power cut after `count` steps may leave: of the names that are not
// yet synced, any may be there or not.
std::set<DiskState> states_after(const std::vector<DiskStep>& steps, std::size_t count);

}  // namespace goondan::oauth
