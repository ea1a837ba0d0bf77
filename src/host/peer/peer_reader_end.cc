// How a child ends, and what is said about it.
#include <sys/socket.h>

#include "host/peer/peer_reader.h"

namespace goondan::peer {
namespace {

// What is read of a child that has ended; a survivor that goes on for ever is not waited for.
constexpr std::size_t kReadsAfterEnd = 64;

// "ended with exit code 3", "was killed by SIGSEGV"
std::string how(const os::ExitStatus& status) {
  const bool killed = status.how == os::ExitStatus::How::Signalled;
  return (killed ? "was killed by " : "ended with ") + status.text();
}

}  // namespace

// Takes what a child has said and printed before it ended.
Result<void> PeerReader::drain() {
  for (std::size_t i = 0; i < kReadsAfterEnd; ++i) {
    if (GDN_TRY(receive()) != From::Open) break;
  }
  return {};
}

// What is logged on the way out, e.g. a promise that nobody awaited and that failed. Nothing else
// counts any more.
PeerReader::From PeerReader::hear_last_words() {
  if (const From from = fill(); from != From::Open) return from;
  while (true) {
    const auto text = decoder_.next();
    if (!text.ok()) return From::Closed;
    if (!*text) return From::Open;
    Result<Incoming> message = parse_incoming(**text);
    if (!message.ok()) return From::Closed;
    if (message->method == "log") parts_.listeners.post(*std::move(message));
  }
}

// The socket is closed as the order to end. What the child still says and prints is read, or it
// might wait for us.
os::ExitStatus PeerReader::await_end(const Error& why) {
  const bool hear = greeted_ && why.code == ErrorCode::HostUnavailable;  // it is not at fault
  ::shutdown(connection_.socket(), hear ? SHUT_WR : SHUT_RDWR);
  const bool silent = connection_.life_due() != Deadline::max();
  const Deadline deadline = Clock::now() + (silent ? kSilentEndTime : kEndTime);
  std::array<pollfd, 4> fds{
      pollfd{.fd = parts_.process.pidfd(), .events = POLLIN, .revents = 0},
      pollfd{.fd = parts_.output.get(), .events = POLLIN, .revents = 0},
      pollfd{.fd = parts_.errors.get(), .events = POLLIN, .revents = 0},
      pollfd{.fd = hear ? connection_.socket() : -1, .events = POLLIN, .revents = 0}};
  const os::StopWaker never;
  while (fds[0].revents == 0 && Clock::now() < deadline) {
    os::wait_any(fds, deadline, never);
    if (fds[1].revents != 0 && read_pipe(fds[1].fd, output_) == From::Closed) fds[1].fd = -1;
    if (fds[2].revents != 0 && read_pipe(fds[2].fd, errors_) == From::Closed) fds[2].fd = -1;
    if (fds[3].revents != 0 && hear_last_words() == From::Closed) fds[3].fd = -1;
  }
  for (std::size_t i = 0; i < kReadsAfterEnd; ++i) {
    if (fds[2].fd < 0 || read_pipe(fds[2].fd, errors_) != From::Open) break;
  }
  for (std::size_t i = 0; i < kReadsAfterEnd; ++i) {
    if (fds[3].fd < 0 || hear_last_words() != From::Open) break;
  }
  const std::optional<os::ExitStatus> status = parts_.process.wait(Clock::now());
  return status ? *status : parts_.process.kill();
}

Error PeerReader::describe(const Error& why, const os::ExitStatus& status) const {
  Error error{.code = why.code, .message = parts_.name};
  const bool by_itself = why.message.empty();
  if (!greeted_ && why.code == ErrorCode::ExtensionCrash) error.code = ErrorCode::HostUnavailable;
  if (by_itself) {
    error.message += greeted_ ? " " + how(status) : " " + how(status) + " before it was ready";
  } else {
    error.message += ": " + why.message;
  }
  const std::string tail = errors_.tail();
  if (!tail.empty()) error.message += "; it last wrote: " + tail;
  error.suggestion = why.suggestion;
  if (!error.suggestion.empty()) return error;
  error.suggestion = greeted_ ? "The next call starts it again; look for what ends it in its code."
                              : "Look at what it wrote; start it by hand to see more.";
  return error;
}

}  // namespace goondan::peer
