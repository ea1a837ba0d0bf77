// One run of a layer, as the author sees it: `Layer` and its kinds over the calls of the protocol.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <goondan/extension.h>

#include "host/sdk/host_proxy.h"

namespace goondan::plugin {

// What all kinds have in common. One thread at a time; borrows the host.
class LayerRun {
 public:
  LayerRun(JsonObject context, HostProxy& host, std::stop_token stop);

  // Takes `key` out of the context; an empty one of the wanted kind if it is not there.
  JsonObject take_object(std::string_view key);
  JsonArray take_array(std::string_view key);

  // `params` is what the kind of layer adds to the request.
  Result<Json> next(JsonObject params);
  Result<Json> runtime(std::string_view method, const Json& params);
  // Changes the conversation, and `messages` with it.
  Result<void> change(JsonArray& messages, JsonObject params);

  // What the runtime is told in the end.
  Json reply(Json outcome);

  JsonObject context;
  JsonObject metadata;
  std::stop_token stop;

 private:
  HostProxy& host_;
  bool ran_ = false;
};

// Runs a layer's function for a call's `context`.
Result<Json> run_layer(const ExtensionApi::OnToolCall& layer, LayerRun& run);
Result<Json> run_layer(const ExtensionApi::OnStep& layer, LayerRun& run);
Result<Json> run_layer(const ExtensionApi::OnTurn& layer, LayerRun& run);

}  // namespace goondan::plugin
