#include <array>
#include <sys/socket.h>
#include <thread>

#include <gtest/gtest.h>

#include "mcp/line_buffer.h"
#include "mcp/line_writer.h"
#include "mcp/pending_requests.h"
#include "mcp/stderr_lines.h"

namespace goondan::mcp {
namespace {

TEST(LineBuffer, MakesLinesOfAnyPieces) {
  LineBuffer lines(10);
  lines.feed("one\r\ntw");
  EXPECT_EQ(lines.next(), "one");
  EXPECT_EQ(lines.next(), std::nullopt);
  lines.feed("o\n\n1234567890\n");
  EXPECT_EQ(lines.next(), "two");
  EXPECT_EQ(lines.next(), "");
  EXPECT_EQ(lines.next(), "1234567890");
  EXPECT_EQ(lines.next(), std::nullopt);
  EXPECT_FALSE(lines.too_long());
}

TEST(LineBuffer, GivesUpOnALineThatIsTooLong) {
  for (const char* bytes : {"12345678901\n", "12345678901"}) {
    LineBuffer lines(10);
    lines.feed(bytes);
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_TRUE(lines.too_long());
    lines.feed("x\n");
    EXPECT_EQ(lines.next(), std::nullopt);
  }
}

class LineWriterTest : public testing::Test {
 protected:
  LineWriterTest() {
    std::array<int, 2> fds{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
    writer_.emplace(os::UniqueFd(fds[0]));
    other_.reset(fds[1]);
  }

  std::string read_some() {
    std::string bytes(std::size_t{1} << 20, '\0');
    const ssize_t got = ::recv(other_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

  std::optional<LineWriter> writer_;
  os::UniqueFd other_;
};

TEST_F(LineWriterTest, NeverWaitsAndKeepsTheOrder) {
  std::string expected;
  LineWriter::Left left = LineWriter::Left::Nothing;
  for (int number = 0; number < 1000; ++number) {
    const std::string line = std::string(1000, static_cast<char>('a' + number % 26)) + "\n";
    left = writer_->write(line).value();
    expected += line;
  }
  ASSERT_EQ(left, LineWriter::Left::Queued);
  EXPECT_GE(writer_->wanted_fd(), 0);
  std::string received;
  while (left == LineWriter::Left::Queued) {
    received += read_some();
    left = writer_->flush();
  }
  for (std::string some = read_some(); !some.empty(); some = read_some())
    received += some;
  EXPECT_EQ(received, expected);
  EXPECT_EQ(writer_->wanted_fd(), -1);
}

TEST_F(LineWriterTest, RefusesMoreThanAServerMayLeaveUnread) {
  const std::string line(std::size_t{8} << 20, 'x');
  Result<LineWriter::Left> written = LineWriter::Left::Nothing;
  for (int count = 0; written.ok() && count < 10; ++count)
    written = writer_->write(line);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::Limit);
}

TEST_F(LineWriterTest, SaysThatNobodyReads) {
  other_.reset();
  EXPECT_EQ(writer_->write("x\n").error().code, ErrorCode::McpServer);
  EXPECT_FALSE(writer_->open());
  writer_->close();
  EXPECT_EQ(writer_->write("x\n").error().code, ErrorCode::McpServer);
}

TEST(StderrLines, NotesLinesAndKeepsTheLastOnes) {
  std::vector<std::string> noted;
  ServerLog log([&noted](LogLevel, std::string_view text) { noted.emplace_back(text); });
  StderrLines lines(log);
  lines.feed("one\r\n\ntw");
  lines.feed("o\nthree");
  EXPECT_EQ(noted, (std::vector<std::string>{"one", "two"}));
  lines.flush();
  EXPECT_EQ(lines.tail(), "one\ntwo\nthree");
  lines.feed(std::string(3 * kMaxStderrLine, 'x'));
  EXPECT_EQ(noted.size(), 6u);
  EXPECT_LE(lines.tail().size(), kMaxStderrTail);
  lines.feed("first " + std::string(kMaxStderrTail - 10, 's') + " last words\n");
  EXPECT_EQ(lines.tail(), "last words");
}

TEST(ServerLog, CountsWhatComesTooOften) {
  std::size_t noted = 0;
  ServerLog log([&noted](LogLevel, std::string_view) { ++noted; });
  for (int count = 0; count < 100'000; ++count)
    log.write(LogLevel::Info, "again");
  EXPECT_GE(noted, static_cast<std::size_t>(kLogBurst));
  EXPECT_LT(noted, 1'000u);
}

TEST(PendingRequests, BringsEachAnswerToItsThread) {
  PendingRequests pending;
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (std::int64_t id = 1; id <= 20; ++id) {
    ASSERT_TRUE(pending.add(id).ok());
    threads.emplace_back([&pending, &right, id] {
      const Result<Json> answer = pending.wait(id, Clock::now() + std::chrono::seconds(60), {});
      if (answer.ok() && *answer == Json(id)) ++right;
    });
  }
  for (std::int64_t id = 20; id >= 1; --id)
    EXPECT_EQ(pending.answer(id, Json(id)), PendingRequests::Taken::Yes);
  threads.clear();
  EXPECT_EQ(right, 20);
  EXPECT_EQ(pending.answer(1, Json(1)), PendingRequests::Taken::No);
}

TEST(PendingRequests, FailsAllOnceTheServerIsGone) {
  PendingRequests pending;
  ASSERT_TRUE(pending.add(1).ok());
  pending.fail_all({.code = ErrorCode::McpServer, .message = "gone"});
  EXPECT_EQ(pending.wait(1, Clock::now(), {}).error().message, "gone");
  EXPECT_EQ(pending.add(2).error().message, "gone");
}

TEST(PendingRequests, StopsWaitingWhenAsked) {
  PendingRequests pending;
  ASSERT_TRUE(pending.add(1).ok());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(pending.wait(1, Deadline::max(), stop.get_token()).error().code,
            ErrorCode::ToolCancelled);
  EXPECT_EQ(pending.wait(1, Deadline::max(), {}).error().code, ErrorCode::Internal);
}

TEST(PendingRequests, HasALimit) {
  PendingRequests pending;
  for (std::size_t id = 0; id < kMaxPendingRequests; ++id)
    ASSERT_TRUE(pending.add(static_cast<std::int64_t>(id)).ok());
  EXPECT_EQ(pending.add(-1).error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace goondan::mcp
