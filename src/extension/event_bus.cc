#include "extension/event_bus.h"

namespace goondan {

std::uint64_t EventBus::on(std::string name, Listener listener) {
  const std::scoped_lock lock(mutex_);
  auto any = std::make_shared<AnyListener>(
      [listener = std::move(listener)](std::string_view, const Json& payload) {
        listener(payload);
      });
  listeners_.emplace(++last_, std::pair(std::move(name), std::move(any)));
  return last_;
}

std::uint64_t EventBus::on_any(AnyListener listener) {
  const std::scoped_lock lock(mutex_);
  listeners_.emplace(++last_,
                     std::pair(std::string(), std::make_shared<AnyListener>(std::move(listener))));
  return last_;
}

void EventBus::off(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  listeners_.erase(number);
}

void EventBus::emit(std::string_view name, const Json& payload) {
  std::vector<std::shared_ptr<AnyListener>> hearing;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [number, listener] : listeners_) {
      if (listener.first.empty() || listener.first == name) hearing.push_back(listener.second);
    }
  }
  for (const std::shared_ptr<AnyListener>& listener : hearing) {
    // A listener is foreign code; whoever emits must not fail because of it.
    try {
      (*listener)(name, payload);
    } catch (...) {
      continue;
    }
  }
}

}  // namespace goondan
