#include "mcp/http_pending.h"

#include <utility>

#include "base/json_fields.h"

namespace goondan::mcp {

HttpPending::Ticket::Ticket(HttpPending& all, const Json& id, std::stop_token stop)
    : all_(all), key_(to_text(id)), forward_(std::move(stop), Forward{source_}) {
  const std::scoped_lock lock(all_.mutex_);
  all_.waiting_.insert_or_assign(key_, this);
}

HttpPending::Ticket::~Ticket() {
  const std::scoped_lock lock(all_.mutex_);
  const auto found = all_.waiting_.find(key_);
  if (found != all_.waiting_.end() && found->second == this) all_.waiting_.erase(found);
}

std::optional<Json> HttpPending::Ticket::take() {
  const std::scoped_lock lock(all_.mutex_);
  return std::exchange(answer_, std::nullopt);
}

bool HttpPending::deliver(const Json& message) {
  const std::string key = to_text(any_field(object_or_empty(message), "id"));
  const std::scoped_lock lock(mutex_);
  const auto found = waiting_.find(key);
  if (found == waiting_.end() || found->second->answer_) return false;
  found->second->answer_ = message;
  found->second->source_.request_stop();
  return true;
}

}  // namespace goondan::mcp
