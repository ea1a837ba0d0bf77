#include "mcp/http_stream.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace goondan::mcp {
namespace {

bool can_resume(const Result<void>& done, const HttpAnswer& answer, const HttpSession& session) {
  const bool broken = !done.ok() && done.error().code == ErrorCode::McpServer;
  const bool refused = answer.status() >= 400 && answer.status() < 500;
  return (done.ok() || broken) && !refused && !answer.satisfied && !answer.last_id().empty() &&
         session.era() == Era::Legacy && !session.over();
}

Result<void> resume(HttpEndpoint& endpoint, const HttpSession& session, const HttpCall& first,
                    HttpAnswer& answer) {
  if (!wait_for_retry(retry_time(answer), first.deadline, first.stop)) {
    const bool stopped = first.stop.stop_requested();
    return endpoint.named(
        {.code = stopped ? ErrorCode::ToolCancelled : ErrorCode::ToolTimeout,
         .message = stopped ? "the request was stopped" : "the answer did not come in time"});
  }
  return endpoint.exchange({.headers = session.stream_headers(answer.last_id()),
                            .deadline = first.deadline,
                            .stop = first.stop},
                           answer);
}

}  // namespace

std::chrono::milliseconds retry_time(const HttpAnswer& answer) {
  return std::clamp(answer.retry().value_or(kDefaultRetry), kMinRetry, kMaxRetry);
}

bool wait_for_retry(std::chrono::milliseconds time, Deadline deadline,
                    const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const Deadline end = Clock::now() + time;
  wake.wait_until(lock, stop, std::min(end, deadline), [] { return false; });
  return !stop.stop_requested() && end <= deadline;
}

Result<void> fetch(HttpEndpoint& endpoint, const HttpSession& session, const HttpCall& call,
                   HttpAnswer& answer) {
  Result<void> done = endpoint.exchange(call, answer);
  int fruitless = 0;
  while (can_resume(done, answer, session) && fruitless < kMaxFruitlessResumes) {
    const std::size_t before = answer.events();
    done = resume(endpoint, session, call, answer);
    fruitless = answer.events() > before ? 0 : fruitless + 1;
  }
  return done;
}

}  // namespace goondan::mcp
