#include "builtin/workspaces.h"

#include <filesystem>
#include <fstream>

#include "os/rooted_files.h"

namespace goondan::builtin {
namespace {

namespace fs = std::filesystem;

class WorkspacesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "gdn-workspaces-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    fs::create_directory(folder_ / "work");
    fs::create_directory(folder_ / "outside");
    std::ofstream(folder_ / "outside" / "secret.txt") << "secret";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] Result<os::FileContent> read(const std::string& path) {
    const os::Workspace workspace = GDN_TRY(workspaces_.at((folder_ / "work").string()));
    const os::RootedPath rooted = GDN_TRY(workspace.resolve(path, os::Access::Read));
    return os::read_file(rooted, 100);
  }

  fs::path folder_;
  Workspaces workspaces_;
};

TEST_F(WorkspacesTest, DoNotFollowALinkThatTookTheWorkdirsPlace) {  // REQ: DEC-5
  std::ofstream(folder_ / "work" / "own.txt") << "own";
  ASSERT_TRUE(read("own.txt").ok());
  fs::rename(folder_ / "work", folder_ / "moved");
  fs::create_symlink(folder_ / "outside", folder_ / "work");
  EXPECT_FALSE(read("secret.txt").ok());
  EXPECT_EQ(read("own.txt").value().bytes, "own");
}

TEST_F(WorkspacesTest, FindAWorkdirThatWasMadeAnew) {
  ASSERT_FALSE(read("a.txt").ok());
  fs::remove_all(folder_ / "work");
  EXPECT_FALSE(read("a.txt").ok());
  fs::create_directory(folder_ / "work");
  std::ofstream(folder_ / "work" / "a.txt") << "a";
  EXPECT_EQ(read("a.txt").value().bytes, "a");
}

}  // namespace
}  // namespace goondan::builtin
