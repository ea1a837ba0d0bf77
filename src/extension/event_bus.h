// Events between the extensions of one agent. They do not leave its process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

namespace goondan {

// Thread-safe. Listeners are called on the thread that emits, in the order of their registration,
// outside of any lock; they must return promptly. One may take itself or others out.
class EventBus {
 public:
  using Listener = std::function<void(const Json& payload)>;
  using AnyListener = std::function<void(std::string_view name, const Json& payload)>;

  // Until `off` with the number that is returned.
  std::uint64_t on(std::string name, Listener listener);
  // Hears every event: how they reach code in other processes.
  std::uint64_t on_any(AnyListener listener);
  void off(std::uint64_t number);

  // A listener that throws is left; the others are called all the same.
  void emit(std::string_view name, const Json& payload);

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::pair<std::string, std::shared_ptr<AnyListener>>> listeners_;
};

}  // namespace goondan
