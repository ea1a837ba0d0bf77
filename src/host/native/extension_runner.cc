#include "host/native/extension_runner.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/native/extension_bridge.h"
#include "host/native/extension_frames.h"
#include "host/native/extension_worker.h"
#include "host/native/protocol.h"
#include "host/peer/peer_frames.h"
#include "tool/worker_threads.h"

namespace goondan {
namespace {

constexpr std::size_t kIdleThreads = 16;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;

// A call that still runs this long after its cancellation is stuck. It cannot be ended alone: the
// process ends as soon as nothing else runs in it.
constexpr std::chrono::seconds kStuckTime{1};

void refuse(ExtensionWorker& worker, std::uint64_t id, std::string message) {
  worker.sender.send(
      reply_frame(id, raw_reply(Error{.code = ErrorCode::Limit, .message = std::move(message)})));
}

void begin_call(ExtensionWorker& worker, WorkerThreads& threads, const RuntimeMessage& call) {
  if (call.method == "ping") {  // a sign of life
    return worker.sender.send(reply_frame(call.id, {.status = GDN_REPLY_OK, .json = "null"}));
  }
  const std::optional<std::stop_token> stop = worker.calls.begin(call.id);
  if (!stop) {
    return refuse(worker, call.id,
                  "the extension already works on " + std::to_string(kMaxRunningCalls) + " calls");
  }
  using Kind = WorkerJob::Kind;
  WorkerJob job{.id = call.id,
                .kind = call.method == "load" ? Kind::Load : Kind::Other,
                .json = std::string(call.json),
                .stop = *stop};
  const Result<void> started =
      threads.start([&worker, job = std::move(job)] { serve(worker, job); });
  if (started.ok()) return;
  worker.calls.end(call.id);
  refuse(worker, call.id, started.error().message);
}

// Whether what the runtime said was a message.
bool take(ExtensionWorker& worker, WorkerThreads& threads, std::string_view text) {
  const Result<RuntimeMessage> message = read_runtime_message(text);
  if (!message.ok()) return false;
  switch (message->type) {
    case RuntimeMessage::Type::Call:
      begin_call(worker, threads, *message);
      break;
    case RuntimeMessage::Type::Cancel:
      worker.calls.cancel(message->id);
      break;
    case RuntimeMessage::Type::Answer:
      worker.calls.answer(message->id,
                          {.status = message->status, .json = std::string(message->json)});
      break;
  }
  return true;
}

// Waits until the runtime says something. Ends the process if only stuck calls are left.
void await_message(const ExtensionWorker& worker) {
  const os::StopWaker never;
  while (true) {
    const Deadline look_again =
        worker.calls.any_cancelled() ? Clock::now() + kStuckTime : Deadline::max();
    if (os::wait_readable(kCallSocket, look_again, never) == os::Wake::Ready) return;
    if (!worker.calls.only_stuck(Clock::now() - kStuckTime)) continue;
    std::fputs("a call that was cancelled does not end; this process ends instead\n", stderr);
    std::fflush(nullptr);
    ::_exit(1);
  }
}

void become_worker() {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_NAME, "gdn-extension");  // what `ps` shows
  ::fcntl(kCallSocket, F_SETFD, FD_CLOEXEC);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what is printed goes to the log, at once
  // Crashes must look like crashes, also where a sanitizer would make something else of them.
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::signal(number, SIG_DFL);
}

}  // namespace

void run_extension_worker() {
  become_worker();
  // Never destroyed, as the extension's threads may use it until the end.
  ExtensionWorker& worker = *std::make_unique<ExtensionWorker>().release();
  WorkerThreads threads(kIdleThreads);
  peer::FrameDecoder decoder;
  std::array<char, kReadBytes> bytes{};
  worker.sender.send(hello_frame());
  while (true) {
    await_message(worker);
    const ssize_t size = ::recv(kCallSocket, bytes.data(), bytes.size(), 0);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size <= 0) ::_exit(0);
    decoder.feed({bytes.data(), static_cast<std::size_t>(size)});
    while (true) {
      const auto text = decoder.next();
      if (!text.ok()) ::_exit(1);
      if (!text->has_value()) break;
      if (!take(worker, threads, **text)) ::_exit(1);
    }
  }
}

}  // namespace goondan
