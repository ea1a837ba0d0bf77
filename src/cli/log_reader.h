// Reads the events that an orchestrator has logged, whole lines only, and waits for more.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "os/unique_fd.h"
#include "os/wait.h"

namespace goondan::cli {

// The most that is read of a file of the log: more than one of them ever holds.
inline constexpr std::size_t kMaxLogBytes = std::size_t{32} << 20;

// Thread-compatible. Follows the file by its name: when it is put aside and a new one begun, the
// rest of the old one comes first.
class LogReader {
 public:
  explicit LogReader(const std::filesystem::path& workspace_folder);

  // Everything there is, the older file first. `E_NOT_FOUND` if there is no log.
  Result<std::vector<std::string>> read_all();
  // What has been added since; may be empty.
  Result<std::vector<std::string>> read_more();
  // Waits until something may have been added.
  os::Wake wait(Deadline deadline, const os::StopWaker& stop);

 private:
  void take(std::vector<std::string>& lines);
  bool replaced() const;

  std::filesystem::path folder_;
  os::UniqueFd file_;
  os::UniqueFd changes_;
  std::string rest_;  // a line whose end has not come
};

}  // namespace goondan::cli
