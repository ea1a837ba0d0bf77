// What an extension does while it runs: tools, state, events.
#include "host/sdk/call_parts.h"
#include "host/sdk/extension_core.h"
#include "host/sdk/guarded.h"

namespace goondan::plugin {

std::shared_ptr<const Handler> ExtensionCore::tool(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  return number < tools_.size() ? tools_[number] : nullptr;
}

// The handler must be there when the runtime hears of the tool. One that replaces another takes its
// number, and only once the runtime has agreed.
Result<void> ExtensionCore::register_tool(const Json& item, Handler handler) {
  const std::scoped_lock one(tools_mutex_);
  const std::string tool = item.is_object() ? text_at(item.get_object(), "name") : std::string();
  const auto kept = std::make_shared<const Handler>(std::move(handler));
  std::unique_lock lock(mutex_);
  const auto known = tool_numbers_.find(tool);
  const std::size_t number = known == tool_numbers_.end() ? tools_.size() : known->second;
  if (number == tools_.size()) tools_.push_back(kept);
  lock.unlock();
  const Result<Json> taken = line_.request(
      "tools.register", JsonObject{{"extension", name_}, {"tool", number}, {"item", item}});
  lock.lock();
  if (taken.ok()) {
    tool_numbers_[tool] = number;
    tools_[number] = kept;
    return {};
  }
  if (!tool_numbers_.contains(tool)) tools_.pop_back();
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
