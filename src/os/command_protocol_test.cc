#include "os/command_protocol.h"

#include <array>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "os/command_fixture.h"

namespace goondan::os {
namespace {

class CommandProtocol : public testing::Test {
 protected:
  CommandProtocol() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours_ = UniqueFd(ends[0]);
    theirs_ = UniqueFd(ends[1]);
  }

  Result<void> send(const CommandTexts& texts) {
    const CommandFds fds{.control = test::folder("/proc"),
                         .out = test::folder("/"),
                         .err = test::folder("/tmp"),
                         .folder = test::folder("/usr")};
    return send_start(ours_.get(), texts, fds, test::soon(), StopWaker());
  }

  UniqueFd ours_;
  UniqueFd theirs_;
};

ino_t inode(int fd) {
  struct stat status {};
  EXPECT_EQ(::fstat(fd, &status), 0);
  return status.st_ino;
}

TEST_F(CommandProtocol, CarriesTextsAndDescriptors) {
  const CommandTexts texts{.argv = {"sh", "-c", "", "a b"}, .environment = {"A=1", "B="}};
  ASSERT_TRUE(send(texts).ok());
  StartMessage message;
  ASSERT_EQ(receive_start(theirs_.get(), message), Received::Message);
  EXPECT_EQ(read_texts(message), texts);
  EXPECT_EQ(inode(message.fds.folder.get()), inode(test::folder("/usr").get()));
  EXPECT_EQ(::fcntl(message.fds.folder.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_FALSE(message.large);
}

TEST_F(CommandProtocol, CarriesWhatIsLargerThanAPacket) {
  const CommandTexts texts{.argv = {"sh", std::string(2'000'000, 'x')},
                           .environment = {"A=" + std::string(1'000'000, 'y')}};
  ASSERT_TRUE(send(texts).ok());
  StartMessage message;
  ASSERT_EQ(receive_start(theirs_.get(), message), Received::Message);
  EXPECT_EQ(read_texts(message), texts);
}

TEST_F(CommandProtocol, RefusesWhatNoKernelTakes) {
  const Result<void> sent = send({.argv = {std::string(kMaxRequestBytes, 'x')}});
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::Limit);
}

TEST_F(CommandProtocol, IgnoresAMessageItDoesNotKnow) {
  StartMessage message;
  EXPECT_EQ(receive_start(theirs_.get(), message), Received::Nothing);
  ASSERT_EQ(::send(ours_.get(), "hello, are you there?", 20, 0), 20);
  EXPECT_EQ(receive_start(theirs_.get(), message), Received::Nothing);
  ours_.reset();
  EXPECT_EQ(receive_start(theirs_.get(), message), Received::End);
}

TEST_F(CommandProtocol, SaysThatNobodyListens) {
  theirs_.reset();
  const Result<void> sent = send({.argv = {"sh"}});
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::Io);
}

TEST_F(CommandProtocol, WaitsForRoomNoLongerThanTheDeadline) {
  const CommandFds fds{.control = test::folder(),
                       .out = test::folder(),
                       .err = test::folder(),
                       .folder = test::folder()};
  Result<void> sent;
  while (sent.ok())
    sent = send_start(ours_.get(), {.argv = {std::string(20'000, 'x')}}, fds, Clock::now(),
                      StopWaker());
  EXPECT_EQ(sent.error().code, ErrorCode::ToolBusy);
}

TEST_F(CommandProtocol, CarriesOrdersAndReports) {
  CommandOrder order{};
  EXPECT_EQ(receive_order(theirs_.get(), order), Received::Nothing);
  send_order(ours_.get(), CommandOrder::Kill);
  EXPECT_EQ(receive_order(theirs_.get(), order), Received::Message);
  EXPECT_EQ(order, CommandOrder::Kill);
  send_report(theirs_.get(), {.number = 7, .background = 2});
  CommandReport report;
  EXPECT_EQ(receive_report(ours_.get(), report), Received::Message);
  EXPECT_EQ(report.number, 7);
  EXPECT_EQ(report.background, 2u);
  theirs_.reset();
  EXPECT_EQ(receive_report(ours_.get(), report), Received::End);
}

}  // namespace
}  // namespace goondan::os
