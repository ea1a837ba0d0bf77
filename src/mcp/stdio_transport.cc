#include "mcp/stdio_transport.h"

#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

#include "mcp/json_rpc.h"
#include "mcp/server_reader.h"

namespace goondan::mcp {
namespace {

// Requests are written by whoever makes them; all reading is done by the thread, which also owns
// the process.
class StdioTransport final : public Transport {
 public:
  StdioTransport(std::string name, ServerProcess process, os::UniqueFd wake, OnMessage on_message,
                 ServerLog::Sink log)
      : name_(std::move(name)),
        on_message_(std::move(on_message)),
        log_(std::move(log)),
        writer_(std::move(process.input)),
        wake_(std::move(wake)),
        reader_({.name = name_,
                 .pending = pending_,
                 .writer = writer_,
                 .log = log_,
                 .on_message = on_message_,
                 .wake = wake_.get()},
                std::move(process)),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  Result<Json> request(const Outgoing& outgoing) override;
  Result<void> send(const Json& message, Deadline deadline) override;
  void set_era(Era, std::string) override {}
  void listen() override {}

  [[nodiscard]] bool alive() const override { return !pending_.failure() && writer_.open(); }

 private:
  Result<void> write(const Json& message);
  [[nodiscard]] Error explain(const Json& message, Error error) const;
  void tell_cancelled(const Json& message, const Error& why);
  void run(const std::stop_token& stop);

  const std::string name_;
  const OnMessage on_message_;
  ServerLog log_;
  PendingRequests pending_;
  LineWriter writer_;
  os::UniqueFd wake_;
  ServerReader reader_;
  std::jthread thread_;
};

void StdioTransport::run(const std::stop_token& stop) {
  const os::StopWaker waker(stop);
  const Error reason = reader_.run(waker);
  pending_.fail_all(reason);  // from now on it is not alive, and whoever asks learns why
  reader_.end();
}

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
  const std::int64_t id = response_id(outgoing.message.as_object()).value_or(0);
  GDN_TRY(pending_.add(id));
  const Result<void> sent = write(outgoing.message);
  if (!sent.ok() && sent.error().code == ErrorCode::Limit) {
    pending_.forget(id);
    return sent.error();
  }
  // Otherwise nobody reads any more, and the thread is about to find out why.
  const Deadline deadline =
      sent.ok() ? outgoing.deadline : std::min(outgoing.deadline, Clock::now() + 2 * kReasonTime);
  Result<Json> answer = pending_.wait(id, deadline, outgoing.stop);
  if (answer.ok()) return answer;
  const ErrorCode code = answer.error().code;
  if (code != ErrorCode::ToolTimeout && code != ErrorCode::ToolCancelled) return answer;
  if (!sent.ok()) return code == ErrorCode::ToolTimeout ? sent.error() : answer;
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
  return std::unique_ptr<Transport>(std::make_unique<StdioTransport>(
      server.name, std::move(process), std::move(wake), std::move(on_message), std::move(log)));
}

}  // namespace goondan::mcp
