#include "mcp/pending_requests.h"

#include "base/spin.h"

namespace goondan::mcp {

Result<void> PendingRequests::add(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  if (slots_.size() >= kMaxPendingRequests) {
    return Error{
        .code = ErrorCode::Limit,
        .message = std::to_string(slots_.size()) + " requests wait for the server already"};
  }
  slots_[id] = std::make_shared<Slot>();
  return {};
}

Result<Json> PendingRequests::wait(std::int64_t id, Deadline deadline,
                                   const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto found = slots_.find(id);
  if (found == slots_.end()) {
    return Error{.code = ErrorCode::Internal, .message = "nobody has asked for an answer"};
  }
  const std::shared_ptr<Slot> slot = found->second;
  lock.unlock();
  spin_until([&slot] { return slot->answered.load(std::memory_order_relaxed); }, kAnswerSpin);
  lock.lock();
  slot->ready.wait_until(lock, stop, deadline, [&slot] { return slot->answer.has_value(); });
  slots_.erase(id);
  if (slot->answer) return *std::move(slot->answer);
  if (stop.stop_requested()) {
    return Error{.code = ErrorCode::ToolCancelled, .message = "the request was cancelled"};
  }
  return Error{.code = ErrorCode::ToolTimeout, .message = "the server did not answer in time"};
}

void PendingRequests::forget(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  slots_.erase(id);
}

PendingRequests::Taken PendingRequests::answer(std::int64_t id, Result<Json> answer) {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(id);
  if (found == slots_.end() || found->second->answer) return Taken::No;
  found->second->answer = std::move(answer);
  found->second->answered = true;
  found->second->ready.notify_one();
  return Taken::Yes;
}

std::optional<std::int64_t> PendingRequests::only_one() const {
  const std::lock_guard lock(mutex_);
  return slots_.size() == 1 ? std::optional(slots_.begin()->first) : std::nullopt;
}

void PendingRequests::fail_all(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
  for (const auto& [id, slot] : slots_) {
    if (slot->answer) continue;
    slot->answer = error;
    slot->answered = true;
    slot->ready.notify_one();
  }
}

std::optional<Error> PendingRequests::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace goondan::mcp
