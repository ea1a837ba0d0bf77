#include "ipc/fd_passing.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace goondan::ipc {
namespace {

class FdPassing : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = make_note_pair();
    ASSERT_TRUE(pair.ok());
    ours_ = std::move(pair->first);
    theirs_ = std::move(pair->second);
  }

  Note receive() {
    auto note = receive_note(theirs_.get());
    EXPECT_TRUE(note.ok() && note->has_value());
    return note.ok() && *note ? **std::move(note) : Note{};
  }

  os::UniqueFd ours_;
  os::UniqueFd theirs_;
};

bool closes_on_exec(int fd) {
  return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

TEST_F(FdPassing, KeepsNotesApartAndInOrder) {
  EXPECT_FALSE(receive_note(theirs_.get()).value().has_value());
  ASSERT_TRUE(send_note(ours_.get(), "one").ok());
  ASSERT_TRUE(send_note(ours_.get(), "two").ok());
  EXPECT_EQ(receive().text, "one");
  EXPECT_EQ(receive().text, "two");
  EXPECT_TRUE(closes_on_exec(ours_.get()) && closes_on_exec(theirs_.get()));
}

TEST_F(FdPassing, SendsADescriptorOfTheSameThing) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const os::UniqueFd reader(ends[0]);
  os::UniqueFd writer(ends[1]);
  ASSERT_TRUE(send_note(ours_.get(), "take it", writer.get()).ok());
  writer.reset();
  const Note note = receive();
  ASSERT_TRUE(note.fd);
  EXPECT_TRUE(closes_on_exec(note.fd.get()));
  ASSERT_EQ(::write(note.fd.get(), "x", 1), 1);
  char got = 0;
  EXPECT_EQ(::read(reader.get(), &got, 1), 1);
  EXPECT_EQ(got, 'x');
  ASSERT_TRUE(send_note(ours_.get(), "nothing").ok());
  EXPECT_FALSE(receive().fd);
}

TEST_F(FdPassing, TakesTheLargestNoteAndRefusesALargerOne) {
  const std::string largest(kMaxNoteBytes, 'x');
  ASSERT_TRUE(send_note(ours_.get(), largest).ok());
  EXPECT_EQ(receive().text, largest);
  EXPECT_EQ(send_note(ours_.get(), largest + "x").error().code, ErrorCode::Limit);
  EXPECT_EQ(send_note(ours_.get(), "").error().code, ErrorCode::Limit);
  EXPECT_FALSE(receive_note(theirs_.get()).value().has_value());
  const std::string foreign(kMaxNoteBytes + 1, 'x');
  ASSERT_EQ(::send(ours_.get(), foreign.data(), foreign.size(), 0),
            static_cast<ssize_t>(foreign.size()));
  EXPECT_EQ(receive_note(theirs_.get()).error().code, ErrorCode::Ipc);
}

TEST_F(FdPassing, ReportsTheEnd) {
  ASSERT_TRUE(send_note(ours_.get(), "last").ok());
  ours_.reset();
  EXPECT_EQ(receive().text, "last");
  EXPECT_EQ(receive_note(theirs_.get()).error().code, ErrorCode::Io);
  EXPECT_EQ(send_note(theirs_.get(), "x").error().code, ErrorCode::Io);
}

TEST_F(FdPassing, DoesNotWaitForAReaderThatDoesNotRead) {
  Result<void> sent;
  for (int i = 0; i < 10'000 && sent.ok(); ++i)
    sent = send_note(ours_.get(), std::string(1000, 'x'));
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::Io);
}

// How many descriptors we hold of the thing behind `fd`.
std::size_t copies_of(int fd) {
  struct stat wanted {};
  EXPECT_EQ(::fstat(fd, &wanted), 0);
  std::size_t count = 0;
  for (int i = 0; i < 1024; ++i) {
    struct stat found {};
    if (::fstat(i, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev) {
      ++count;
    }
  }
  return count;
}

TEST_F(FdPassing, ClosesTheDescriptorsThatNobodyAskedFor) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const os::UniqueFd reader(ends[0]);
  const os::UniqueFd writer(ends[1]);
  const std::size_t before = copies_of(reader.get());
  constexpr std::size_t kSent = 5;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kSent * sizeof(int))> control{};
  char byte = 'x';
  iovec part{.iov_base = &byte, .iov_len = 1};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(kSent * sizeof(int));
  for (std::size_t i = 0; i < kSent; ++i) {
    const int fd = reader.get();
    std::memcpy(CMSG_DATA(rights) + i * sizeof fd, &fd, sizeof fd);
  }
  ASSERT_EQ(::sendmsg(ours_.get(), &header, 0), 1);
  {
    const Note note = receive();
    EXPECT_TRUE(note.fd);
    EXPECT_EQ(copies_of(reader.get()), before + 1);
  }
  EXPECT_EQ(copies_of(reader.get()), before);
}

}  // namespace
}  // namespace goondan::ipc
