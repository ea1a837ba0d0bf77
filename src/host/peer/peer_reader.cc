#include "host/peer/peer_reader.h"

#include <cerrno>
#include <signal.h>
#include <sys/socket.h>

#include "base/json_fields.h"
#include "os/own_children.h"

namespace goondan::peer {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
constexpr std::chrono::seconds kOrphanTime{1};

Error bad(std::string what) {
  return {.code = ErrorCode::ToolBadReply, .message = std::move(what)};
}

// The way in which `watch` says that the child ended by itself.
Error ended_by_itself() {
  return {.code = ErrorCode::ExtensionCrash, .message = ""};
}

void drain_event(int fd) {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t count = ::read(fd, &ignored, sizeof ignored);
}

}  // namespace

PeerReader::PeerReader(Parts parts)
    : parts_(std::move(parts)),
      connection_(*parts_.connection),
      output_([this](std::string line) { post_line(std::move(line)); }),
      errors_([this](std::string line) { post_line(std::move(line)); }) {}

void PeerReader::run() {
  const Error why = watch().error();
  const os::ExitStatus status = await_end(why);
  output_.finish();
  errors_.finish();
  connection_.calls().end(describe(why, status));
  connection_.outbox().close();
  connection_.set_phase(Connection::Phase::Ended);
  // Who kills the supervisor as well leaves what it had started to us.
  if (status.how == os::ExitStatus::How::Signalled && status.number == SIGKILL) {
    os::end_orphans(Clock::now() + kOrphanTime);
  }
}

// Returns why it is over.
Result<void> PeerReader::watch() {
  std::array<pollfd, 5> fds{
      pollfd{.fd = connection_.socket(), .events = POLLIN, .revents = 0},
      pollfd{.fd = connection_.reader_event(), .events = POLLIN, .revents = 0},
      pollfd{.fd = parts_.process.pidfd(), .events = POLLIN, .revents = 0},
      pollfd{.fd = parts_.output.get(), .events = POLLIN, .revents = 0},
      pollfd{.fd = parts_.errors.get(), .events = POLLIN, .revents = 0}};
  const os::StopWaker never;
  while (true) {
    fds[0].events = static_cast<short>(POLLIN | (connection_.outbox().pending() ? POLLOUT : 0));
    fds[3].fd = parts_.output.get();
    fds[4].fd = parts_.errors.get();
    os::wait_any(fds, due(), never);
    GDN_TRY(look(fds));
    if (due() <= Clock::now()) return overdue();
  }
}

Result<void> PeerReader::look(const std::array<pollfd, 5>& fds) {
  if (fds[1].revents != 0) drain_event(connection_.reader_event());
  if (const std::optional<Error> order = connection_.ordered_end()) return *order;
  if ((fds[0].revents & POLLOUT) != 0) connection_.outbox().flush();
  if ((fds[0].revents & ~POLLOUT) != 0 && GDN_TRY(receive()) == From::Closed) {
    return ended_by_itself();
  }
  if (fds[3].revents != 0 && read_pipe(fds[3].fd, output_) == From::Closed) parts_.output.reset();
  if (fds[4].revents != 0 && read_pipe(fds[4].fd, errors_) == From::Closed) parts_.errors.reset();
  if (fds[2].revents == 0) return {};
  GDN_TRY(drain());
  return ended_by_itself();
}

Deadline PeerReader::due() const {
  return greeted_ ? connection_.life_due() : parts_.hello_by;
}

Error PeerReader::overdue() const {
  if (!greeted_) return {.code = ErrorCode::HostUnavailable, .message = "it did not start in time"};
  return {.code = ErrorCode::ExtensionCrash,
          .message = "it did nothing any more after a call was cancelled"};
}

PeerReader::From PeerReader::fill() {
  std::array<char, kReadBytes> buffer;
  const ssize_t count = ::recv(connection_.socket(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return From::Empty;
  if (count <= 0) return From::Closed;
  decoder_.feed({buffer.data(), static_cast<std::size_t>(count)});
  return From::Open;
}

Result<PeerReader::From> PeerReader::receive() {
  if (const From from = fill(); from != From::Open) return from;
  while (const auto text = GDN_TRY(decoder_.next())) {
    Incoming message = GDN_TRY(parse_incoming(*text));
    GDN_TRY(take(std::move(message)));
  }
  return From::Open;
}

PeerReader::From PeerReader::read_pipe(int fd, ChildOutput& into) {
  std::array<char, kReadBytes> buffer;
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return From::Empty;
  if (count <= 0) return From::Closed;
  into.feed({buffer.data(), static_cast<std::size_t>(count)});
  return From::Open;
}

Result<void> PeerReader::take(Incoming message) {
  using Delivery = WaitingCalls::Delivery;
  if (!greeted_) return take_hello(message);
  switch (message.type) {
    case Incoming::Type::Hello:
      return bad("it said hello twice");
    case Incoming::Type::Reply: {
      if (connection_.is_sign_of_life(message.id)) return {};
      // A late reply, to a call that nobody waits for any more, is dropped.
      const Delivery delivery = connection_.calls().deliver(message);
      return delivery == Delivery::Flood ? Result<void>(bad("its replies are too large"))
                                         : Result<void>();
    }
    case Incoming::Type::Request:
      return take_request(std::move(message));
    case Incoming::Type::Notify:
      break;
  }
  if (!message.call) {
    parts_.listeners.post(std::move(message));
    return {};
  }
  const Delivery delivery = connection_.calls().deliver(message);
  if (delivery == Delivery::Flood) return bad("it sends more than can be handled");
  // What is logged late, after the call has ended, is heard all the same.
  if (delivery == Delivery::NoSuchCall && message.method == "log") {
    parts_.listeners.post(std::move(message));
  }
  return {};
}

Result<void> PeerReader::take_hello(const Incoming& message) {
  if (message.type != Incoming::Type::Hello) return bad("it did not begin with hello");
  const auto version = integer_field(object_or_empty(message.value), "version");
  if (version != kProtocolVersion) {
    return bad("it speaks version " + std::to_string(version.value_or(0)) +
               " of the protocol, not " + std::to_string(kProtocolVersion));
  }
  greeted_ = true;
  connection_.set_phase(Connection::Phase::Ready);
  return {};
}

Result<void> PeerReader::take_request(Incoming message) {
  const std::uint64_t id = message.id;
  if (message.error) {
    connection_.answer(answer_frame(id, *message.error));
    return {};
  }
  if (!message.call) {
    parts_.listeners.post(std::move(message), [connection = parts_.connection](std::string frame) {
      connection->answer(std::move(frame));
    });
    return {};
  }
  switch (connection_.calls().deliver(message)) {
    case WaitingCalls::Delivery::Taken:
      return {};
    case WaitingCalls::Delivery::Dropped:
    case WaitingCalls::Delivery::NoSuchCall:
      break;
    case WaitingCalls::Delivery::Flood:
      return bad("it asks for more than can be answered");
  }
  connection_.answer(
      answer_frame(id, Error{.code = ErrorCode::ToolCancelled, .message = "the call has ended"}));
  return {};
}

void PeerReader::post_line(std::string line) {
  const std::size_t bytes = line.size();
  parts_.listeners.post({.method = "log",
                         .value = JsonObject{{"level", "info"}, {"text", std::move(line)}},
                         .bytes = bytes});
}

}  // namespace goondan::peer
