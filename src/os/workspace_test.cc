// Which paths belong to a workspace, and what may be done there.
#include "os/rooted_test.h"

namespace goondan::os {
namespace {

using WorkspaceTest = RootedTest;
GDN_BOTH_WAYS(WorkspaceTest);

// REQ: DEC-5
TEST_P(WorkspaceTest, RefusesPathsOutsideByNameAndSaysWhatToAdd) {
  const std::vector<std::string> outside = {"..",
                                            "../secret.txt",
                                            "a/../../secret.txt",
                                            "/etc/passwd",
                                            "/",
                                            (folder / "secret.txt").string(),
                                            (work.string() + "-evil/x"),
                                            "/proc/self/root/etc/passwd",
                                            "/proc/self/fd/0"};
  for (const std::string& path : outside) {
    for (const Access need : {Access::Read, Access::ReadWrite}) {
      const Result<RootedPath> resolved = resolve(path, need);
      ASSERT_EQ(code(resolved), "E_PATH_OUTSIDE_WORKSPACE") << path;
      EXPECT_NE(resolved.error().message.find("'" + path + "'"), std::string::npos) << path;
    }
  }
  EXPECT_EQ(resolve("/etc/passwd", Access::Read).error().suggestion,
            "Use a path inside '" + work.string() +
                "'. If this one is meant, the operator can allow it: --allow-root /etc on the "
                "command line, or { path: /etc } in policy.files.roots of the bundle.");
  EXPECT_NE(resolve("/etc/x", Access::ReadWrite).error().suggestion.find("--allow-root /etc:rw"),
            std::string::npos);
}

TEST_P(WorkspaceTest, QuotesInTheLineToAddWhatAShellWouldTakeApart) {
  const std::string suggestion = resolve("/x; rm -rf 'y'/a", Access::ReadWrite).error().suggestion;
  EXPECT_NE(suggestion.find("--allow-root '/x; rm -rf '\\''y'\\'':rw' on"), std::string::npos)
      << suggestion;
  EXPECT_NE(suggestion.find("{ path: \"/x; rm -rf 'y'\", access: readWrite }"), std::string::npos)
      << suggestion;
}

TEST_P(WorkspaceTest, RefusesTextThatIsNoPath) {
  EXPECT_EQ(code(resolve("", Access::Read)), "E_PATH_INVALID");
  EXPECT_EQ(code(resolve(std::string_view("a\0b", 3), Access::Read)), "E_PATH_INVALID");
  EXPECT_EQ(code(resolve(std::string(4097, 'a'), Access::Read)), "E_PATH_INVALID");
  EXPECT_EQ(code(read(std::string(256, 'a'))), "E_PATH_INVALID");
  EXPECT_EQ(code(write(std::string(256, 'a'), "x")), "E_PATH_INVALID");
  EXPECT_EQ(code(read(std::string(255, 'a'))), "E_NOT_FOUND");
}

TEST_P(WorkspaceTest, ShowsTheAbsolutePathWithoutDots) {
  const RootedPath path = resolve("x/../a.txt", Access::Read).value();
  EXPECT_EQ(path.absolute, (work / "a.txt").string());
  EXPECT_EQ(path.relative, "a.txt");
  EXPECT_EQ(resolve(".", Access::Read)->relative, ".");
  EXPECT_EQ(resolve(work.string() + "/", Access::Read)->absolute, work.string());
}

TEST_P(WorkspaceTest, TakesTheMostSpecificRoot) {
  std::filesystem::create_directories(folder / "lib/open");
  reopen({{.path = folder / "lib"}, {.path = folder / "lib/open", .access = Access::ReadWrite}});
  EXPECT_TRUE(resolve((folder / "lib/a").string(), Access::Read).ok());
  EXPECT_EQ(code(resolve((folder / "lib/a").string(), Access::ReadWrite)), "E_PATH_READ_ONLY");
  EXPECT_TRUE(resolve((folder / "lib/open/a").string(), Access::ReadWrite).ok());
  EXPECT_EQ(code(resolve((folder / "library").string(), Access::Read)), "E_PATH_OUTSIDE_WORKSPACE");
}

TEST_P(WorkspaceTest, ReachesARootThroughDotsFromTheWorkdir) {
  put("lib/a.txt", "library", folder);
  reopen({{.path = folder / "lib"}});
  EXPECT_EQ(read("../lib/a.txt")->bytes, "library");
}

TEST_P(WorkspaceTest, KeepsAReadOnlyRootInsideTheWorkdirReadOnly) {
  put("ro/a.txt", "old");
  reopen({{.path = work / "ro"}});
  EXPECT_EQ(read("ro/a.txt")->bytes, "old");
  EXPECT_EQ(code(write("ro/a.txt", "new")), "E_PATH_READ_ONLY");
  EXPECT_TRUE(write("other.txt", "new").ok());
}

TEST_P(WorkspaceTest, LetsNoLinkLeadIntoAFolderThatIsOnlyToBeRead) {
  put("ro/deep/a.txt", "old");
  link("door", "ro");
  link("file", "ro/deep/a.txt");
  link("fresh", "ro/new.txt");
  reopen({{.path = work / "ro"}});
  EXPECT_EQ(read("door/deep/a.txt")->bytes, "old");
  for (const WriteMode mode : {WriteMode::Replace, WriteMode::Append}) {
    EXPECT_EQ(code(write("door/deep/a.txt", "new", mode)), "E_PATH_READ_ONLY");
    EXPECT_EQ(code(write("door/b.txt", "new", mode)), "E_PATH_READ_ONLY");
    EXPECT_EQ(code(write("door/x/y/b.txt", "new", mode)), "E_PATH_READ_ONLY");
    EXPECT_EQ(code(write("file", "new", mode)), "E_PATH_READ_ONLY");
    EXPECT_EQ(code(write("fresh", "new", mode)), "E_PATH_READ_ONLY");
  }
  EXPECT_EQ(code(make("door/x")), "E_PATH_READ_ONLY");
  EXPECT_EQ(code(make("door/x", Parents::MustExist)), "E_PATH_READ_ONLY");
  EXPECT_EQ(names_in(work / "ro"), std::vector<std::string>{"deep"});
  EXPECT_EQ(bytes_of("ro/deep/a.txt"), "old");
}

TEST_P(WorkspaceTest, GuardsFoldersUnlessAGrantSaysOtherwise) {
  put("bundle/goondan.yaml", "old");
  put("bundle/out/a.txt", "old");
  const std::string bundle = work / "bundle";
  reopen({}, {bundle});
  EXPECT_EQ(read("bundle/goondan.yaml")->bytes, "old");
  const Result<std::uint64_t> refused = write("bundle/goondan.yaml", "new");
  EXPECT_EQ(code(refused), "E_PATH_READ_ONLY");
  EXPECT_NE(refused.error().suggestion.find("--allow-root " + bundle + ":rw"), std::string::npos);
  EXPECT_TRUE(write("other.txt", "new").ok());

  reopen({{.path = bundle, .access = Access::ReadWrite}}, {bundle});
  EXPECT_TRUE(write("bundle/goondan.yaml", "new").ok());

  reopen({{.path = bundle + "/out", .access = Access::ReadWrite}}, {bundle});
  EXPECT_TRUE(write("bundle/out/a.txt", "new").ok());
  EXPECT_EQ(code(write("bundle/goondan.yaml", "x")), "E_PATH_READ_ONLY");

  reopen({{.path = work, .access = Access::ReadWrite}}, {bundle});
  EXPECT_EQ(code(write("bundle/goondan.yaml", "x")), "E_PATH_READ_ONLY");
}

TEST_P(WorkspaceTest, GuardsTheWorkdirItselfWhereItIsTheGuardedFolderOrLiesInIt) {
  for (const std::string& guarded : {work.string(), folder.string()}) {
    reopen({}, {guarded});
    EXPECT_EQ(code(write("a.txt", "x")), "E_PATH_READ_ONLY");
    reopen({{.path = guarded}}, {guarded});
    EXPECT_EQ(code(write("a.txt", "x")), "E_PATH_READ_ONLY");
    reopen({{.path = work, .access = Access::ReadWrite}}, {guarded});
    EXPECT_TRUE(write("a.txt", "x").ok());
    reopen({{.path = guarded, .access = Access::ReadWrite}}, {guarded});
    EXPECT_TRUE(write("a.txt", "x").ok());
  }
}

TEST_P(WorkspaceTest, LetsNoLinkLeadIntoAGuardedFolder) {
  put("bundle/goondan.yaml", "old");
  link("config.yaml", "bundle/goondan.yaml");
  reopen({}, {work / "bundle"});
  EXPECT_EQ(code(write("config.yaml", "new")), "E_PATH_READ_ONLY");
  EXPECT_EQ(bytes_of("bundle/goondan.yaml"), "old");
}

TEST_P(WorkspaceTest, GuardsAFolderByNameThatIsNotThereYet) {
  reopen({}, {work / "bundle"});
  EXPECT_EQ(code(write("bundle/goondan.yaml", "new")), "E_PATH_READ_ONLY");
  EXPECT_EQ(names_in(work), std::vector<std::string>{});
}

TEST_P(WorkspaceTest, TakesARootByTheNameItWasGivenAndByItsRealName) {
  put("real/a.txt", "hello", folder);
  std::filesystem::create_symlink(folder / "real", folder / "alias");
  const Workspace through =
      Workspace::open({.workdir = folder / "alias", .resolution = GetParam()}).value();
  EXPECT_EQ(through.workdir(), (folder / "alias").string());
  for (const std::string& path :
       {std::string("a.txt"), (folder / "alias/a.txt").string(), (folder / "real/a.txt").string()})
    EXPECT_EQ(read_file(*through.resolve(path, Access::Read), 10)->bytes, "hello") << path;
  EXPECT_EQ(through.resolve("a.txt", Access::Read)->absolute, (folder / "alias/a.txt").string());
}

TEST_P(WorkspaceTest, TakesOnlyTheRealNameOfARootGivenWithDots) {
  put("real/sub/a.txt", "right", folder);
  put("real/other/a.txt", "right", folder);
  put("other/a.txt", "wrong", folder);
  std::filesystem::create_symlink(folder / "real/sub", folder / "alias");
  reopen({{.path = folder / "alias/../other"}});
  EXPECT_EQ(read((folder / "real/other/a.txt").string())->bytes, "right");
  EXPECT_EQ(code(read((folder / "other/a.txt").string())), "E_PATH_OUTSIDE_WORKSPACE");
}

TEST_P(WorkspaceTest, StaysInItsFolderWhenTheNameIsGivenToALink) {
  put("a.txt", "mine");
  put("elsewhere/a.txt", "theirs", folder);
  std::filesystem::rename(work, folder / "moved");
  std::filesystem::create_symlink(folder / "elsewhere", work);
  EXPECT_EQ(read("a.txt")->bytes, "mine");
  EXPECT_EQ(read((work / "a.txt").string())->bytes, "mine");
  EXPECT_TRUE(write("a.txt", "new").ok());
  EXPECT_EQ(bytes_of(folder / "elsewhere/a.txt"), "theirs");
  EXPECT_EQ(bytes_of(folder / "moved/a.txt"), "new");
}

TEST_P(WorkspaceTest, IsNotOpenedWithoutEachOfItsFolders) {
  EXPECT_EQ(code(Workspace::open({.workdir = folder / "none"})), "E_NOT_FOUND");
  EXPECT_EQ(code(Workspace::open({.workdir = folder / "secret.txt"})), "E_IO");
  EXPECT_EQ(code(Workspace::open({.workdir = ""})), "E_CONFIG");
  EXPECT_EQ(code(Workspace::open({.workdir = "work"})), "E_CONFIG");
  EXPECT_EQ(code(Workspace::open({.workdir = work, .guarded = {"bundle"}})), "E_CONFIG");
  EXPECT_EQ(code(Workspace::open({.workdir = work, .grants = {{.path = folder / "none"}}})),
            "E_NOT_FOUND");
}

TEST_P(WorkspaceTest, GrantsTheWholeDiskIfToldSo) {
  reopen({{.path = "/"}});
  EXPECT_EQ(read((folder / "secret.txt").string())->bytes, "secret");
  EXPECT_EQ(code(write((folder / "secret.txt").string(), "x")), "E_PATH_READ_ONLY");
  EXPECT_TRUE(write("a.txt", "x").ok());
}

}  // namespace
}  // namespace goondan::os
