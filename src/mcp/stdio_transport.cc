#include "mcp/stdio_transport.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <signal.h>
#include <sys/eventfd.h>
#include <thread>

#include "mcp/json_rpc.h"
#include "mcp/line_buffer.h"
#include "mcp/line_writer.h"
#include "mcp/message_sorter.h"
#include "mcp/server_process.h"
#include "mcp/stderr_lines.h"
#include "os/pidfd.h"
#include "os/wait.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
// How long a server may take to end by itself after its input has ended, and then after a signal.
constexpr std::chrono::milliseconds kCloseTime{1'000};
constexpr std::chrono::milliseconds kTermTime{1'000};
// How long is waited for the reason of an end.
constexpr std::chrono::milliseconds kReasonTime{500};

enum class Read { Some, Nothing, End };

// Reads once, without waiting.
template <class Take>
Read read_some(int fd, Take take) {
  std::array<char, kReadBytes> bytes;
  const ssize_t got = ::read(fd, bytes.data(), bytes.size());
  if (got > 0) {
    take(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
    return Read::Some;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Read::Nothing;
  return Read::End;
}

// The thread of the transport owns the process and is the only one to read; requests are written by
// whoever makes them.
class StdioTransport final : public Transport {
 public:
  StdioTransport(std::string name, ServerProcess process, os::UniqueFd wake, OnMessage on_message,
                 ServerLog::Sink log)
      : name_(std::move(name)),
        on_message_(std::move(on_message)),
        log_(std::move(log)),
        writer_(std::move(process.input)),
        output_(std::move(process.output)),
        error_(std::move(process.error)),
        wake_(std::move(wake)),
        child_(std::move(process.child)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  Result<Json> request(const Outgoing& outgoing) override;
  Result<void> send(const Json& message, Deadline deadline) override;
  void set_era(Era, std::string) override {}
  void listen() override {}

  [[nodiscard]] bool alive() const override { return alive_ && writer_.open(); }

 private:
  Result<void> write(const Json& message);
  Error explain(const Json& message, Error error) const;
  void tell_cancelled(const Json& message, const Error& why);

  // From here on: the thread's.
  void run(const std::stop_token& stop);
  Error pump(const os::StopWaker& stop);
  Result<Read> read_messages();
  Error server_ended();
  void end_process();
  bool wait_for_end(Deadline deadline);
  void read_stderr();
  void settle_wake() const;

  const std::string name_;
  const OnMessage on_message_;
  ServerLog log_;
  PendingRequests pending_;
  LineWriter writer_;
  os::UniqueFd output_;
  os::UniqueFd error_;
  os::UniqueFd wake_;  // something is queued
  os::Child child_;
  std::atomic<bool> alive_ = true;
  LineBuffer lines_{kMaxMessageBytes};
  StderrLines stderr_lines_{log_};
  MessageSorter sorter_{
      {.server = name_, .pending = pending_, .log = log_, .on_message = on_message_}};
  std::jthread thread_;
};

Result<void> StdioTransport::write(const Json& message) {
  std::string line = to_text(message);
  if (line.size() > kMaxMessageBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a message of " + std::to_string(line.size()) + " bytes for '" + name_ +
                            "' is longer than " + std::to_string(kMaxMessageBytes)};
  }
  line += '\n';
  const LineWriter::Left left = GDN_TRY(writer_.write(line));
  if (left == LineWriter::Left::Queued) {
    const std::uint64_t one = 1;
    // It can only fail if the counter is full, and then the thread is awake already.
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
  }
  return {};
}

Result<Json> StdioTransport::request(const Outgoing& outgoing) {
  const std::int64_t id = response_id(outgoing.message.get_object()).value_or(0);
  GDN_TRY(pending_.add(id));
  const Result<void> sent = write(outgoing.message);
  Deadline deadline = outgoing.deadline;
  if (!sent.ok()) {
    if (sent.error().code == ErrorCode::Limit) {
      pending_.forget(id);
      return sent.error();
    }
    // The thread finds out why nobody reads any more.
    deadline = std::min(deadline, Clock::now() + kReasonTime);
  }
  Result<Json> answer = pending_.wait(id, deadline, outgoing.stop);
  if (answer.ok()) return answer;
  const ErrorCode code = answer.error().code;
  if (code != ErrorCode::ToolTimeout && code != ErrorCode::ToolCancelled) return answer;
  if (!sent.ok() && code == ErrorCode::ToolTimeout) return sent.error();
  tell_cancelled(outgoing.message, answer.error());
  return explain(outgoing.message, std::move(answer).error());
}

Error StdioTransport::explain(const Json& message, Error error) const {
  const std::string method(message.at("method").as_string());
  const bool late = error.code == ErrorCode::ToolTimeout;
  error.message = late ? "'" + name_ + "' did not answer '" + method + "' in time"
                       : "the request '" + method + "' to '" + name_ + "' was cancelled";
  if (late) error.suggestion = "Allow it more time, or see in the log what the server is doing.";
  return error;
}

// Old servers may not like to hear of a request before `initialize`, which itself must not be
// cancelled.
void StdioTransport::tell_cancelled(const Json& message, const Error& why) {
  const JsonString& method = message.at("method").as_string();
  if (method == "initialize" || method == "server/discover") return;
  const Json note = make_notification("notifications/cancelled",
                                      {{"requestId", message.at("id")}, {"reason", why.message}});
  // A server that cannot be told is about to be ended anyway.
  [[maybe_unused]] const Result<void> told = write(note);
}

Result<void> StdioTransport::send(const Json& message, Deadline) {
  if (const std::optional<Error> failure = pending_.failure()) return *failure;
  return write(message);
}

void StdioTransport::run(const std::stop_token& stop) {
  const os::StopWaker waker(stop);
  const Error reason = pump(waker);
  alive_ = false;
  pending_.fail_all(reason);
  end_process();
}

Error StdioTransport::pump(const os::StopWaker& stop) {
  while (true) {
    std::array<pollfd, 5> fds{pollfd{output_.get(), POLLIN, 0}, pollfd{error_.get(), POLLIN, 0},
                              pollfd{wake_.get(), POLLIN, 0},
                              pollfd{writer_.wanted_fd(), POLLOUT, 0},
                              pollfd{child_.pidfd(), POLLIN, 0}};
    if (os::wait_any(fds, Deadline::max(), stop) != os::Wake::Ready) {
      return {.code = ErrorCode::McpServer,
              .message = "the connection to '" + name_ + "' was closed"};
    }
    if (fds[1].revents != 0) read_stderr();
    if (fds[2].revents != 0) settle_wake();
    if (fds[3].revents != 0) writer_.flush();
    if (fds[0].revents != 0) {
      Result<Read> got = read_messages();
      if (!got.ok()) return std::move(got).error();
      if (*got == Read::End) return server_ended();
    } else if (fds[4].revents != 0) {
      return server_ended();
    }
  }
}

void StdioTransport::settle_wake() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof count);
}

Result<Read> StdioTransport::read_messages() {
  const Read got = read_some(output_.get(), [this](std::string_view bytes) { lines_.feed(bytes); });
  while (const std::optional<std::string_view> line = lines_.next())
    GDN_TRY(sorter_.take(*line));
  if (lines_.too_long()) {
    return Error{.code = ErrorCode::Limit,
                 .message = "'" + name_ + "' sent a message longer than " +
                            std::to_string(kMaxMessageBytes) + " bytes",
                 .suggestion = "Ask the server for less at a time."};
  }
  return got;
}

void StdioTransport::read_stderr() {
  const Read got =
      read_some(error_.get(), [this](std::string_view bytes) { stderr_lines_.feed(bytes); });
  if (got == Read::End) error_.reset();
}

Error StdioTransport::server_ended() {
  const bool ended = wait_for_end(Clock::now() + kReasonTime);
  const auto status = ended ? child_.wait(Clock::now() + kReasonTime) : std::nullopt;
  stderr_lines_.flush();
  std::string message = "the server '" + name_ + "' has ended";
  if (status) message += " (" + status->text() + ")";
  if (!stderr_lines_.tail().empty()) message += ": " + clean_text(stderr_lines_.tail());
  return {.code = ErrorCode::McpServer,
          .message = std::move(message),
          .suggestion = "See in the log what the server said, or run its command by hand."};
}

// Whether the process has ended by then. Meanwhile nothing that it writes holds it up.
bool StdioTransport::wait_for_end(Deadline deadline) {
  const os::StopWaker never;
  while (true) {
    std::array<pollfd, 3> fds{pollfd{output_.get(), POLLIN, 0}, pollfd{error_.get(), POLLIN, 0},
                              pollfd{child_.pidfd(), POLLIN, 0}};
    if (os::wait_any(fds, deadline, never) != os::Wake::Ready) return false;
    if (fds[1].revents != 0) read_stderr();
    if (fds[0].revents != 0 && read_some(output_.get(), [](std::string_view) {}) == Read::End) {
      output_.reset();
    }
    if (fds[2].revents != 0 && fds[1].revents == 0) return true;
    if (Clock::now() >= deadline) return false;
  }
}

void StdioTransport::end_process() {
  writer_.close();
  if (!wait_for_end(Clock::now() + kCloseTime)) {
    os::signal_pidfd(child_.pidfd(), SIGTERM);
    wait_for_end(Clock::now() + kTermTime);
  }
  child_.kill();
  stderr_lines_.flush();
}

}  // namespace

Result<std::unique_ptr<Transport>> start_stdio(
    const Server& server, OnMessage on_message,
    std::function<void(LogLevel, std::string_view)> log) {
  os::UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) {
    return Error{
        .code = ErrorCode::McpServer,
        .message = "the server '" + server.name + "' cannot be started: " + std::strerror(errno)};
  }
  ServerProcess process = GDN_TRY(start_process(server));
  return std::make_unique<StdioTransport>(server.name, std::move(process), std::move(wake),
                                          std::move(on_message), std::move(log));
}

}  // namespace goondan::mcp
