// Notices changes in the folder of a bundle.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <goondan/result.h>

#include "orchestrator/loop.h"
#include "os/unique_fd.h"

namespace goondan::orchestrator {

// Editors write a file in several steps; one change is told for all of them.
inline constexpr std::chrono::milliseconds kSettleTime{150};
// Where something changes all the time, that is told this often.
inline constexpr std::chrono::milliseconds kLongestSettleTime{2'000};
inline constexpr std::size_t kMaxWatchedFolders = 4096;

// Confined to the loop. Looks into all folders but `.git`, `node_modules`, `dist` and `besides`;
// follows no links.
class Watcher {
 public:
  static Result<std::unique_ptr<Watcher>> make(Loop& loop, const std::filesystem::path& folder,
                                               const std::filesystem::path& besides,
                                               std::function<void()> changed,
                                               std::size_t max_folders = kMaxWatchedFolders);

  // Why some folders are not looked into.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  Watcher(Loop& loop, os::UniqueFd fd, std::filesystem::path besides,
          std::function<void()> changed);
  bool add(const std::filesystem::path& folder);
  void add_below(const std::filesystem::path& folder);
  void on_ready();
  bool take(std::string_view events);

  Loop& loop_;
  os::UniqueFd fd_;
  std::filesystem::path folder_;
  std::filesystem::path besides_;
  std::function<void()> changed_;
  std::map<int, std::filesystem::path> folders_;  // by the number of the kernel
  std::size_t max_folders_ = 0;
  std::optional<Error> problem_;
  Loop::Watch watch_;
  Loop::Timer settle_;
  Deadline settled_at_latest_ = {};
};

}  // namespace goondan::orchestrator
