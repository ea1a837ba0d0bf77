// What the tests of the store share: a folder of their own, names and records.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "oauth/store/file_calls.h"
#include "oauth/store/store.h"

namespace goondan::oauth {

namespace fs = std::filesystem;

// No text that is stored may be found on disk.
inline constexpr std::string_view kCanary = "canary-9f3b7c51e2";

// Without waiting for the disk, which no test can cut the power of.
class UnsyncedCalls : public FileCalls {
 public:
  int sync(int) override { return 0; }
};

inline RecordName grant(std::string key = "slack:team:T111") {
  return {.kind = RecordKind::Grant, .app = "slack-bot", .key = std::move(key)};
}

inline RecordName session(std::string key = "as-1") {
  return {.kind = RecordKind::Session, .app = "", .key = std::move(key)};
}

inline Secret text_of(std::string_view what) {
  return Secret(std::string(kCanary) + " " + std::string(what));
}

inline std::string file_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void set_bytes(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

// The code of a failure; `Internal` with a failed test if it is none.
template <class T>
ErrorCode failure_code(const Result<T>& result) {
  if (!result.ok()) return result.error().code;
  ADD_FAILURE() << "it succeeded";
  return ErrorCode::Internal;
}

class OAuthStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "oauth_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = fs::canonical(name);
    folder = root / "oauth";
  }
  void TearDown() override { fs::remove_all(root); }

  Result<std::unique_ptr<Store>> try_open(
      std::shared_ptr<FileCalls> files = std::make_shared<UnsyncedCalls>()) {
    return Store::open(folder, {.file = folder / "key"},
                       {.log = [this](LogLevel, std::string_view line) { add_line(line); },
                        .files = std::move(files)});
  }
  std::unique_ptr<Store> open(
      std::shared_ptr<FileCalls> files = std::make_shared<UnsyncedCalls>()) {
    return std::move(try_open(std::move(files))).value();
  }

  // What is stored, without the canary; `(none)` if there is nothing.
  static std::string read(const Store& store, const RecordName& name) {
    const auto record = store.get(name);
    if (!record.ok()) return "(" + std::string(record.error().code_text()) + ")";
    if (!record->has_value()) return "(none)";
    return std::string((*record)->json.reveal().substr(kCanary.size() + 1));
  }

  // Whatever is there is replaced.
  static std::uint64_t write(Store& store, const RecordName& name, std::string_view what) {
    const auto old = store.get(name).value();
    return store.put(name, text_of(what), old ? old->generation : 0).value();
  }

  // The files of records, without those that are moved aside.
  [[nodiscard]] std::vector<fs::path> record_files() const {
    std::vector<fs::path> files;
    for (const fs::path& file : files_below(folder))
      if (file.parent_path().filename().string().starts_with("records-")) files.push_back(file);
    return files;
  }

  [[nodiscard]] bool finds_canary() const {
    for (const fs::path& file : files_below(folder))
      if (file_bytes(file).find(kCanary) != std::string::npos) return true;
    return false;
  }

  std::vector<std::string> log_lines() {
    const std::lock_guard lock(mutex);
    return lines;
  }

  fs::path root;
  fs::path folder;

 private:
  void add_line(std::string_view line) {
    const std::lock_guard lock(mutex);
    lines.emplace_back(line);
  }

  std::mutex mutex;
  std::vector<std::string> lines;
};

}  // namespace goondan::oauth
