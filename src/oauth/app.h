// An OAuth application as it is used: what `OAuthApp` of a bundle says, with its values resolved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <goondan/resources.h>
#include <goondan/result.h>

#include "oauth/secret.h"

namespace goondan::oauth {

// A value; the secret is shared.
struct App {
  struct Endpoints {
    std::string issuer = {};  // empty: not known, and no `iss` is expected
    std::string authorization = {};
    std::string token = {};
    std::string revocation = {};            // empty: there is none
    std::string user_info = {};             // empty: there is none
    std::string device_authorization = {};  // empty: there is none
    std::string jwks = {};                  // empty: id tokens are not asked for
  };

  std::string name = {};
  std::string provider = {};  // `slack`, or any other name: the generic one
  OAuthAppResource::Flow flow = OAuthAppResource::Flow::AuthorizationCode;
  OAuthAppResource::SubjectMode subject_mode = OAuthAppResource::SubjectMode::Global;
  std::string client_id = {};
  std::shared_ptr<const Secret> client_secret = {};  // null: a public client
  Endpoints endpoints = {};
  // Endpoints that are not written down are read from the issuer's metadata before the first use.
  enum class Discovery { No, Yes } discovery = Discovery::No;
  std::vector<std::string> scopes = {};
  std::string callback_path = {};  // begins with `/`
  std::string base_url = {};       // empty: `http://127.0.0.1:<a free port>`
  std::uint16_t listen_port = 0;   // where callbacks arrive; 0: that of `base_url`, or a free one
  std::string resource = {};       // RFC 8707; empty: none
  // How the client shows that it is itself, if it has a secret.
  enum class ClientAuthentication {
    Post,
    Basic
  } client_authentication = ClientAuthentication::Post;
  std::vector<std::string> user_scopes = {};  // Slack: those of `scopes` that are the user's own
  std::vector<std::pair<std::string, std::string>> options = {};  // added to the authorization URL
};

// Fails with `E_CONFIG`-like errors that name the field: a variable that is not set, an address
// that is no https URL (http is for loopback only), a callback path that is none.
Result<App> make_app(const OAuthAppResource& resource, const ValueSource::Environment& environment);

}  // namespace goondan::oauth
