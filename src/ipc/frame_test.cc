#include "ipc/frame.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace goondan::ipc {
namespace {

std::string encode(const Frame& frame) {
  const FrameHeaderBytes header = encode_header(frame);
  std::string bytes(header.data(), header.size());
  for (const std::string_view part : frame.parts)
    bytes += part;
  return bytes;
}

TEST(Frame, ReadsBackWhatWasWritten) {
  const Frame frame{.kind = 7, .id = 1ULL << 60, .parts = {"one", "", "three"}};
  const std::string bytes = encode(frame) + "rest";
  EXPECT_EQ(parse_frame(bytes).value(), frame);
  EXPECT_EQ(frame_extent(bytes).value(), kFrameHeaderBytes + 8);
}

TEST(Frame, IsNothingUntilItsLastByteIsThere) {
  const std::string bytes = encode({.kind = 1, .id = 2, .parts = {"ab", "c", "def"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(parse_frame(std::string_view(bytes).substr(0, size)).value().has_value());
  }
  EXPECT_TRUE(parse_frame(bytes).value().has_value());
}

TEST(Frame, RefusesAForeignMagicNumber) {
  std::string bytes = encode({.kind = 1});
  bytes[0] = '\x7F';
  EXPECT_EQ(parse_frame(bytes).error().code, ErrorCode::Io);
  EXPECT_FALSE(parse_frame("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").ok());
}

TEST(Frame, RefusesToBelieveInHugeParts) {
  std::string bytes = encode({.kind = 1});
  const std::uint32_t huge = 0xFFFFFFFF;
  for (const std::size_t offset : {16u, 20u, 24u}) {
    std::memcpy(bytes.data() + offset, &huge, sizeof huge);
    EXPECT_EQ(parse_frame(bytes).error().code, ErrorCode::Limit);
  }
  std::string sum = encode({.kind = 1});
  const auto half = static_cast<std::uint32_t>(kMaxFrameBytes / 2 + 1);
  std::memcpy(sum.data() + 16, &half, sizeof half);
  std::memcpy(sum.data() + 20, &half, sizeof half);
  EXPECT_EQ(parse_frame(sum).error().code, ErrorCode::Limit);
}

}  // namespace
}  // namespace goondan::ipc
