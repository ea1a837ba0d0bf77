#include "ipc/frame_io.h"

#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace goondan::ipc {
namespace {

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

class FrameIo : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = make_socket_pair();
    ASSERT_TRUE(pair.ok());
    ours_ = std::move(pair->first);
    theirs_ = std::move(pair->second);
  }

  Result<void> send(const Frame& frame, Deadline deadline = soon()) {
    return send_frame(ours_.get(), frame, deadline, os::StopWaker());
  }

  os::UniqueFd ours_;
  os::UniqueFd theirs_;
};

TEST_F(FrameIo, CarriesFramesInOrder) {
  ASSERT_TRUE(send({.kind = 1, .id = 10, .parts = {"a", "b", "c"}}).ok());
  ASSERT_TRUE(send({.kind = 2, .id = 11, .parts = {}}).ok());
  FrameReader reader(theirs_.get());
  EXPECT_EQ(reader.receive(soon(), os::StopWaker()).value(),
            (Frame{.kind = 1, .id = 10, .parts = {"a", "b", "c"}}));
  EXPECT_EQ(reader.receive(soon(), os::StopWaker()).value(),
            (Frame{.kind = 2, .id = 11, .parts = {}}));
}

TEST_F(FrameIo, CarriesAFrameOfTheLargestSizeAndNoLarger) {
  const std::string large(kMaxFrameBytes, 'x');
  std::jthread sender([this, &large] {
    EXPECT_TRUE(send({.kind = 1, .id = 1, .parts = {"", large, ""}}).ok());
    EXPECT_TRUE(send({.kind = 2, .id = 2, .parts = {"after"}}).ok());
  });
  FrameReader reader(theirs_.get());
  EXPECT_EQ(reader.receive(soon(), os::StopWaker()).value().parts[1], large);
  EXPECT_EQ(reader.receive(soon(), os::StopWaker()).value().parts[0], "after");
  EXPECT_EQ(send({.kind = 1, .id = 1, .parts = {large, "y", ""}}).error().code, ErrorCode::Limit);
}

TEST_F(FrameIo, PutsAFrameTogetherFromSingleBytes) {
  const Frame frame{.kind = 3, .id = 4, .parts = {"part", "", "other"}};
  const FrameHeaderBytes header = encode_header(frame);
  std::string bytes(header.data(), header.size());
  bytes.append("partother");
  FrameReader reader(theirs_.get());
  for (const char byte : bytes) {
    EXPECT_FALSE(reader.next().value().has_value());
    ASSERT_EQ(::write(ours_.get(), &byte, 1), 1);
    ASSERT_EQ(reader.fill(FrameReader::Block::Yes).value(), FrameReader::Fill::Received);
  }
  EXPECT_EQ(reader.next().value(), frame);
  EXPECT_EQ(reader.fill(FrameReader::Block::No).value(), FrameReader::Fill::Nothing);
}

TEST_F(FrameIo, ReportsTheEndAndAnEndInTheMiddle) {
  ASSERT_EQ(::write(ours_.get(), "GDN", 3), 3);
  ours_.reset();
  FrameReader reader(theirs_.get());
  const auto frame = reader.receive(soon(), os::StopWaker());
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.error().code, ErrorCode::Io);
}

TEST_F(FrameIo, SendingToNobodyIsAnErrorAndNoSignal) {
  theirs_.reset();
  EXPECT_EQ(send({.kind = 1}).error().code, ErrorCode::Io);
}

TEST_F(FrameIo, NeitherSideWaitsPastItsDeadlineOrAStop) {
  const std::string much(8 << 20, 'x');
  EXPECT_FALSE(send({.kind = 1, .id = 1, .parts = {much}}, Clock::now()).ok());
  std::stop_source source;
  source.request_stop();
  FrameReader reader(ours_.get());
  EXPECT_FALSE(reader.receive(Clock::now(), os::StopWaker()).ok());
  EXPECT_FALSE(reader.receive(Deadline::max(), os::StopWaker(source.get_token())).ok());
}

TEST_F(FrameIo, RefusesGarbage) {
  ASSERT_EQ(::write(ours_.get(), "this is certainly not one of our frames", 39), 39);
  FrameReader reader(theirs_.get());
  EXPECT_FALSE(reader.receive(soon(), os::StopWaker()).ok());
}

}  // namespace
}  // namespace goondan::ipc
