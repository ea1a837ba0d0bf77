// `provider: openai`: any server that speaks chat completions.
#pragma once

#include <memory>

#include "model/endpoint.h"
#include "model/model_options.h"
#include "model/provider.h"

namespace goondan {

inline constexpr EndpointRule kOpenAiEndpoint{
    .default_url = "https://api.openai.com/v1/chat/completions",
    .version = "/v1",
    .path = "/chat/completions",
    .after_other_path = "/chat/completions"};

std::unique_ptr<Provider> make_openai_provider(const std::string& model,
                                               const ModelOptions& options, Endpoint::Kind kind);

}  // namespace goondan
