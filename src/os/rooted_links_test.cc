// Links: inside they work, outward they do not, for each verb.
#include <fcntl.h>
#include <sys/stat.h>

#include "os/rooted_test.h"

namespace goondan::os {
namespace {

using RootedLinks = RootedTest;
GDN_BOTH_WAYS(RootedLinks);

TEST_P(RootedLinks, InsideAreFollowed) {
  put("d/e/a.txt", "hello");
  link("file", "d/e/a.txt");
  link("d/up", "../d/e/./a.txt");
  link("folder", "d/e");
  link("chain", "folder/../../file");
  EXPECT_EQ(read("file")->bytes, "hello");
  EXPECT_EQ(read("d/up")->bytes, "hello");
  EXPECT_EQ(read("folder/a.txt")->bytes, "hello");
  EXPECT_EQ(read("chain")->bytes, "hello");
  EXPECT_EQ(list("folder")->entries.size(), 1u);
  EXPECT_TRUE(write("chain", "new").ok());
  EXPECT_EQ(bytes_of("d/e/a.txt"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(work / "chain"));
  EXPECT_TRUE(write("folder/b.txt", "b").ok());
  EXPECT_EQ(bytes_of("d/e/b.txt"), "b");
}

TEST_P(RootedLinks, OutwardAreRefusedByEveryVerb) {
  std::filesystem::create_directory(folder / "out");
  put("out/x", "outside", folder);
  const std::vector<std::string> targets = {
      folder / "out",   "../out", "./../out",
      "../work/../out", "/",      "/proc/self/root" + folder.string() + "/out",
      "/proc/self/cwd"};
  for (const std::string& target : targets) {
    std::filesystem::remove(work / "door");
    link("door", target);
    EXPECT_EQ(code(read("door/x")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(read("door")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(list("door")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(write("door/x", "new")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(write("door/y", "new", WriteMode::Append)), "E_PATH_OUTSIDE_WORKSPACE")
        << target;
    EXPECT_EQ(code(write("door/p/q/y", "new")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(make("door/p")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(make("door/p", Parents::MustExist)), "E_PATH_OUTSIDE_WORKSPACE") << target;
  }
  EXPECT_EQ(names_in(folder / "out"), std::vector<std::string>{"x"});
  EXPECT_EQ(bytes_of(folder / "out/x"), "outside");
}

TEST_P(RootedLinks, OutwardToFilesAreRefusedAlsoWhereThereIsNoFile) {
  for (const std::string& target :
       {(folder / "secret.txt").string(), std::string("../secret.txt"),
        (folder / "new.txt").string(), std::string("../new.txt"), std::string("../none/new.txt")}) {
    std::filesystem::remove(work / "file");
    link("file", target);
    EXPECT_EQ(code(read("file")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(write("file", "new")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(write("file", "new", WriteMode::Append)), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_EQ(code(make("file/x")), "E_PATH_OUTSIDE_WORKSPACE") << target;
    EXPECT_FALSE(make("file").ok()) << target;
  }
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"secret.txt", "work"}));
  EXPECT_EQ(bytes_of(folder / "secret.txt"), "secret");
}

TEST_P(RootedLinks, InACircleAreRefused) {
  link("a", "b");
  link("b", "a");
  link("self", "self/self");
  for (const std::string path : {"a", "self", "a/x"}) {
    EXPECT_EQ(code(read(path)), "E_IO") << path;
    EXPECT_EQ(code(write(path, "x")), "E_IO") << path;
    EXPECT_EQ(code(list(path)), "E_IO") << path;
    EXPECT_EQ(code(make(path + "/y")), "E_IO") << path;
  }
  EXPECT_NE(read("a").error().message.find("too many links"), std::string::npos);
}

TEST_P(RootedLinks, ToNothingAreFilledByAWriteButNotPassedByAFolder) {
  link("fresh", "d.txt");
  EXPECT_EQ(code(read("fresh")), "E_NOT_FOUND");
  EXPECT_TRUE(write("fresh", "new").ok());
  EXPECT_EQ(bytes_of("d.txt"), "new");
  link("gone", "nowhere");
  EXPECT_FALSE(write("gone/a.txt", "x").ok());
  EXPECT_FALSE(make("gone/a").ok());
  EXPECT_FALSE(make("gone").ok());
  EXPECT_FALSE(std::filesystem::exists(work / "nowhere"));
}

TEST_P(RootedLinks, ToAFolderAreNotReplacedByAFile) {
  std::filesystem::create_directory(work / "d");
  for (const std::string target : {"d", "d/", "d/.", "d/.."}) {
    std::filesystem::remove(work / "door");
    link("door", target);
    EXPECT_EQ(code(write("door", "x")), "E_IO") << target;
    EXPECT_EQ(code(write("door", "x", WriteMode::Append)), "E_IO") << target;
  }
  EXPECT_TRUE(std::filesystem::is_symlink(work / "door"));
}

TEST_P(RootedLinks, OfTheKernelsOwnAreNotFollowed) {
  const UniqueFd outside(::open((folder / "secret.txt").c_str(), O_RDONLY | O_CLOEXEC));
  reopen({{.path = "/proc"}});
  const std::string number = std::to_string(outside.get());
  for (const std::string& path :
       {"/proc/self/root" + (folder / "secret.txt").string(), "/proc/self/fd/" + number,
        std::string("/proc/self/cwd/CMakeCache.txt"), std::string("/proc/self/exe")})
    EXPECT_FALSE(read(path).ok()) << path;
  link("fd", "/proc/self/fd/" + number);
  EXPECT_FALSE(read("fd").ok());
}

TEST_P(RootedLinks, DeepWithinEachOtherWorkUpToTheLimit) {
  put("end", "end");
  link("l0", "end");
  for (int i = 1; i <= kMaxLinks; ++i)
    link("l" + std::to_string(i), "l" + std::to_string(i - 1));
  EXPECT_EQ(read("l" + std::to_string(kMaxLinks - 1))->bytes, "end");
  EXPECT_EQ(code(read("l" + std::to_string(kMaxLinks))), "E_IO");
}

TEST_P(RootedLinks, WithATrailingSlashNeedAFolder) {
  put("a.txt", "x");
  link("l", "a.txt/");
  EXPECT_FALSE(read("l").ok());
  EXPECT_FALSE(write("l", "y").ok());
}

}  // namespace
}  // namespace goondan::os
