#include "orchestrator/requests.h"

#include <utility>

namespace goondan::orchestrator {

Request* Requests::find(std::string_view correlation_id) {
  const auto found = requests_.find(correlation_id);
  return found == requests_.end() ? nullptr : &found->second;
}

Request* Requests::find_message(std::string_view message_id, const InstanceName& caller) {
  const auto found = correlation_of_.find(message_id);
  Request* request = found == correlation_of_.end() ? nullptr : find(found->second);
  return request != nullptr && request->caller_name() == caller ? request : nullptr;
}

Request& Requests::add(Request request) {
  std::string id = request.record.correlation_id;
  correlation_of_.insert_or_assign(request.record.event_id, id);
  asked_[request.caller_name()].insert(id);
  return requests_.insert_or_assign(std::move(id), std::move(request)).first->second;
}

void Requests::erase(std::string_view correlation_id) {
  const auto found = requests_.find(correlation_id);
  if (found == requests_.end()) return;
  correlation_of_.erase(found->second.record.event_id);
  const auto caller = asked_.find(found->second.caller_name());
  if (caller != asked_.end()) caller->second.erase(found->first);
  if (caller != asked_.end() && caller->second.empty()) asked_.erase(caller);
  requests_.erase(found);
}

std::vector<std::string> Requests::asked_by(const InstanceName& caller) const {
  const auto found = asked_.find(caller);
  if (found == asked_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace goondan::orchestrator
