#include "ipc/frame.h"

#include <cstring>
#include <string>

namespace goondan::ipc {
namespace {

struct Header {
  std::uint32_t magic = kFrameMagic;
  std::uint32_t kind = 0;
  std::uint64_t id = 0;
  std::array<std::uint32_t, kFrameParts> sizes = {};
};

template <class Number>
Number take(std::string_view& bytes) {
  Number number{};
  bytes.copy(reinterpret_cast<char*>(&number), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

template <class Number>
char* put(char* at, Number number) {
  std::memcpy(at, &number, sizeof number);
  return at + sizeof number;
}

// `bytes` holds at least a header.
Header decode_header(std::string_view bytes) {
  Header header;
  header.magic = take<std::uint32_t>(bytes);
  header.kind = take<std::uint32_t>(bytes);
  header.id = take<std::uint64_t>(bytes);
  for (std::uint32_t& size : header.sizes)
    size = take<std::uint32_t>(bytes);
  return header;
}

}  // namespace

std::size_t Frame::size() const {
  std::size_t sum = 0;
  for (const std::string_view part : parts)
    sum += part.size();
  return sum;
}

FrameHeaderBytes encode_header(const Frame& frame) {
  FrameHeaderBytes bytes{};
  char* at = put(bytes.data(), kFrameMagic);
  at = put(at, frame.kind);
  at = put(at, frame.id);
  for (const std::string_view part : frame.parts)
    at = put(at, static_cast<std::uint32_t>(part.size()));
  return bytes;
}

Result<std::optional<std::size_t>> frame_extent(std::string_view bytes) {
  if (bytes.size() < kFrameHeaderBytes) return std::optional<std::size_t>();
  const Header header = decode_header(bytes);
  if (header.magic != kFrameMagic) {
    return Error{.code = ErrorCode::Io, .message = "what was received is not a frame"};
  }
  std::size_t sum = 0;
  for (const std::uint32_t size : header.sizes)
    sum += size;
  if (sum > kMaxFrameBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a frame of " + std::to_string(sum) +
                            " bytes is larger than the limit of " + std::to_string(kMaxFrameBytes)};
  }
  return std::optional(kFrameHeaderBytes + sum);
}

Result<std::optional<Frame>> parse_frame(std::string_view bytes) {
  const std::optional<std::size_t> extent = GDN_TRY(frame_extent(bytes));
  if (!extent || bytes.size() < *extent) return std::optional<Frame>();
  const Header header = decode_header(bytes);
  Frame frame{.kind = header.kind, .id = header.id};
  bytes.remove_prefix(kFrameHeaderBytes);
  for (std::size_t i = 0; i < kFrameParts; ++i) {
    frame.parts[i] = bytes.substr(0, header.sizes[i]);
    bytes.remove_prefix(header.sizes[i]);
  }
  return std::optional(frame);
}

}  // namespace goondan::ipc
