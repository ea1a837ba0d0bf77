// What the tests of this room share: the plugins of `tests/plugins`, and a host that remembers.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/tool_context.h>

#include "host/native/worker_pool.h"

namespace goondan::test {

std::filesystem::path plugin_path(std::string_view name);
std::filesystem::path worker_path();
std::filesystem::path caller_path();

WorkerOptions worker_options(std::string_view plugin);

// Long enough for anything that works, also on a busy machine.
Deadline soon();

// Remembers what a handler says; thread-safe.
class RecordingHost final : public ToolHost {
 public:
  void log(LogLevel level, std::string_view text) override;
  void progress(const Progress& progress) override;
  Result<Json> request(std::string_view method, const Json& params) override;

  // Everything so far, e.g. "log 2 beginning".
  [[nodiscard]] std::vector<std::string> said() const;
  // Waits until the handler has said something.
  void await_word() const;

 private:
  void add(std::string text);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<std::string> said_;
};

// One call with a deadline far away unless told otherwise.
struct CallParts {
  std::string_view export_name;
  std::string_view input = "{}";
  std::string_view context = "{}";
  Deadline deadline = soon();
  std::stop_token stop = {};
};
WorkerCall make_call(const CallParts& parts, ToolHost& host);

// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace goondan::test
