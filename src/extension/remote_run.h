// One run of a remote layer: the call to the other side, and what it asks for meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "extension/contexts.h"
#include "extension/remote_layers.h"

namespace goondan {

struct LayerRun {
  Json params = nullptr;  // of `layer`
  // What the layer may take before and after what runs inside it; none: only `deadline` counts.
  std::optional<std::chrono::milliseconds> own_time = {};
  Deadline deadline = Deadline::max();
  std::stop_token stop = {};
  std::function<Result<Json>(const JsonObject& params)> next;
  std::function<Result<Json>(std::string_view method, const Json& params)> request;
  ConversationView* conversation = nullptr;  // null: the layer may not change it
};

struct LayerReply {
  Json outcome = nullptr;  // null: what `next()` gave
  JsonObject metadata = {};
};

// Fails with `E_MIDDLEWARE` and its kin, naming the extension. A layer that neither called `next()`
// nor answered is `E_MIDDLEWARE_NEXT_MISSING`.
Result<LayerReply> run_remote_layer(const RemoteParts& parts, LayerRun run);

}  // namespace goondan
