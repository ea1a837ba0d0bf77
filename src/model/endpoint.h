// Where the requests for a model go.
#pragma once

#include <string>
#include <string_view>

#include <goondan/result.h>

#include "net/host_policy.h"
#include "net/url.h"

namespace goondan {

// How a provider's URLs are put together.
struct EndpointRule {
  std::string_view default_url;  // complete
  std::string_view version;      // what a base URL may end with, `/v1`
  std::string_view path;         // what follows the version, `/chat/completions`
  // What is put behind a path that ends otherwise, `/api/v1` or `/anthropic`.
  std::string_view after_other_path;
};

// A value.
struct Endpoint {
  net::Url url;
  net::HostPolicy policy =
      {};  // lets requests reach this host and port, and no other that is local
  enum class Kind { Default, Own } kind = Kind::Default;
};

// `text` is `spec.endpoint`: empty for the provider's own, a server (`http://localhost:11434`), a
// base URL (`.../v1`) or the complete URL of the call; a query is kept. Fails with
// `E_MODEL_CONFIG`.
Result<Endpoint> make_endpoint(std::string_view text, const EndpointRule& rule);

}  // namespace goondan
