// What the tests of stores share: a scratch folder, and children that may die.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <goondan/result.h>
#include <goondan/tool_context.h>

namespace goondan::store {

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (place() / "store_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = std::filesystem::canonical(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] virtual std::filesystem::path place() const {
    return std::filesystem::temp_directory_path();
  }

  std::filesystem::path folder;
};

inline Deadline soon() {
  return Clock::now() + std::chrono::seconds(20);
}

// The code of a failure; `Internal` with a failed test if it is none.
template <class T>
ErrorCode code_of(const Result<T>& result) {
  if (!result.ok()) return result.error().code;
  ADD_FAILURE() << "it succeeded";
  return ErrorCode::Internal;
}

#define EXPECT_OK(...)                                                        \
  do {                                                                        \
    const auto store_test_result = (__VA_ARGS__);                             \
    EXPECT_TRUE(store_test_result.ok()) << store_test_result.error().message; \
  } while (false)

// Runs `work` in a child and says how that ended, as `waitpid` does. A child that hangs is ended.
inline int in_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(work() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

inline unsigned mode_of(const std::filesystem::path& path) {
  return static_cast<unsigned>(std::filesystem::status(path).permissions());
}

}  // namespace goondan::store
