// Reading: what is read, how much, and what is refused.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "os/rooted_test.h"

namespace goondan::os {
namespace {

using RootedRead = RootedTest;
GDN_BOTH_WAYS(RootedRead);

TEST_P(RootedRead, ReadsAFileByRelativeAndByAbsolutePath) {
  put("a.txt", "hello");
  EXPECT_EQ(read("a.txt")->bytes, "hello");
  EXPECT_EQ(read((work / "a.txt").string())->bytes, "hello");
  EXPECT_EQ(read("./x/..//a.txt")->bytes, "hello");
}

TEST_P(RootedRead, StopsAfterTheBytesThatWereAskedFor) {
  put("a.txt", "hello");
  const Result<FileContent> cut = read("a.txt", 3);
  EXPECT_EQ(cut->bytes, "hel");
  EXPECT_EQ(cut->size, 5u);
  EXPECT_TRUE(cut->truncated);
  const Result<FileContent> whole = read("a.txt", 5);
  EXPECT_EQ(whole->bytes, "hello");
  EXPECT_FALSE(whole->truncated);
}

TEST_P(RootedRead, ReadsAnEmptyFile) {
  put("empty", "");
  const Result<FileContent> content = read("empty");
  EXPECT_EQ(content->bytes, "");
  EXPECT_EQ(content->size, 0u);
  EXPECT_FALSE(content->truncated);
}

TEST_P(RootedRead, ReadsFilesThatSayTheyAreEmpty) {
  reopen({{.path = "/proc/self"}});
  const Result<FileContent> content = read("/proc/self/status", 100'000);
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_NE(content->bytes.find("VmPeak"), std::string::npos);
  EXPECT_EQ(content->size, content->bytes.size());
  EXPECT_TRUE(read("/proc/self/status", 10)->truncated);
}

TEST_P(RootedRead, ReadsFilesThatGiveAllToTheFirstRead) {
  reopen({{.path = "/proc/sys"}});
  EXPECT_EQ(read("/proc/sys/kernel/pid_max")->bytes.back(), '\n');
}

TEST_P(RootedRead, TakesNoMoreMemoryThanAskedForFromAHugeFile) {
  put("huge", "begin");
  std::filesystem::resize_file(work / "huge", std::uint64_t{1} << 36);
  const Result<FileContent> content = read("huge", 1000);
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_EQ(content->bytes.substr(0, 5), "begin");
  EXPECT_LE(content->bytes.capacity(), 4096u);
  EXPECT_EQ(content->size, std::uint64_t{1} << 36);
}

TEST_P(RootedRead, SaysThatAFileIsMissing) {
  const Result<FileContent> content = read("no.txt");
  EXPECT_EQ(code(content), "E_NOT_FOUND");
  EXPECT_EQ(content.error().message, "cannot read 'no.txt': no such file or directory");
  EXPECT_EQ(content.error().suggestion, "");
}

TEST_P(RootedRead, SuggestsANameThatIsAlike) {
  put("src/notes.txt", "");
  EXPECT_EQ(read("src/note.txt").error().suggestion, "Did you mean 'src/notes.txt'?");
  EXPECT_EQ(read("scr/notes.txt").error().suggestion, "Did you mean 'src/notes.txt'?");
  EXPECT_EQ(read("src/entirely-else").error().suggestion, "");
  EXPECT_EQ(read((work / "src/note.txt").string()).error().suggestion,
            "Did you mean '" + (work / "src/notes.txt").string() + "'?");
}

TEST_P(RootedRead, SaysThatATildeIsNoHomeFolder) {
  EXPECT_EQ(code(read("~/a.txt")), "E_NOT_FOUND");
  EXPECT_NE(read("~/a.txt").error().suggestion.find("ordinary"), std::string::npos);
  put("~/a.txt", "here");
  EXPECT_EQ(read("~/a.txt")->bytes, "here");
}

TEST_P(RootedRead, RefusesAFolder) {
  EXPECT_EQ(read(".").error().message, "cannot read '.': it is a folder, not a file");
}

TEST_P(RootedRead, RefusesAFifoWithoutWaitingForAWriter) {
  ASSERT_EQ(::mkfifo((work / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read("pipe").error().message,
            "cannot read 'pipe': it is a FIFO (named pipe), not a regular file");
}

TEST_P(RootedRead, RefusesASocket) {
  const UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = work / "socket";
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::ranges::copy(path, address.sun_path);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(read("socket").error().message,
            "cannot read 'socket': it is a socket, not a regular file");
}

TEST_P(RootedRead, RefusesADevice) {
  reopen({{.path = "/dev"}});
  EXPECT_EQ(read("/dev/null").error().message,
            "cannot read '/dev/null': it is a device, not a regular file");
}

TEST_P(RootedRead, RefusesAFileUsedAsAFolder) {
  put("a.txt", "hello");
  EXPECT_EQ(read("a.txt/b").error().message,
            "cannot read 'a.txt/b': a part of the path is a file, not a folder");
}

TEST_P(RootedRead, ChecksWithoutReading) {
  put("a.sh", "true");
  EXPECT_TRUE(check_readable_file(*resolve("a.sh", Access::Read)).ok());
  EXPECT_EQ(code(check_readable_file(*resolve("b.sh", Access::Read))), "E_NOT_FOUND");
  EXPECT_EQ(code(check_readable_file(*resolve(".", Access::Read))), "E_IO");
}

TEST_P(RootedRead, OpensFolders) {
  std::filesystem::create_directory(work / "d");
  put("a.txt", "");
  EXPECT_TRUE(open_folder(*resolve("d", Access::Read)).ok());
  EXPECT_TRUE(open_folder(*resolve(".", Access::Read)).ok());
  EXPECT_EQ(code(open_folder(*resolve("e", Access::Read))), "E_NOT_FOUND");
  EXPECT_EQ(code(open_folder(*resolve("a.txt", Access::Read))), "E_IO");
}

TEST_P(RootedRead, TellsNamesApartByCase) {
  put("a.txt", "lower");
  EXPECT_EQ(code(read("A.txt")), "E_NOT_FOUND");
  EXPECT_EQ(read("A.txt").error().suggestion, "Did you mean 'a.txt'?");
}

}  // namespace
}  // namespace goondan::os
