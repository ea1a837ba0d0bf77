// Writing: what is there afterwards, also after a failure.
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/rooted_test.h"
#include "os/temporary_file.h"

namespace goondan::os {
namespace {

class RootedWrite : public RootedTest {
 protected:
  void chmod(const std::string& name, mode_t mode) const {
    ASSERT_EQ(::chmod((work / name).c_str(), mode), 0);
  }

  [[nodiscard]] mode_t mode_of(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat((work / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
};

GDN_BOTH_WAYS(RootedWrite);

TEST_P(RootedWrite, MakesTheFileAndItsFolders) {
  EXPECT_EQ(write("w/x/y.txt", "abc").value(), 3u);
  EXPECT_EQ(bytes_of("w/x/y.txt"), "abc");
  EXPECT_EQ(names_in(work / "w/x"), std::vector<std::string>{"y.txt"});
}

TEST_P(RootedWrite, ReplacesAndEmpties) {
  put("f.txt", "abcdef");
  EXPECT_EQ(write("f.txt", "zz").value(), 2u);
  EXPECT_EQ(bytes_of("f.txt"), "zz");
  EXPECT_EQ(write("f.txt", "").value(), 0u);
  EXPECT_EQ(bytes_of("f.txt"), "");
}

TEST_P(RootedWrite, Appends) {
  EXPECT_EQ(write("log", "one", WriteMode::Append).value(), 3u);
  EXPECT_EQ(write("log", "two", WriteMode::Append).value(), 6u);
  EXPECT_EQ(bytes_of("log"), "onetwo");
}

TEST_P(RootedWrite, KeepsTheModeOfTheOldFileWithoutItsSpecialBits) {
  put("run.sh", "old");
  chmod("run.sh", 06750);
  ASSERT_TRUE(write("run.sh", "new").ok());
  EXPECT_EQ(mode_of("run.sh"), 0750u);
  chmod("run.sh", 0600);
  ASSERT_TRUE(write("run.sh", "new").ok());
  EXPECT_EQ(mode_of("run.sh"), 0600u);
}

TEST_P(RootedWrite, GivesNewFilesTheModeThatTheUmaskLeaves) {
  const mode_t old = ::umask(027);
  EXPECT_TRUE(write("d/a", "x").ok());
  EXPECT_TRUE(write("d/b", "x", WriteMode::Append).ok());
  ::umask(old);
  EXPECT_EQ(mode_of("d/a"), 0640u);
  EXPECT_EQ(mode_of("d/b"), 0640u);
  EXPECT_EQ(mode_of("d"), 0750u);
}

TEST_P(RootedWrite, LeavesReadersTheOldFileUntilTheNewOneIsWhole) {
  put("f.txt", "old content");
  const UniqueFd reader(::open((work / "f.txt").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(write("f.txt", "new").ok());
  std::string seen(100, '\0');
  seen.resize(static_cast<std::size_t>(::read(reader.get(), seen.data(), seen.size())));
  EXPECT_EQ(seen, "old content");
}

TEST_P(RootedWrite, ChangesNoOtherNameOfAFile) {
  std::filesystem::create_hard_link(folder / "secret.txt", work / "hard");
  EXPECT_EQ(code(write("hard", "x", WriteMode::Append)), "E_IO");
  ASSERT_TRUE(write("hard", "new").ok());
  EXPECT_EQ(bytes_of(folder / "secret.txt"), "secret");
}

TEST_P(RootedWrite, ReplacesNothingButRegularFiles) {
  std::filesystem::create_directory(work / "d");
  ASSERT_EQ(::mkfifo((work / "pipe").c_str(), 0600), 0);
  // With a reader, a FIFO could be opened for writing.
  const UniqueFd reader(::open((work / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  link("null", "pipe");
  for (const WriteMode mode : {WriteMode::Replace, WriteMode::Append}) {
    EXPECT_EQ(write("d", "x", mode).error().message,
              "cannot write 'd': it is a folder, not a file");
    EXPECT_EQ(write("pipe", "x", mode).error().message,
              "cannot write 'pipe': it is a FIFO (named pipe), not a regular file");
    EXPECT_EQ(code(write("null", "x", mode)), "E_IO");
    EXPECT_EQ(code(write(".", "x", mode)), "E_IO");
  }
  EXPECT_EQ(names_in(work), (std::vector<std::string>{"d", "null", "pipe"}));
}

TEST_P(RootedWrite, RefusesADeviceAndAFileInTheWay) {
  reopen({{.path = "/dev", .access = Access::ReadWrite}});
  EXPECT_EQ(write("/dev/null", "x").error().message,
            "cannot write '/dev/null': it is a device, not a regular file");
  put("a.txt", "1");
  EXPECT_EQ(write("a.txt/x", "z").error().message,
            "cannot write 'a.txt/x': a part of the path is a file, not a folder");
  EXPECT_EQ(bytes_of("a.txt"), "1");
}

TEST_P(RootedWrite, LeavesNoTemporaryFileWhenItFails) {
  // A limit to the size of files makes a write fail in its middle.
  put("a.txt", "old");
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  rlimit limit = old_limit;
  limit.rlim_cur = 10;
  auto* handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const Result<std::uint64_t> replaced = write("a.txt", "more than ten bytes");
  const Result<std::uint64_t> appended = write("a.txt", "more than ten", WriteMode::Append);
  const Result<std::uint64_t> begun = write("new.txt", "more than ten", WriteMode::Append);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(replaced.error().message, "cannot write 'a.txt': file too large");
  EXPECT_EQ(code(appended), "E_IO");
  EXPECT_EQ(code(begun), "E_IO");
  EXPECT_EQ(bytes_of("a.txt"), "old");
  EXPECT_EQ(names_in(work), std::vector<std::string>{"a.txt"});
}

// The file that is being written has no name until it is whole.
TEST_P(RootedWrite, IsNotSeenBesideItsTargetBeforeItIsWhole) {
  const UniqueFd where(::open(work.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  put("old.txt", "old");
  for (const std::string name : {"old.txt", "new.txt"}) {
    TemporaryFile file(where.get(), 0600);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(::write(file.fd(), "text", 4), 4);
    EXPECT_EQ(names_in(work), std::vector<std::string>{"old.txt"});
    EXPECT_FALSE(file.replace("no/such/folder"));
    EXPECT_TRUE(file.replace(name));
    EXPECT_EQ(bytes_of(name), "text");
  }
  EXPECT_EQ(names_in(work), (std::vector<std::string>{"new.txt", "old.txt"}));
}

TEST_P(RootedWrite, KeepsWhatIsNotText) {
  const std::string bytes("\0\xFF\n\r\x80", 5);
  ASSERT_TRUE(write("bin", bytes).ok());
  EXPECT_EQ(bytes_of("bin"), bytes);
}

TEST_P(RootedWrite, TakesOddNamesAsTheyAre) {
  for (const std::string name : {" a ", "'q'", "\"q\"", "a.", "...", "~", "-rf", "a\nb", "\xFF\xFE",
                                 "$HOME", "*", "a\\b", "%2e%2e"}) {
    EXPECT_TRUE(write(name, "x").ok()) << name;
    EXPECT_EQ(read(name)->bytes, "x") << name;
  }
  EXPECT_EQ(names_in(work).size(), 13u);
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"secret.txt", "work"}));
}

TEST_P(RootedWrite, MakesFolders) {
  EXPECT_TRUE(make("m/n").ok());
  EXPECT_TRUE(make("m/n").ok());
  EXPECT_TRUE(make(".").ok());
  EXPECT_TRUE(make("q", Parents::MustExist).ok());
  EXPECT_EQ(make("q", Parents::MustExist).error().message,
            "cannot make the folder 'q': file exists");
  EXPECT_EQ(code(make(".", Parents::MustExist)), "E_IO");
  EXPECT_EQ(code(make("r/s", Parents::MustExist)), "E_NOT_FOUND");
  put("a.txt", "1");
  EXPECT_EQ(make("a.txt").error().message,
            "cannot make the folder 'a.txt': it is a file, not a folder");
  EXPECT_EQ(code(make("a.txt/b")), "E_IO");
  EXPECT_FALSE(std::filesystem::exists(work / "r"));
}

TEST_P(RootedWrite, MakesAsManyFoldersAsAPathHolds) {
  std::string path = "d";
  for (int i = 0; i < 200; ++i)
    path += "/d";
  EXPECT_TRUE(make(path).ok());
  EXPECT_TRUE(write(path + "/a", "deep").ok());
  EXPECT_EQ(read(path + "/a")->bytes, "deep");
}

}  // namespace
}  // namespace goondan::os
