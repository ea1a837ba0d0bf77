#include "host/sdk/extension_core.h"

#include "base/log_level.h"
#include "host/sdk/guarded.h"
#include "host/sdk/host_proxy.h"

namespace goondan::plugin {
namespace {

constexpr std::size_t kMaxLogBytes = std::size_t{64} * 1024;  // a longer line is cut

std::string_view kind_of(const ExtensionCore::OnLayer& layer) {
  if (std::holds_alternative<ExtensionApi::OnToolCall>(layer)) return "toolCall";
  return std::holds_alternative<ExtensionApi::OnStep>(layer) ? "step" : "turn";
}

}  // namespace

ExtensionCore::ExtensionCore(Parts parts)
    : name_(std::move(parts.name)),
      agent_(std::move(parts.agent)),
      deliver_(std::move(parts.deliver)),
      line_(parts.life, parts.api),
      state_(std::move(parts.state)) {}

Result<void> ExtensionCore::run_setup(const Setup& setup, const JsonObject& config,
                                      const gdn_call& call) {
  line_.begin_setup(call.host);
  Result<void> done = guarded(ErrorCode::ExtensionInit, [&] { return setup(*this, config); });
  line_.end_setup();
  std::unique_lock lock(mutex_);
  stage_ = Stage::Running;
  lock.unlock();  // nobody changes the layers any more
  if (done.ok()) announce_layers(call);
  return done;
}

void ExtensionCore::announce_layers(const gdn_call& call) const {
  HostProxy host(call);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Result<Json> heard =
        host.request("pipeline.register", JsonObject{{"extension", name_},
                                                     {"layer", i},
                                                     {"kind", kind_of(*layers_[i].layer)},
                                                     {"priority", layers_[i].priority}});
    if (!heard.ok()) return;  // the runtime has given up on the call
  }
}

std::shared_ptr<const ExtensionCore::OnLayer> ExtensionCore::layer(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  return number < layers_.size() ? layers_[number].layer : nullptr;
}

void ExtensionCore::on_tool_call(OnToolCall layer, int priority) {
  add_layer(std::move(layer), priority);
}

void ExtensionCore::on_step(OnStep layer, int priority) {
  add_layer(std::move(layer), priority);
}

void ExtensionCore::on_turn(OnTurn layer, int priority) {
  add_layer(std::move(layer), priority);
}

void ExtensionCore::add_layer(OnLayer layer, int priority) {
  auto kept = std::make_shared<const OnLayer>(std::move(layer));
  std::unique_lock lock(mutex_);
  if (stage_ == Stage::SettingUp) {
    layers_.push_back({.layer = std::move(kept), .priority = priority});
    return;
  }
  lock.unlock();
  log(LogLevel::Error, "a layer was registered after the setup; it is not used");
}

void ExtensionCore::log(LogLevel level, std::string_view text) {
  line_.notify("log", JsonObject{{"level", level_name(level)},
                                 {"text", text.substr(0, kMaxLogBytes)},
                                 {"extension", name_}});
}

}  // namespace goondan::plugin
