#include "mcp/line_writer.h"

#include <cerrno>
#include <sys/socket.h>

namespace goondan::mcp {
namespace {

// How much sent text is kept at the front of the queue before it is moved.
constexpr std::size_t kMaxSentBytes = std::size_t{1} << 20;

// How much of `bytes` goes out without waiting; nothing if the other side is gone.
std::optional<std::size_t> send_some(int socket, std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t put =
        ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) {
      sent += static_cast<std::size_t>(put);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      return {};
    }
  }
  return sent;
}

Error gone() {
  return {.code = ErrorCode::McpServer, .message = "the server no longer reads what it is sent"};
}

}  // namespace

Result<LineWriter::Left> LineWriter::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (gone_) return gone();
  const std::size_t queued = queue_.size() - sent_;
  if (queued > 0) {
    if (queued + line.size() > kMaxUnreadBytes) {
      return Error{.code = ErrorCode::Limit,
                   .message = std::to_string(queued) + " bytes are not read by the server"};
    }
    queue_ += line;
    return flush_locked();
  }
  const auto sent = send_some(socket_.get(), line);
  if (!sent) {
    gone_ = true;
    return gone();
  }
  queue_ = line.substr(*sent);
  return queue_.empty() ? Left::Nothing : Left::Queued;
}

LineWriter::Left LineWriter::flush() {
  const std::lock_guard lock(mutex_);
  return flush_locked();
}

LineWriter::Left LineWriter::flush_locked() {
  const auto sent = send_some(socket_.get(), std::string_view(queue_).substr(sent_));
  if (!sent) gone_ = true;
  sent_ += sent.value_or(0);
  if (gone_ || sent_ == queue_.size()) {
    queue_ = std::string();
    sent_ = 0;
    return Left::Nothing;
  }
  if (sent_ > kMaxSentBytes) {
    queue_.erase(0, sent_);
    sent_ = 0;
  }
  return Left::Queued;
}

bool LineWriter::open() const {
  const std::lock_guard lock(mutex_);
  return !gone_;
}

int LineWriter::wanted_fd() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() ? -1 : socket_.get();
}

void LineWriter::close() {
  const std::lock_guard lock(mutex_);
  socket_.reset();
  gone_ = true;
  queue_ = std::string();
  sent_ = 0;
}

}  // namespace goondan::mcp
