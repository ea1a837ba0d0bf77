// What has happened, kept in `events.jsonl` of the workspace: one observation a line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "os/unique_fd.h"

namespace goondan::orchestrator {

// A larger file becomes `events.jsonl.1`, in place of the one before it.
inline constexpr std::int64_t kMaxLogBytes = 10'000'000;

// Confined to one thread. Nothing here fails: what cannot be written is lost, and half a line is
// taken back.
class EventLog {
 public:
  explicit EventLog(std::filesystem::path workspace_folder, std::int64_t max_bytes = kMaxLogBytes);

  // Whole lines, each with its end.
  void append(std::string_view lines);

 private:
  void open();
  void rotate();

  std::filesystem::path file_;
  std::int64_t max_bytes_;
  os::UniqueFd fd_;
  std::int64_t size_ = 0;
};

}  // namespace goondan::orchestrator
