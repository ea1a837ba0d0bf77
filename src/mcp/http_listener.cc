#include "mcp/http_listener.h"

#include <algorithm>

#include "mcp/http_stream.h"

namespace goondan::mcp {

void HttpListener::start() {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(started_, true)) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  std::unique_lock waiting(answer_mutex_);
  answer_.wait_for(waiting, kOpenTime, [this] { return answered_; });
}

void HttpListener::be_answered() {
  const std::scoped_lock lock(answer_mutex_);
  answered_ = true;
  answer_.notify_all();
}

void HttpListener::stop() {
  const std::scoped_lock lock(mutex_);
  started_ = true;  // for good
  thread_ = {};
}

void HttpListener::run(const std::stop_token& stop) {
  HttpAnswer answer(nullptr, parts_.on_message);
  answer.on_begin = [this] { be_answered(); };
  std::chrono::milliseconds backoff{0};
  while (!stop.stop_requested()) {
    const std::size_t before = answer.events();
    const Next next = open(answer, stop);
    be_answered();
    if (next == Next::Never) return;
    const bool fruitful = next == Next::Again && answer.events() > before;
    backoff = fruitful ? std::chrono::milliseconds(0)
                       : std::clamp(2 * backoff, std::chrono::milliseconds(500), kMaxBackoff);
    if (!wait_for_retry(std::max(retry_time(answer), backoff), Deadline::max(), stop)) return;
  }
}

HttpListener::Next HttpListener::open(HttpAnswer& answer, const std::stop_token& stop) {
  const HttpCall call{.headers = parts_.session.stream_headers(answer.last_id()), .stop = stop};
  const Result<void> done = parts_.endpoint.exchange(call, answer);
  if (stop.stop_requested()) return Next::Never;
  if (answer.status() != 0 && !answer.ok()) return judge(answer);
  if (!done.ok()) {
    note(LogLevel::Debug, done.error().message);
    return answer.ok() ? Next::Again : Next::Later;
  }
  // Something else than events: nothing to listen to.
  return answer.is_stream() ? Next::Again : Next::Never;
}

HttpListener::Next HttpListener::judge(const HttpAnswer& answer) {
  if (answer.status() == 404 && parts_.session.begun()) {
    parts_.session.end();
    note(LogLevel::Info, "the server has ended the session");
    return Next::Never;
  }
  // Another stream of ours may still be taken for open; servers may be busy.
  if (answer.status() == 409 || answer.status() == 429 || answer.status() >= 500)
    return Next::Later;
  // 405: the server has no such stream, which is its right.
  if (answer.status() != 405) note(LogLevel::Debug, parts_.endpoint.refusal(answer).message);
  return Next::Never;
}

void HttpListener::note(LogLevel level, std::string_view text) const {
  if (parts_.log) parts_.log(level, text);
}

}  // namespace goondan::mcp
