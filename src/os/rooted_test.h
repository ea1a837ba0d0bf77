// A scratch folder and a workspace in it, for the tests of files; each test runs with both ways of
// resolving paths.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "os/rooted_files.h"
#include "os/workspace.h"

namespace goondan::os {

// `folder/work` is the workdir; whatever else is in `folder` is outside.
class RootedTest : public testing::TestWithParam<Resolution> {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "rooted_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = std::filesystem::canonical(name);
    work = folder / "work";
    std::filesystem::create_directory(work);
    put("secret.txt", "secret", folder);
    reopen();
  }

  void TearDown() override { std::filesystem::remove_all(folder); }

  // The workspace with these further folders.
  void reopen(std::vector<FolderGrant> grants = {}, std::vector<std::string> guarded = {}) {
    workspace.emplace(Workspace::open({.workdir = work,
                                       .grants = std::move(grants),
                                       .guarded = std::move(guarded),
                                       .resolution = GetParam()})
                          .value());
  }

  void put(const std::string& name, std::string_view text) const { put(name, text, work); }

  static void put(const std::string& name, std::string_view text,
                  const std::filesystem::path& where) {
    std::filesystem::create_directories((where / name).parent_path());
    std::ofstream(where / name, std::ios::binary) << text;
  }

  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, work / name);
  }

  // The bytes of a file, read past the code under test; "(none)" if there is no file.
  [[nodiscard]] std::string bytes_of(const std::filesystem::path& name) const {
    std::ifstream in(work / name, std::ios::binary);
    if (!in) return "(none)";
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // The names in a folder.
  static std::vector<std::string> names_in(const std::filesystem::path& where) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(where))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] Result<RootedPath> resolve(std::string_view path, Access need) const {
    return workspace->resolve(path, need);
  }

  [[nodiscard]] Result<FileContent> read(std::string_view path, std::size_t max = 1000) const {
    const RootedPath rooted = GDN_TRY(resolve(path, Access::Read));
    return read_file(rooted, max);
  }

  [[nodiscard]] Result<std::uint64_t> write(std::string_view path, std::string_view bytes,
                                            WriteMode mode = WriteMode::Replace) const {
    const RootedPath rooted = GDN_TRY(resolve(path, Access::ReadWrite));
    return write_file(rooted, bytes, mode);
  }

  [[nodiscard]] Result<void> make(std::string_view path, Parents parents = Parents::Make) const {
    const RootedPath rooted = GDN_TRY(resolve(path, Access::ReadWrite));
    return make_folder(rooted, parents);
  }

  [[nodiscard]] Result<Listing> list(std::string_view path, const ListOptions& options = {}) const {
    const RootedPath rooted = GDN_TRY(resolve(path, Access::Read));
    return list_folder(rooted, options);
  }

  // The code of a failure; `Internal` if there was none.
  template <class T>
  static std::string_view code(const Result<T>& result) {
    return result.ok() ? "ok" : result.error().code_text();
  }

  std::filesystem::path folder;
  std::filesystem::path work;
  std::optional<Workspace> workspace;
};

inline std::string way_name(const testing::TestParamInfo<Resolution>& info) {
  return info.param == Resolution::Kernel ? "Kernel" : "Walk";
}

#define GDN_BOTH_WAYS(suite)                                                                   \
  INSTANTIATE_TEST_SUITE_P(Both, suite, testing::Values(Resolution::Kernel, Resolution::Walk), \
                           way_name)

}  // namespace goondan::os
