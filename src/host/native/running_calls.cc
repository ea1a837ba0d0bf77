#include "host/native/running_calls.h"

#include <algorithm>

namespace goondan {

std::optional<std::stop_token> RunningCalls::begin(std::uint64_t id) {
  const std::scoped_lock lock(mutex_);
  if (calls_.size() >= kMaxRunningCalls) return {};
  return calls_[id].stop.get_token();
}

// Requests of the call that still wait, on threads that it has left behind, get no answer any more.
void RunningCalls::end(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  auto ended = calls_.extract(id);
  lock.unlock();
  if (!ended.empty()) ended.mapped().stop.request_stop();
}

void RunningCalls::cancel(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  if (!found->second.cancelled) found->second.cancelled = Clock::now();
  std::stop_source stop = found->second.stop;
  lock.unlock();
  stop.request_stop();  // runs the plugin's functions, so no lock is held
}

bool RunningCalls::any_cancelled() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(calls_,
                             [](const auto& call) { return call.second.cancelled.has_value(); });
}

bool RunningCalls::only_stuck(Deadline since) const {
  const std::scoped_lock lock(mutex_);
  return !calls_.empty() && std::ranges::all_of(calls_, [since](const auto& call) {
    return call.second.cancelled.value_or(Deadline::max()) < since;
  });
}

std::uint64_t RunningCalls::next_request() {
  const std::scoped_lock lock(mutex_);
  answers_[++last_request_];
  return last_request_;
}

void RunningCalls::answer(std::uint64_t request, RawReply reply) {
  const std::scoped_lock lock(mutex_);
  const auto place = answers_.find(request);
  if (place == answers_.end()) return;  // nobody waits any more
  place->second = std::move(reply);
  answered_.notify_all();
}

std::optional<RawReply> RunningCalls::wait_for_answer(std::uint64_t request,
                                                      const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  answered_.wait(lock, stop, [this, request] { return answers_[request].has_value(); });
  std::optional<RawReply> reply = std::move(answers_[request]);
  answers_.erase(request);
  return reply;
}

}  // namespace goondan
