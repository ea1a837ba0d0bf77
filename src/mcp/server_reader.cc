#include "mcp/server_reader.h"

#include <array>
#include <cerrno>
#include <signal.h>
#include <unistd.h>

#include "mcp/json_rpc.h"
#include "os/pidfd.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

}  // namespace

ServerReader::ServerReader(Parts parts, ServerProcess process)
    : parts_(parts),
      output_(std::move(process.output)),
      error_(std::move(process.error)),
      child_(std::move(process.child)),
      stderr_lines_(parts.log),
      sorter_({.server = parts.name,
               .pending = parts.pending,
               .log = parts.log,
               .on_message = parts.on_message}) {}

// Reads once, without waiting.
template <class Take>
ServerReader::Got ServerReader::read_once(int fd, Take take) {
  std::array<char, kReadBytes> bytes;
  const ssize_t got = ::read(fd, bytes.data(), bytes.size());
  if (got > 0) {
    take(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
    return Got::Some;
  }
  return got < 0 && (errno == EAGAIN || errno == EINTR) ? Got::Nothing : Got::End;
}

Error ServerReader::run(const os::StopWaker& stop) {
  while (true) {
    // A server that has said too much at once has to wait, also with its end.
    const bool hear = !messages_pace_.paused();
    const int error = stderr_pace_.paused() ? -1 : error_.get();
    std::array<pollfd, 5> fds{pollfd{hear ? output_.get() : -1, POLLIN, 0},
                              pollfd{error, POLLIN, 0}, pollfd{parts_.wake, POLLIN, 0},
                              pollfd{parts_.writer.wanted_fd(), POLLOUT, 0},
                              pollfd{hear ? child_.pidfd() : -1, POLLIN, 0}};
    if (os::wait_any(fds, next_turn(), stop) == os::Wake::Stopped) {
      return {.code = ErrorCode::McpServer,
              .message = "the connection to '" + std::string(parts_.name) + "' was closed"};
    }
    if (fds[1].revents != 0) read_stderr();
    if (fds[2].revents != 0) settle_wake();
    if (fds[3].revents != 0) parts_.writer.flush();
    if (fds[0].revents != 0) {
      const Result<Got> got = read_messages();
      if (!got.ok()) return got.error();
      if (*got == Got::End) return server_ended();
    } else if (fds[4].revents != 0) {
      return server_ended();
    }
  }
}

// When to look again even if nothing happens.
Deadline ServerReader::next_turn() const {
  Deadline turn = Deadline::max();
  for (const Pace* pace : {&messages_pace_, &stderr_pace_}) {
    if (pace->paused()) turn = std::min(turn, pace->end());
  }
  return turn;
}

void ServerReader::settle_wake() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(parts_.wake, &count, sizeof count);
}

Result<ServerReader::Got> ServerReader::read_messages() {
  const Got got = read_once(output_.get(), [this](std::string_view bytes) { lines_.feed(bytes); });
  const std::size_t before = sorter_.unasked();
  while (const std::optional<std::string_view> line = lines_.next())
    GDN_TRY(sorter_.take(*line));
  messages_pace_.add(sorter_.unasked() - before);
  if (lines_.too_long()) {
    return Error{.code = ErrorCode::Limit,
                 .message = "'" + std::string(parts_.name) + "' sent a message longer than " +
                            std::to_string(kMaxMessageBytes) + " bytes",
                 .suggestion = "Ask the server for less at a time."};
  }
  return got;
}

void ServerReader::read_stderr() {
  const Got got = read_once(error_.get(), [this](std::string_view bytes) {
    stderr_lines_.feed(bytes);
    stderr_pace_.add(bytes.size());
  });
  if (got == Got::End) error_.reset();
}

Error ServerReader::server_ended() {
  const bool ended = wait_for_end(Clock::now() + kReasonTime);
  const auto status = ended ? child_.wait(Clock::now() + kReasonTime) : std::nullopt;
  stderr_lines_.flush();
  std::string message = "the server '" + std::string(parts_.name) +
                        (ended ? "' has ended" : "' has closed its standard output");
  if (status) message += " (" + status->text() + ")";
  if (!stderr_lines_.tail().empty()) {
    message += ": " + clean_text(stderr_lines_.tail(), kMaxStderrTail);  // the last words count
  }
  return {.code = ErrorCode::McpServer,
          .message = std::move(message),
          .suggestion = "See in the log what the server said, or run its command by hand."};
}

// Whether the process has ended by then. Meanwhile nothing that it writes holds it up.
bool ServerReader::wait_for_end(Deadline deadline) {
  const os::StopWaker never;
  while (true) {
    std::array<pollfd, 3> fds{pollfd{output_.get(), POLLIN, 0}, pollfd{error_.get(), POLLIN, 0},
                              pollfd{child_.pidfd(), POLLIN, 0}};
    if (os::wait_any(fds, deadline, never) != os::Wake::Ready) return false;
    if (fds[1].revents != 0) read_stderr();
    if (fds[0].revents != 0 && read_once(output_.get(), [](std::string_view) {}) == Got::End) {
      output_.reset();
    }
    if (fds[2].revents != 0 && fds[1].revents == 0) return true;
    if (Clock::now() >= deadline) return false;
  }
}

void ServerReader::end() {
  parts_.writer.close();
  if (!wait_for_end(Clock::now() + kCloseTime)) {
    os::signal_pidfd(child_.pidfd(), SIGTERM);
    wait_for_end(Clock::now() + kTermTime);
  }
  child_.kill();
  stderr_lines_.flush();
}

}  // namespace goondan::mcp
