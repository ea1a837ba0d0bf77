// The metadata of an issuer (OpenID Connect Discovery, RFC 8414).
#pragma once

#include <string>
#include <vector>

#include "oauth/app.h"
#include "oauth/provider.h"

namespace goondan::oauth {

struct Metadata {
  App::Endpoints endpoints = {};
  bool promises_issuer = false;  // RFC 9207: callbacks name it
};

// Where the metadata may be, in the order of asking. `issuer` is a URL without query.
std::vector<std::string> metadata_urls(const std::string& issuer);

// Refuses a document of another issuer, addresses that are no https URLs (http is for loopback, if
// the issuer is there too), and, unless devices are asked for, one without S256.
Answer<Metadata> read_metadata(const JsonObject& document, const App& app);

// What an application has, with the gaps filled from the metadata.
App::Endpoints merged_endpoints(App::Endpoints written, const App::Endpoints& discovered);

}  // namespace goondan::oauth
