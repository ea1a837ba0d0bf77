#include "tool/call_events.h"

namespace goondan {

CallEvents::CallEvents(const ToolCall& call, const Observers& observers)
    : call_(call), observers_(observers) {}

void CallEvents::start() {
  if (observers_.empty()) return;
  started_ = Clock::now();
  for (const auto& observer : observers_)
    observer->on_start(call_);
}

void CallEvents::end(const ToolCallResult& result) {
  if (observers_.empty()) return;
  const auto elapsed = Clock::now() - started_;
  const std::lock_guard lock(mutex_);
  phase_ = Phase::Ended;
  for (const auto& observer : observers_)
    observer->on_end(call_, result, elapsed);
}

void CallEvents::late_return() {
  for (const auto& observer : observers_)
    observer->on_late_return(call_);
}

void CallEvents::log(LogLevel level, std::string_view text) {
  if (observers_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::Ended) return;
  for (const auto& observer : observers_)
    observer->on_log(call_, level, text);
}

void CallEvents::progress(const Progress& progress) {
  if (observers_.empty()) return;
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::Ended) return;
  for (const auto& observer : observers_)
    observer->on_progress(call_, progress);
}

Result<Json> CallEvents::request(std::string_view method, const Json&) {
  return Error{.code = ErrorCode::RuntimeUnavailable,
               .message = "'" + std::string(method) + "' needs a running agent, and there is none",
               .suggestion = "Call the tool from an agent instead of on its own."};
}

}  // namespace goondan
