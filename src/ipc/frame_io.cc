#include "ipc/frame_io.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>

#include "os/os_error.h"

namespace goondan::ipc {
namespace {

constexpr std::size_t kSmallBuffer = std::size_t{16} * 1024;
// A buffer that grew for one large frame is given back after it.
constexpr std::size_t kKeptBuffer = std::size_t{256} * 1024;

using Pieces = std::array<iovec, kFrameParts + 1>;

iovec piece(std::string_view bytes) {
  // `sendmsg` only reads; its type is shared with `recvmsg`.
  return {.iov_base = const_cast<char*>(bytes.data()),  // NOLINT: see above
          .iov_len = bytes.size()};
}

// Forgets the first `sent` bytes of `pieces`; whether any are left.
bool advance(Pieces& pieces, std::size_t sent) {
  bool any = false;
  for (iovec& part : pieces) {
    const std::size_t step = std::min(sent, part.iov_len);
    part.iov_base = static_cast<char*>(part.iov_base) + step;
    part.iov_len -= step;
    sent -= step;
    any = any || part.iov_len > 0;
  }
  return any;
}

Error interrupted(os::Wake wake, std::string_view what) {
  const char* const why = wake == os::Wake::Stopped ? "was stopped" : "took too long";
  return {.code = ErrorCode::Io, .message = std::string(what) + " " + why};
}

}  // namespace

Result<std::pair<os::UniqueFd, os::UniqueFd>> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return os::os_error("cannot make a pair of sockets", errno);
  }
  return std::pair(os::UniqueFd(ends[0]), os::UniqueFd(ends[1]));
}

Result<void> send_frame(int socket, const Frame& frame, Deadline deadline,
                        const os::StopWaker& stop) {
  if (frame.size() > kMaxFrameBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a message of " + std::to_string(frame.size()) +
                            " bytes is larger than the limit of " + std::to_string(kMaxFrameBytes)};
  }
  const FrameHeaderBytes header = encode_header(frame);
  Pieces pieces{piece({header.data(), header.size()}), piece(frame.parts[0]), piece(frame.parts[1]),
                piece(frame.parts[2])};
  while (true) {
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 && !advance(pieces, static_cast<std::size_t>(sent))) return {};
    if (sent >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return os::os_error("cannot send", errno);
    const os::Wake wake = os::wait_writable(socket, deadline, stop);
    if (wake != os::Wake::Ready) return interrupted(wake, "sending");
  }
}

std::string_view FrameReader::pending() const {
  return std::string_view(buffer_).substr(begin_, end_ - begin_);
}

Result<std::optional<Frame>> FrameReader::next() {
  const std::optional<Frame> frame = GDN_TRY(parse_frame(pending()));
  if (frame) begin_ += kFrameHeaderBytes + frame->size();
  return frame;
}

// Room for the rest of a frame that is on its way, but no more than has come of it already.
std::size_t FrameReader::room_wanted() const {
  const std::size_t have = pending().size();
  const Result<std::optional<std::size_t>> extent = frame_extent(pending());
  const std::size_t whole = extent.ok() ? extent->value_or(0) : 0;
  if (whole <= have) return kSmallBuffer;
  return std::clamp(whole - have, kSmallBuffer, std::max(have, kSmallBuffer));
}

Result<FrameReader::Fill> FrameReader::fill(Block block) {
  if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= std::exchange(begin_, 0);
    if (end_ == 0 && buffer_.size() > kKeptBuffer) {
      buffer_.resize(kSmallBuffer);
      buffer_.shrink_to_fit();
    }
  }
  const std::size_t room = room_wanted();
  if (buffer_.size() < end_ + room) buffer_.resize(end_ + room);
  const int flags = block == Block::Yes ? 0 : MSG_DONTWAIT;
  const ssize_t count = ::recv(socket_, buffer_.data() + end_, buffer_.size() - end_, flags);
  if (count > 0) {
    end_ += static_cast<std::size_t>(count);
    return Fill::Received;
  }
  if (count == 0 || errno == ECONNRESET) return Fill::End;
  if (errno == EAGAIN || errno == EINTR) return Fill::Nothing;
  return os::os_error("cannot receive", errno);
}

Result<Frame> FrameReader::receive(Deadline deadline, const os::StopWaker& stop) {
  while (true) {
    if (const std::optional<Frame> frame = GDN_TRY(next())) return *frame;
    const os::Wake wake = os::wait_readable(socket_, deadline, stop);
    if (wake != os::Wake::Ready) return interrupted(wake, "waiting for a message");
    if (GDN_TRY(fill(Block::No)) == Fill::End) {
      return Error{.code = ErrorCode::Io, .message = "the other side has closed the connection"};
    }
  }
}

}  // namespace goondan::ipc
