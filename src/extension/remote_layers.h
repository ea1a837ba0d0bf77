// The layers of one remote extension.
#pragma once

#include <memory>
#include <string>

#include <goondan/resources.h>

#include "extension/extension.h"
#include "host/peer/peer.h"

namespace goondan {

enum class LayerKind { Turn, Step, ToolCall };

std::optional<LayerKind> layer_kind(std::string_view text);

// What a remote layer needs to run. Shared by all layers of an extension.
struct RemoteParts {
  std::shared_ptr<Peer> peer;
  ExtensionSite& site;
  // Serves what the other side asks or says in any call: `state.set`, `log`, `tools.register` ...
  std::function<Result<Json>(const std::string& method, const Json& params)> on_request;
  std::function<void(const std::string& method, const Json& params)> on_notify;
  // The first is told more of its surroundings.
  Dialect dialect = Dialect::V1;
  std::string instance_id = {};  // only for the first
};

// Puts the layer with this number into its pipeline.
void add_remote_layer(ExtensionLayers& layers, const std::shared_ptr<const RemoteParts>& parts,
                      LayerKind kind, std::int64_t number, int priority);

}  // namespace goondan
