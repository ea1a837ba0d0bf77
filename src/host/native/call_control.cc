#include "host/native/call_control.h"

namespace goondan {

std::stop_token CallControl::begin(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  current_ = id;
  stop_ = std::stop_source();
  if (cancelled_ >= id) stop_.request_stop();
  return stop_.get_token();
}

void CallControl::end() {
  std::unique_lock lock(mutex_);
  current_ = 0;
  const std::stop_source stop = stop_;
  lock.unlock();
  stop.request_stop();
}

void CallControl::cancel(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  cancelled_ = std::max(cancelled_, id);
  if (current_ != id) return;
  const std::stop_source stop = stop_;
  lock.unlock();
  stop.request_stop();  // runs the plugin's functions, so no lock is held
}

std::uint64_t CallControl::next_request() {
  const std::scoped_lock lock(mutex_);
  answers_[++last_request_];
  return last_request_;
}

void CallControl::answer(std::uint64_t request, RawReply reply) {
  const std::scoped_lock lock(mutex_);
  const auto place = answers_.find(request);
  if (place == answers_.end()) return;  // nobody waits any more
  place->second = std::move(reply);
  answered_.notify_all();
}

std::optional<RawReply> CallControl::wait_for_answer(std::uint64_t request) {
  std::unique_lock lock(mutex_);
  const std::stop_token stop = stop_.get_token();
  answered_.wait(lock, stop, [this, request] { return answers_[request].has_value(); });
  std::optional<RawReply> reply = std::move(answers_[request]);
  answers_.erase(request);
  return reply;
}

}  // namespace goondan
