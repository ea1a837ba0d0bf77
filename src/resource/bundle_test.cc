#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <goondan/bundle.h>

#include "resource/limits.h"
#include "resource/test_bundle.h"
#include "resource/test_folder.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kModel =
    "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\nspec: {provider: x, model: y}\n";

std::string model(const std::string& name) {
  return "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: " + name +
         "}\nspec: {provider: x, model: y}\n";
}

std::vector<std::string> model_files(const Bundle& bundle) {
  std::vector<std::string> files;
  for (const ModelResource& resource : bundle.models())
    files.push_back(resource.meta.position.file);
  return files;
}

// REQ: RES-1
TEST(Bundle, ReadsTheFilesThatHoldResourcesInOrder) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", model("a"));
  folder.write("zoo/model.yml", model("b"));
  folder.write("agents/models.yaml", model("c"));
  folder.write("agents/deep/er/resources.yaml", model("d"));
  for (const std::string_view ignored :
       {"notes.yaml", "model.json", "model.yaml.bak", "node_modules/model.yaml",
        "zoo/Dist/model.yaml", ".git/model.yaml", ".goondan/model.yaml", "BUILD/model.yaml"}) {
    folder.write(ignored, "not: [yaml");
  }
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_THAT(model_files(*bundle), ElementsAre("goondan.yaml", "agents/deep/er/resources.yaml",
                                                "agents/models.yaml", "zoo/model.yml"));
  EXPECT_EQ(bundle->root(), folder.path());
}

TEST(Bundle, CanBeNamedByItsMainFile) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", kModel);
  const Result<Bundle> bundle = Bundle::load(folder.path() / "goondan.yaml");
  ASSERT_TRUE(bundle.ok());
  EXPECT_EQ(bundle->root(), folder.path());
}

TEST(Bundle, IsCheapToCopy) {
  const BundleReport report = test::check_yaml(std::string(kModel));
  const Bundle copy = *report.bundle;
  EXPECT_EQ(&copy.models(), &report.bundle->models());
}

TEST(Bundle, LoadsNothingWithAnError) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", std::string(kModel) + "---\nkind: Tool\n");
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::ConfigUnsupportedApiVersion);
  EXPECT_THAT(
      bundle.error().message,
      HasSubstr("goondan.yaml:6:1: E_CONFIG_UNSUPPORTED_API_VERSION `apiVersion` is missing\n"
                "goondan.yaml:6:1: E_CONFIG_SCHEMA_INVALID `metadata` is missing"));
}

TEST(Bundle, NamesTenErrorsAndCountsTheOthers) {
  const test::TestFolder folder;
  std::string text;
  for (int i = 0; i < 15; ++i)
    text += "---\na: 1\n";
  folder.write("goondan.yaml", text);
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(std::ranges::count(bundle.error().message, '\n'), 10);
  EXPECT_THAT(bundle.error().message, testing::EndsWith("\n5 more"));
}

TEST(Bundle, NamesThePathThatDoesNotExist) {
  const Result<Bundle> bundle = Bundle::load("/no/such/bundle");
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::ConfigFileNotFound);
  EXPECT_THAT(bundle.error().message, HasSubstr("/no/such/bundle"));
}

TEST(Bundle, FollowsLinksInsideItAndNoneToFolders) {
  const test::TestFolder folder;
  folder.write("real/main.txt", kModel);
  fs::create_symlink("real/main.txt", folder.path() / "goondan.yaml");
  fs::create_directory_symlink("..", folder.path() / "real" / "loop");
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  EXPECT_EQ(bundle->models().size(), 1);
}

TEST(Bundle, SearchesFoldersToABoundedDepth) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", kModel);
  fs::path deep;
  for (std::size_t i = 0; i <= kMaxFolderDepth; ++i)
    deep /= "d";
  folder.write(deep / "model.yaml", model("deep"));
  const BundleReport report = Bundle::check(folder.path());
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.bundle->models().size(), 1);
  EXPECT_EQ(report.diagnostics.front().code, ErrorCode::Limit);
}

TEST(Bundle, RefusesTooManyFiles) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", kModel);
  for (std::size_t i = 0; i <= kMaxFiles / 8; ++i) {
    for (const std::string_view base : {"model", "models", "agent", "agents"}) {
      const std::string path = "d" + std::to_string(i) + "/" + std::string(base);
      folder.write(path + ".yaml", "");
      folder.write(path + ".yml", "");
    }
  }
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::Limit);
}

TEST(Bundle, RefusesTooManyBytesTogether) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", kModel);
  const std::string comments(kMaxFileBytes, '#');
  for (std::size_t i = 0; i <= kMaxBundleBytes / kMaxFileBytes; ++i)
    folder.write("d" + std::to_string(i) + "/model.yaml", comments);
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::ConfigFileTooLarge);
}

// Runs `work` as a user without rights, in a process of its own; its exit status, or -1.
int as_nobody(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    const bool changed = ::getuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
    ::_exit(changed ? work() : 99);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

int first_code(const fs::path& path) {
  const BundleReport report = Bundle::check(path);
  return report.diagnostics.empty() ? 0 : static_cast<int>(report.diagnostics.front().code);
}

TEST(Bundle, SaysWhenItMayNotBeRead) {
  const test::TestFolder folder;
  folder.write("file/goondan.yaml", kModel);
  folder.write("folder/goondan.yaml", kModel);
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder.path() / "file" / "goondan.yaml", fs::perms::none);
  fs::permissions(folder.path() / "folder", fs::perms::none);
  const int unreadable = static_cast<int>(ErrorCode::ConfigFileUnreadable);
  EXPECT_EQ(as_nobody([&] { return first_code(folder.path() / "file"); }), unreadable);
  EXPECT_EQ(as_nobody([&] { return first_code(folder.path() / "folder"); }), unreadable);
  EXPECT_EQ(as_nobody([&] { return first_code(folder.path() / "folder" / "goondan.yaml"); }),
            unreadable);
  fs::permissions(folder.path() / "folder", fs::perms::all);
}

TEST(Bundle, ToleratesNamesThatAreNotUtf8) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", kModel);
  folder.write("caf\xe9/model.yaml", "kind: [");
  const BundleReport report = Bundle::check(folder.path());
  ASSERT_EQ(report.diagnostics.size(), 1);
  EXPECT_EQ(report.diagnostics.front().position.file, "caf\xEF\xBF\xBD/model.yaml");
}

}  // namespace
}  // namespace goondan
