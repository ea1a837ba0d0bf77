// One extension: what its setup has registered, and the runtime as it sees it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <goondan/extension.h>

#include "host/sdk/extension_line.h"

namespace goondan::plugin {

// Thread-safe. Never destroyed: the author's threads may use it until the process ends.
class ExtensionCore final : public ExtensionApi {
 public:
  using OnLayer = std::variant<OnToolCall, OnStep, OnTurn>;
  // Brings an event to the extensions of this plugin.
  using Deliver = std::function<void(gdn_host* life, std::string_view event, const Json& payload)>;

  struct Parts {
    std::string name;
    JsonObject agent;
    Json state;
    gdn_host* life;
    const gdn_host_api& api;
    Deliver deliver;
  };
  explicit ExtensionCore(Parts parts);

  [[nodiscard]] gdn_host* life() const { return line_.life(); }
  // Runs the author's setup as part of the runtime's call of it, and tells what it has registered.
  Result<void> run_setup(const Setup& setup, const JsonObject& config, const gdn_call& call);
  // Null if there is none with this number.
  [[nodiscard]] std::shared_ptr<const OnLayer> layer(std::size_t number) const;
  [[nodiscard]] std::shared_ptr<const Handler> tool(std::int64_t number) const;
  // Calls the listeners of `event`; what one throws is logged.
  void hear(std::string_view event, const Json& payload);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const JsonObject& agent() const override { return agent_; }
  void on_tool_call(OnToolCall layer, int priority) override;
  void on_step(OnStep layer, int priority) override;
  void on_turn(OnTurn layer, int priority) override;
  Result<void> register_tool(const Json& item, Handler handler) override;
  [[nodiscard]] Json state() const override;
  Result<void> set_state(Json state) override;
  void emit(std::string_view event, const Json& payload) override;
  void on_event(std::string event, std::function<void(const Json&)> listener) override;
  void log(LogLevel level, std::string_view text) override;

 private:
  struct Registered {
    std::shared_ptr<const OnLayer> layer;
    int priority;
  };
  using Listener = std::shared_ptr<const std::function<void(const Json&)>>;
  enum class Stage { SettingUp, Running };

  [[nodiscard]] std::int64_t number_for(const std::string& tool) const;
  void add_layer(OnLayer layer, int priority);
  void announce_layers(const gdn_call& call) const;

  const std::string name_;
  const JsonObject agent_;
  const Deliver deliver_;
  ExtensionLine line_;
  std::mutex set_mutex_;      // one `set_state` at a time, so that disk and copy agree
  std::mutex tools_mutex_;    // one `register_tool` at a time
  mutable std::mutex mutex_;  // everything below
  Stage stage_ = Stage::SettingUp;
  Json state_;
  std::vector<Registered> layers_;
  struct Tool {
    std::string name;
    std::shared_ptr<const Handler> handler;
  };
  std::map<std::int64_t, Tool> tools_;  // by number
  std::vector<std::pair<std::string, Listener>> listeners_;
};

}  // namespace goondan::plugin
