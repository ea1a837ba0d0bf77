#include <array>

#include "base/nearest.h"
#include "model/anthropic_provider.h"
#include "model/anthropic_request.h"
#include "model/http_model.h"
#include "model/model.h"
#include "model/openai_provider.h"
#include "model/openai_request.h"
#include "model/scripted.h"

namespace goondan {
namespace {

constexpr std::array<std::string_view, 3> kProviders{kOpenAiProvider, kAnthropicProvider,
                                                     kScriptedProvider};

Error unknown_provider(const ModelResource& resource) {
  const std::string_view meant = nearest(resource.provider, kProviders);
  return {.code = ErrorCode::ModelConfig,
          .message = "Model/" + resource.meta.name + " has the provider '" + resource.provider +
                     "', which is not known",
          .suggestion = (meant.empty() ? "" : "Did you mean '" + std::string(meant) + "'? ") +
                        std::string("Known are openai (any server that speaks chat completions, "
                                    "with `endpoint`), anthropic and scripted.")};
}

Error key_missing(const ModelResource& resource) {
  const std::string variable =
      resource.provider == kAnthropicProvider ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
  return {.code = ErrorCode::ConfigValueMissing,
          .message = "Model/" + resource.meta.name + " has no `apiKey`, which " +
                     resource.provider + " wants",
          .suggestion = "Write `apiKey: {valueFrom: {env: " + variable +
                        "}}`, or the `endpoint` of a server that needs no key."};
}

// A key is one word; files and variables often end in a line break.
Result<std::string> read_key(const ModelResource& resource, const ModelServices& services) {
  Result<std::optional<std::string>> found =
      resource.api_key->resolve(services.environment, ValueSource::Required::Yes, "apiKey");
  if (!found.ok()) {
    Error error = std::move(found).error();
    error.message = "`apiKey` of Model/" + resource.meta.name + ": " + error.message;
    return error;
  }
  std::string key = found->value_or("");
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  key.erase(0, key.find_first_not_of(" \t\r\n"));
  if (!key.empty() && net::is_field_value(key)) return key;
  return Error{.code = ErrorCode::ModelConfig,
               .message = "`apiKey` of Model/" + resource.meta.name +
                          " is empty or has characters that no key has",
               .suggestion = "Give the key alone, on one line."};
}

bool carries_secret(const std::string& header) {
  const std::string name = net::to_lower(header);
  return name.ends_with("authorization") || name.ends_with("key") || name.ends_with("token") ||
         name.ends_with("secret") || name == "cookie";
}

// Servers that want their key in a header of its own get it by `options.headers`.
void learn_secrets(Redactor& redactor, const std::string& key,
                   const std::vector<net::Header>& headers) {
  redactor.add_secret(key);
  for (const net::Header& header : headers) {
    if (!carries_secret(header.name)) continue;
    redactor.add_secret(header.value);
    // `Bearer ...`
    redactor.add_secret(header.value.substr(header.value.rfind(' ') + 1));
  }
}

Error with_name(Error error, const ModelResource& resource) {
  error.message = "Model/" + resource.meta.name + ": " + error.message;
  return error;
}

Result<std::shared_ptr<Model>> make_http_model(const ModelResource& resource,
                                               const ModelServices& services) {
  const bool anthropic = resource.provider == kAnthropicProvider;
  Result<ModelOptions> options = ModelOptions::parse(resource.options);
  if (!options.ok()) return with_name(std::move(options).error(), resource);
  Result<Endpoint> endpoint =
      make_endpoint(resource.endpoint, anthropic ? kAnthropicEndpoint : kOpenAiEndpoint);
  if (!endpoint.ok()) return with_name(std::move(endpoint).error(), resource);
  std::string key;
  if (resource.api_key) {
    key = GDN_TRY(read_key(resource, services));
  } else if (endpoint->kind == Endpoint::Kind::Default) {
    return key_missing(resource);
  }
  auto redactor = services.redactor ? services.redactor : std::make_shared<Redactor>();
  learn_secrets(*redactor, key, options->headers);
  return std::shared_ptr<Model>(std::make_shared<HttpModel>(HttpModelParts{
      .resource = "Model/" + resource.meta.name,
      .model = resource.model,
      .key = std::move(key),
      .endpoint = *endpoint,
      .options = *options,
      .provider = anthropic ? make_anthropic_provider(resource.model, *options)
                            : make_openai_provider(resource.model, *options, endpoint->kind),
      .http = services.http ? services.http : std::make_shared<net::HttpClient>(),
      .redactor = std::move(redactor)}));
}

}  // namespace

Result<std::shared_ptr<Model>> make_model(const ModelResource& resource,
                                          const ModelServices& services) {
  if (resource.provider == kScriptedProvider) return make_scripted_model(resource, services);
  if (resource.provider == kOpenAiProvider || resource.provider == kAnthropicProvider) {
    return make_http_model(resource, services);
  }
  return unknown_provider(resource);
}

}  // namespace goondan
