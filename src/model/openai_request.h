// A request to a chat completions server.
#pragma once

#include <string>

#include <goondan/result.h>

#include "model/model.h"
#include "model/model_options.h"
#include "model/wire_names.h"

namespace goondan {

inline constexpr std::string_view kOpenAiProvider = "openai";

// What the requests of one model have in common. A value.
struct OpenAiSettings {
  std::string model;
  std::string max_tokens_field = "max_tokens";
  ModelOptions::Reasoning reasoning = ModelOptions::Reasoning::Drop;
  JsonObject fields = {};  // `options.request`
};

// The body, as JSON text. Fails with `E_MODEL_CONFIG`.
Result<std::string> openai_body(const OpenAiSettings& settings, const ModelRequest& request,
                                const WireNames& names);

}  // namespace goondan
