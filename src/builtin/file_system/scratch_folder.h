// A folder of its own for a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace goondan::builtin::file_system {

class ScratchFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "files_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = std::filesystem::canonical(name);
  }

  void TearDown() override { std::filesystem::remove_all(folder); }

  void put(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    std::ifstream in(folder / name, std::ios::binary);
    return in ? std::string(std::istreambuf_iterator<char>(in), {}) : "(none)";
  }

  [[nodiscard]] std::string at(const std::string& name) const { return folder / name; }

  std::filesystem::path folder;
};

}  // namespace goondan::builtin::file_system
