// A request to the messages API.
#pragma once

#include <string>

#include <goondan/result.h>

#include "model/model.h"
#include "model/wire_names.h"

namespace goondan {

inline constexpr std::string_view kAnthropicProvider = "anthropic";
inline constexpr std::int64_t kDefaultMaxTokens = 4096;  // the API wants it said

// What the requests of one model have in common. A value.
struct AnthropicSettings {
  std::string model;
  JsonObject fields = {};  // `options.request`
};

// The body, as JSON text. Fails with `E_MODEL_CONFIG`.
Result<std::string> anthropic_body(const AnthropicSettings& settings, const ModelRequest& request,
                                   const WireNames& names);

}  // namespace goondan
