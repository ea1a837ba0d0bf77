#include "orchestrator/queues.h"

#include <utility>

namespace goondan::orchestrator {

Instance* Queues::find(const InstanceName& name) {
  const auto found = instances_.find(name);
  return found == instances_.end() ? nullptr : &found->second;
}

const Instance* Queues::find(const InstanceName& name) const {
  const auto found = instances_.find(name);
  return found == instances_.end() ? nullptr : &found->second;
}

Instance& Queues::at(const InstanceName& name) {
  const auto [place, made] = instances_.try_emplace(name);
  if (made) place->second.name = name;
  return place->second;
}

void Queues::erase(const InstanceName& name) {
  Instance* instance = find(name);
  if (instance == nullptr) return;
  bytes_ -= instance->waiting_bytes;
  open_ -= instance->counted_open;
  working_ -= instance->counted_working;
  instances_.erase(name);
}

Result<void> Queues::check_room(const InstanceName& name, std::size_t bytes) const {
  const Instance* instance = find(name);
  const std::size_t messages = instance == nullptr ? 0 : instance->waiting.size();
  const std::size_t held = instance == nullptr ? 0 : instance->waiting_bytes;
  if (messages < kMaxQueuedMessages && held + bytes <= kMaxQueuedBytes &&
      bytes_ + bytes <= kMaxQueuedBytesOfAll) {
    return {};
  }
  return Error{.code = ErrorCode::Limit,
               .message = name.text() + " has too many messages waiting: " +
                          std::to_string(messages) + " with " + std::to_string(held) + " bytes",
               .suggestion = "Wait until some are done, then send again."};
}

void Queues::push(Instance& instance, store::JournalMessage message) {
  instance.unstartable = false;
  Entry entry{.message = std::move(message)};
  if (entry.message.kind == store::MessageKind::Inject) {
    instance.injections.push_back(std::move(entry));
  } else {
    instance.waiting_bytes += entry.message.payload.size();
    bytes_ += entry.message.payload.size();
    instance.waiting.push_back(std::move(entry));
  }
  recount(instance);
}

void Queues::push_front(Instance& instance, Entry entry) {
  instance.waiting_bytes += entry.message.payload.size();
  bytes_ += entry.message.payload.size();
  instance.waiting.push_front(std::move(entry));
  recount(instance);
}

Entry Queues::take(Instance& instance, std::size_t index) {
  const auto place = instance.waiting.begin() + static_cast<std::ptrdiff_t>(index);
  Entry entry = std::move(*place);
  instance.waiting.erase(place);
  instance.waiting_bytes -= entry.message.payload.size();
  bytes_ -= entry.message.payload.size();
  return entry;
}

void Queues::recount(Instance& instance) {
  // Injections for an agent that cannot be started wait for something to change; nobody else need
  // wait for them.
  const std::size_t injections = instance.unstartable ? 0 : instance.injections.size();
  const std::size_t open = instance.waiting.size() + injections + (instance.current ? 1U : 0U);
  const std::size_t working = instance.working() ? 1U : 0U;
  open_ += open - instance.counted_open;
  working_ += working - instance.counted_working;
  instance.counted_open = open;
  instance.counted_working = working;
}

}  // namespace goondan::orchestrator
