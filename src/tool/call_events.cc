#include "tool/call_events.h"

namespace goondan {

CallEvents::CallEvents(const ToolCall& call, const ExecutorOptions& options)
    : call_(call),
      observers_(options.observers),
      runtime_(options.runtime.get()),
      redactor_(options.redactor.get()) {}

std::string CallEvents::masked(std::string_view text) const {
  return redactor_ == nullptr ? std::string(text) : redactor_->redact(text);
}

const ToolCall& CallEvents::shown() const {
  return shown_ ? *shown_ : call_;
}

// Again at the end: the call may have used a secret that was not known when it began.
void CallEvents::mask_call() {
  if (redactor_ == nullptr) return;
  if (!shown_) shown_ = call_;
  redactor_->redact(shown_->input);
}

void CallEvents::start() {
  if (observers_.empty()) return;
  started_ = Clock::now();
  mask_call();
  for (const auto& observer : observers_)
    observer->on_start(shown());
}

void CallEvents::end(ToolCallResult& result) {
  if (redactor_ != nullptr) {
    if (result.output) redactor_->redact(*result.output);
    if (result.error) redactor_->redact(*result.error);
  }
  if (observers_.empty()) return;
  const auto elapsed = Clock::now() - started_;
  const std::lock_guard lock(mutex_);
  phase_ = Phase::Ended;
  mask_call();
  for (const auto& observer : observers_)
    observer->on_end(shown(), result, elapsed);
}

void CallEvents::late_return() {
  for (const auto& observer : observers_)
    observer->on_late_return(shown());
}

void CallEvents::log(LogLevel level, std::string_view text) {
  if (observers_.empty()) return;
  const std::string safe = masked(text);
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::Ended) return;
  for (const auto& observer : observers_)
    observer->on_log(shown(), level, safe);
}

void CallEvents::progress(const Progress& progress) {
  if (observers_.empty()) return;
  const Progress safe{
      .done = progress.done, .total = progress.total, .text = masked(progress.text)};
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::Ended) return;
  for (const auto& observer : observers_)
    observer->on_progress(shown(), safe);
}

Result<Json> CallEvents::request(std::string_view method, const Json& params) {
  if (runtime_ != nullptr && context_ != nullptr) {
    return runtime_->request({.call = call_,
                              .scope = context_->scope(),
                              .deadline = context_->deadline(),
                              .stop = context_->stop()},
                             method, params);
  }
  return Error{.code = ErrorCode::RuntimeUnavailable,
               .message = "'" + std::string(method) + "' needs a running agent, and there is none",
               .suggestion = "Call the tool from an agent instead of on its own."};
}

}  // namespace goondan
