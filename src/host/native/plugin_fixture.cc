#include "host/native/plugin_fixture.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace goondan::test {

namespace fs = std::filesystem;

fs::path plugin_path(std::string_view name) {
  return fs::path(GDN_PLUGINS) / (std::string(name) + ".so");
}

fs::path worker_path() {
  return fs::path(GDN_PLUGINS) / "test_plugin_worker";
}

fs::path caller_path() {
  return fs::path(GDN_PLUGINS) / "test_plugin_caller";
}

WorkerOptions worker_options(std::string_view plugin) {
  return {.program = worker_path(), .plugin = plugin_path(plugin), .name = std::string(plugin)};
}

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

void RecordingHost::log(LogLevel level, std::string_view text) {
  add("log " + std::to_string(static_cast<int>(level)) + " " + std::string(text));
}

void RecordingHost::progress(const Progress& progress) {
  add("progress " + to_text(progress.done) + "/" + to_text(progress.total) + " " + progress.text);
}

Result<Json> RecordingHost::request(std::string_view method, const Json& params) {
  add("request " + std::string(method));
  if (params.as_object().contains("refuse")) {
    return Error{.code = ErrorCode::RuntimeUnavailable, .message = "no agents here"};
  }
  return JsonObject{{"asked", params}};
}

void RecordingHost::add(std::string text) {
  const std::scoped_lock lock(mutex_);
  said_.push_back(std::move(text));
  changed_.notify_all();
}

std::vector<std::string> RecordingHost::said() const {
  const std::scoped_lock lock(mutex_);
  return said_;
}

void RecordingHost::await_word() const {
  std::unique_lock lock(mutex_);
  ASSERT_TRUE(changed_.wait_until(lock, soon(), [this] { return !said_.empty(); }));
}

WorkerCall make_call(const CallParts& parts, ToolHost& host) {
  return {.export_name = parts.export_name,
          .input = parts.input,
          .context = parts.context,
          .deadline = parts.deadline,
          .stop = parts.stop,
          .host = host};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "gdn-test-XXXXXX").string();
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace goondan::test
