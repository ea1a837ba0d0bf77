// `provider: anthropic`: the messages API.
#pragma once

#include <memory>

#include "model/endpoint.h"
#include "model/model_options.h"
#include "model/provider.h"

namespace goondan {

inline constexpr EndpointRule kAnthropicEndpoint{
    .default_url = "https://api.anthropic.com/v1/messages",
    .version = "/v1",
    .path = "/messages",
    .after_other_path = "/v1/messages"};

inline constexpr std::string_view kAnthropicVersion = "2023-06-01";

std::unique_ptr<Provider> make_anthropic_provider(const std::string& model,
                                                  const ModelOptions& options);

}  // namespace goondan
