// A tool of a bundle whose handlers are a module in the script host.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <goondan/bundle.h>
#include <goondan/registry.h>

#include "host/peer/peer.h"

namespace goondan {

// Thread-safe; shared by the handlers of its exports.
class ScriptTool {
 public:
  // `place`: what a tool of the first dialect is told of its agent; null without one.
  ScriptTool(std::filesystem::path bundle_root, ToolResource tool, std::shared_ptr<Peer> host,
             Json place = nullptr);

  // Loads the module if it has not been loaded, and compares it with the exports. Of several who
  // come at a time one does it. After a failure the next one tries again.
  Result<std::string> module(Deadline deadline, const std::stop_token& stop);

  Result<Json> call(const std::string& export_name, ToolContext& context, const JsonObject& input);

  // Registers the exports of `tool`.
  static Result<void> add(ToolRegistry& registry, const std::shared_ptr<ScriptTool>& tool);

 private:
  Result<std::string> load(Deadline deadline, const std::stop_token& stop) const;

  std::filesystem::path bundle_root_;
  ToolResource tool_;
  std::shared_ptr<Peer> host_;
  Json place_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  enum class State { Unloaded, Loading, Loaded } state_ = State::Unloaded;
  std::string module_;  // once it is loaded
};

}  // namespace goondan
