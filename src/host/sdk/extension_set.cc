#include "host/sdk/extension_set.h"

#include "host/sdk/call_parts.h"

namespace goondan::plugin {

JsonObject object_at(JsonObject& params, std::string_view key) {
  Json* const value = params.if_contains(key);
  return value != nullptr && value->is_object() ? std::move(value->get_object()) : JsonObject();
}

Result<Json> ExtensionSet::add(JsonObject& params, const gdn_call& call) {
  Json* const state = params.if_contains("state");
  auto made = std::make_unique<ExtensionCore>(ExtensionCore::Parts{
      .name = text_at(params, "extension"),
      .agent = object_at(params, "agent"),
      .state = state == nullptr ? Json(nullptr) : std::move(*state),
      .life = call.life,
      .api = *call.api,
      .deliver = [this](gdn_host* life, std::string_view event, const Json& payload) {
        deliver(life, event, payload);
      }});
  ExtensionCore& core = *made;
  std::unique_lock lock(mutex_);
  all_.push_back(std::move(made));
  current_[{core.life(), core.name()}] = &core;
  lock.unlock();
  const Result<void> done = core.run_setup(setup_, object_at(params, "config"), call);
  if (done.ok()) return Json(nullptr);
  lock.lock();
  current_.erase({core.life(), core.name()});
  return done.error();
}

ExtensionCore* ExtensionSet::find(gdn_host* life, const JsonObject& params) const {
  const std::scoped_lock lock(mutex_);
  const auto found = current_.find({life, text_at(params, "extension")});
  return found == current_.end() ? nullptr : found->second;
}

void ExtensionSet::deliver(gdn_host* life, std::string_view event, const Json& payload) const {
  std::vector<ExtensionCore*> hearers;
  std::unique_lock lock(mutex_);
  for (const auto& [key, core] : current_) {
    if (key.first == life) hearers.push_back(core);
  }
  lock.unlock();
  for (ExtensionCore* const core : hearers)
    core->hear(event, payload);
}

}  // namespace goondan::plugin
