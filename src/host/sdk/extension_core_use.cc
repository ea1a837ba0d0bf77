// What an extension does while it runs: tools, state, events.
#include "host/sdk/call_parts.h"
#include "host/sdk/extension_core.h"
#include "host/sdk/guarded.h"

namespace goondan::plugin {
namespace {

// FNV-1a, cut to what every JSON reader can hold.
std::int64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kBasis = 14695981039346656037U;
  constexpr std::uint64_t kPrime = 1099511628211U;
  constexpr int kExactBits = 52;
  std::uint64_t hash = kBasis;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  return static_cast<std::int64_t>(hash >> (64 - kExactBits));
}

// A listener that is told of an event may send another, and so on.
constexpr std::size_t kMaxNestedEvents = 50;

// How many events this thread is sending right now, each within the one before.
class Nesting {
 public:
  Nesting() { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  static inline thread_local std::size_t depth_ = 0;
};

}  // namespace

std::shared_ptr<const Handler> ExtensionCore::tool(std::int64_t number) const {
  const std::scoped_lock lock(mutex_);
  const auto found = tools_.find(number);
  return found == tools_.end() ? nullptr : found->second.handler;
}

// Made of the name, so that a tool has the same number when this process has been started again,
// and the runtime cannot mistake one for another.
std::int64_t ExtensionCore::number_for(const std::string& tool) const {
  std::int64_t number = hash_of(tool);
  while (true) {
    const auto found = tools_.find(number);
    if (found == tools_.end() || found->second.name == tool) return number;
    ++number;
  }
}

// The handler must be there when the runtime hears of the tool. One that replaces another does so
// only once the runtime has agreed.
Result<void> ExtensionCore::register_tool(const Json& item, Handler handler) {
  const std::scoped_lock one(tools_mutex_);
  const std::string tool = item.is_object() ? text_at(item.get_object(), "name") : std::string();
  const auto kept = std::make_shared<const Handler>(std::move(handler));
  std::unique_lock lock(mutex_);
  const std::int64_t number = number_for(tool);
  const bool is_new = tools_.try_emplace(number, Tool{.name = tool, .handler = kept}).second;
  lock.unlock();
  const Result<Json> taken = line_.request(
      "tools.register", JsonObject{{"extension", name_}, {"tool", number}, {"item", item}});
  lock.lock();
  if (taken.ok()) tools_[number].handler = kept;
  if (taken.ok()) return {};
  if (is_new) tools_.erase(number);
  return taken.error();
}

Json ExtensionCore::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

Result<void> ExtensionCore::set_state(Json state) {
  const std::scoped_lock one(set_mutex_);
  GDN_TRY(line_.request("state.set", JsonObject{{"extension", name_}, {"state", state}}));
  const std::scoped_lock lock(mutex_);
  state_ = std::move(state);
  return {};
}

void ExtensionCore::emit(std::string_view event, const Json& payload) {
  const Nesting nesting;
  if (nesting.depth() > kMaxNestedEvents) {
    return log(LogLevel::Error, "the event '" + std::string(event) +
                                    "' was not sent: listeners answer each other's events in a "
                                    "circle");
  }
  deliver_(life(), event, payload);
  line_.notify("events.emit",
               JsonObject{{"extension", name_}, {"name", event}, {"payload", payload}});
}

void ExtensionCore::on_event(std::string event, std::function<void(const Json&)> listener) {
  auto kept = std::make_shared<const std::function<void(const Json&)>>(std::move(listener));
  const std::scoped_lock lock(mutex_);
  listeners_.emplace_back(std::move(event), std::move(kept));
}

void ExtensionCore::hear(std::string_view event, const Json& payload) {
  std::unique_lock lock(mutex_);
  const auto listeners = listeners_;
  lock.unlock();
  for (const auto& [name, listener] : listeners) {
    if (name != event) continue;
    const Result<void> heard = guarded(ErrorCode::Tool, [&]() -> Result<void> {
      (*listener)(payload);
      return {};
    });
    if (heard.ok()) continue;
    log(LogLevel::Error, "a listener of '" + name + "' threw: " + heard.error().message);
  }
}

}  // namespace goondan::plugin
