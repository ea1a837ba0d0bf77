#include "model/endpoint.h"

namespace goondan {
namespace {

std::string complete_path(std::string path, const EndpointRule& rule) {
  while (path.ends_with('/')) {
    path.pop_back();
  }
  if (path.ends_with(rule.path)) return path;
  if (path.empty()) return std::string(rule.version) + std::string(rule.path);
  if (path.ends_with(rule.version)) return path + std::string(rule.path);
  return path + std::string(rule.after_other_path);
}

Error not_an_endpoint(const Error& problem) {
  return {.code = ErrorCode::ModelConfig,
          .message = "`endpoint` is no URL that can be used: " + problem.message,
          .suggestion =
              "Write the server's address, such as http://localhost:11434/v1 or "
              "https://models.example.com/v1."};
}

}  // namespace

Result<Endpoint> make_endpoint(std::string_view text, const EndpointRule& rule) {
  const bool own = !text.empty();
  Result<net::Url> url = net::Url::parse(own ? text : rule.default_url);
  if (!url.ok()) return not_an_endpoint(url.error());
  url->path = complete_path(url->path, rule);
  url->fragment.clear();
  Endpoint endpoint{.url = *std::move(url)};
  if (!own) return endpoint;
  endpoint.kind = Endpoint::Kind::Own;
  endpoint.policy = net::HostPolicy({{.host = endpoint.url.host, .port = endpoint.url.port}});
  return endpoint;
}

}  // namespace goondan
