#include "agent/request_waits.h"

namespace goondan::agent {
namespace {

Error orchestrator_gone() {
  return {.code = ErrorCode::AgentStopped,
          .message = "the orchestrator is gone",
          .suggestion = "This agent ends now; start the swarm again."};
}

Error timed_out() {
  return {.code = ErrorCode::ToolTimeout, .message = "the orchestrator did not answer in time"};
}

Error cancelled() {
  return {.code = ErrorCode::ToolCancelled, .message = "the call was cancelled"};
}

}  // namespace

RequestWaits::Wait::Wait(RequestWaits& waits, std::string id) : waits_(waits), id_(std::move(id)) {
  const std::lock_guard lock(waits_.mutex_);
  waits_.entries_.emplace(id_, std::make_shared<Entry>());
}

RequestWaits::Wait::~Wait() {
  const std::lock_guard lock(waits_.mutex_);
  waits_.entries_.erase(id_);
}

// What has come counts, also if it came with the end.
template <class Ready>
Result<void> RequestWaits::wait(std::unique_lock<std::mutex>& lock, Entry& entry,
                                const Limit& limit, Ready ready) {
  entry.wake.wait_until(lock, limit.stop, limit.deadline, [&] { return ready() || gone_; });
  if (ready()) return {};
  if (gone_) return orchestrator_gone();
  return limit.stop.stop_requested() ? cancelled() : timed_out();
}

Result<Json> RequestWaits::Wait::reply(const Limit& limit) {
  std::unique_lock lock(waits_.mutex_);
  Entry& entry = *waits_.entries_.at(id_);
  // A result without a reply is as good: it was accepted.
  GDN_TRY(waits_.wait(lock, entry, limit, [&entry] { return entry.reply || entry.result; }));
  return entry.reply ? *entry.reply : Result<Json>(JsonObject{});
}

Result<Json> RequestWaits::Wait::result(const Limit& limit) {
  std::unique_lock lock(waits_.mutex_);
  Entry& entry = *waits_.entries_.at(id_);
  GDN_TRY(waits_.wait(lock, entry, limit, [&entry] { return entry.result.has_value(); }));
  return *entry.result;
}

void RequestWaits::on_reply(std::string_view id, Result<Json> answer) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second->reply) return;
  found->second->reply = std::move(answer);
  found->second->wake.notify_all();
}

void RequestWaits::on_result(std::string_view id, Json payload) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second->result) return;
  found->second->result = std::move(payload);
  found->second->wake.notify_all();
}

void RequestWaits::on_gone() {
  const std::lock_guard lock(mutex_);
  gone_ = true;
  for (const auto& [id, entry] : entries_)
    entry->wake.notify_all();
}

}  // namespace goondan::agent
