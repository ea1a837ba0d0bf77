// One message between two processes of ours on the same machine: a fixed header and three parts.
//
// The header holds a magic number with the version of this format, a kind, an id and the sizes of
// the parts, all in the machine's own byte order. What kinds and parts mean is the user's business.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goondan/result.h>

namespace goondan::ipc {

inline constexpr std::uint32_t kFrameMagic = 0x474E4401;  // "GDN" and the version
inline constexpr std::size_t kFrameParts = 3;
inline constexpr std::size_t kFrameHeaderBytes = 4 + 4 + 8 + kFrameParts * 4;

// The parts of one frame together; whoever announces more is cut off.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{64} << 20;

// A view: the parts belong to whoever made or read the frame.
struct Frame {
  std::uint32_t kind = 0;
  std::uint64_t id = 0;
  std::array<std::string_view, kFrameParts> parts = {};

  // Of the parts, without the header.
  [[nodiscard]] std::size_t size() const;

  friend bool operator==(const Frame&, const Frame&) = default;
};

using FrameHeaderBytes = std::array<char, kFrameHeaderBytes>;

// The header to send before the parts, which are at most `kMaxFrameBytes` together.
FrameHeaderBytes encode_header(const Frame& frame);

// How many bytes the frame that `bytes` begins with takes, header included; nothing if `bytes`
// does not hold a whole header yet. Fails for a foreign magic number and for too large parts.
Result<std::optional<std::size_t>> frame_extent(std::string_view bytes);

// The frame that `bytes` begins with, as views into it; nothing if it is not complete yet.
Result<std::optional<Frame>> parse_frame(std::string_view bytes);

}  // namespace goondan::ipc
