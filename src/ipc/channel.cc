#include "ipc/channel.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

namespace goondan::ipc {
namespace {

constexpr std::size_t kReceiveChunk = std::size_t{32} << 10;

Error gone() {
  return {.code = ErrorCode::Io, .message = "the process on the other side has ended"};
}

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

enum class Got { Bytes, Nothing };

// Receives once, without waiting, into `decoder`.
Result<Got> receive_once(int socket, MessageDecoder& decoder) {
  std::array<char, kReceiveChunk> chunk;
  while (true) {
    const ssize_t got = ::recv(socket, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got > 0) {
      decoder.feed({chunk.data(), static_cast<std::size_t>(got)});
      return Got::Bytes;
    }
    if (got == 0) return gone();
    if (errno == EINTR) continue;
    if (would_block(errno)) return Got::Nothing;
    return gone();
  }
}

// Takes from `rest` what has been sent.
Result<void> send_all(int socket, std::string_view& rest, Deadline deadline) {
  const os::StopWaker never;
  while (!rest.empty()) {
    const ssize_t put = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(put));
    } else if (would_block(errno)) {
      if (os::wait_writable(socket, deadline, never) != os::Wake::Ready) {
        return Error{.code = ErrorCode::Io,
                     .message = "the process on the other side does not read"};
      }
    } else if (errno != EINTR) {
      return gone();
    }
  }
  return {};
}

}  // namespace

Result<void> Channel::send(const Message& message, Deadline deadline) {
  const std::string bytes = GDN_TRY(encode_message(message));
  const std::lock_guard lock(send_mutex_);
  if (cut_off_) return gone();
  std::string_view rest = bytes;
  Result<void> sent = send_all(socket_.get(), rest, deadline);
  cut_off_ = !sent.ok() && rest.size() < bytes.size();
  return sent;
}

Result<Message> Channel::receive(Deadline deadline, const os::StopWaker& stop) {
  while (true) {
    std::optional<Message> message = GDN_TRY(decoder_.next());
    if (message) return *std::move(message);
    switch (os::wait_readable(socket_.get(), deadline, stop)) {
      case os::Wake::TimedOut:
        return Error{.code = ErrorCode::ToolTimeout, .message = "no message came in time"};
      case os::Wake::Stopped:
        return Error{.code = ErrorCode::ToolCancelled, .message = "waiting was cancelled"};
      case os::Wake::Ready:
        break;
    }
    GDN_TRY(receive_once(socket_.get(), decoder_));
  }
}

Peer::Peer(os::UniqueFd socket, std::string_view received, std::string_view unsent)
    : socket_(std::move(socket)), out_(unsent) {
  decoder_.feed(received);
}

Result<void> Peer::send(const Message& message) {
  const std::string bytes = GDN_TRY(encode_message(message));
  if (queued() + bytes.size() > kMaxQueuedBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "'" + message.to + "' leaves too many messages unread"};
  }
  out_ += bytes;
  return flush();
}

Result<void> Peer::flush() {
  while (queued() > 0) {
    const ssize_t put =
        ::send(socket_.get(), out_.data() + sent_, queued(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) {
      sent_ += static_cast<std::size_t>(put);
    } else if (put < 0 && would_block(errno)) {
      break;
    } else if (errno != EINTR) {
      return gone();
    }
  }
  if (queued() == 0) {
    out_.clear();
    sent_ = 0;
  } else if (sent_ > kMaxMessageBytes) {
    out_.erase(0, sent_);
    sent_ = 0;
  }
  return {};
}

Result<void> Peer::receive(std::vector<Message>& into) {
  Result<Got> got = Got::Bytes;
  for (std::size_t taken = 0; taken < kMaxReceiveBytes && got.ok() && *got == Got::Bytes;
       taken += kReceiveChunk) {
    got = receive_once(socket_.get(), decoder_);
    while (true) {
      std::optional<Message> message = GDN_TRY(decoder_.next());
      if (!message) break;
      into.push_back(*std::move(message));
    }
  }
  if (!got.ok()) return got.error();
  return {};
}

short Peer::events() const {
  return static_cast<short>(queued() > 0 ? POLLIN | POLLOUT : POLLIN);
}

}  // namespace goondan::ipc
