// What is said to a provider, and what it answers. One for each application; the generic one
// follows the RFCs, Slack's has ways of its own.
//
// Nothing is stored here, and nothing is tried again: the manager decides.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "net/http_client.h"
#include "oauth/app.h"
#include "oauth/secret.h"

namespace goondan::oauth {

// Until when somebody waits.
struct Limit {
  Deadline deadline;
  std::stop_token stop = {};
};

// How an answer that is none must be taken.
enum class Refusal {
  InvalidGrant,  // the code, refresh token or device code is spent or revoked: ask the person anew
  Denied,        // the person said no
  Expired,       // the device code is too old
  Pending,       // the person has not decided yet
  SlowDown,      // the same, and we ask too often
  Retry,         // the network, or the provider is ill: nothing is known to have changed
  Broken,        // it answered what cannot be used, or refuses our configuration
};

struct ProviderError {
  Refusal refusal = Refusal::Broken;
  std::string code = {};     // the provider's own, cleaned; may be empty
  std::string message = {};  // for people; holds no secret
};

// Who has consented, in the words that `turn.auth.subjects` uses; empty where it is not known.
struct Identity {
  std::string user = {};    // `<provider>:user:<sub>`, `slack:user:<team>:<user>`
  std::string global = {};  // `slack:team:<team>`; empty: the provider tells of no such thing
};

struct Tokens {
  Secret access_token = {};
  Secret refresh_token = {};  // empty: none came
  std::string token_type = "bearer";
  std::optional<std::chrono::seconds> expires_in = {};  // none: it does not expire
  std::vector<std::string> scopes = {};  // granted; what was asked for if it says nothing
  Secret id_token = {};                  // empty: none came
  Identity identity = {};                // as far as the answer itself tells
  JsonObject provider_data = {};         // nothing secret
};

struct DeviceCode {
  Secret device_code = {};
  std::string user_code = {};
  std::string verification_uri = {};
  std::string verification_uri_complete = {};  // may be empty
  std::chrono::seconds expires_in{600};
  std::chrono::seconds interval{5};
};

template <class T>
using Answer = std::variant<T, ProviderError>;

struct AuthorizationRequest {
  std::string redirect_uri = {};
  std::vector<std::string> scopes = {};
  std::string_view state = {};
  std::string_view code_challenge = {};
  std::string_view nonce = {};  // sent if id tokens are asked for
};

struct CodeExchange {
  std::string_view code = {};
  std::string_view code_verifier = {};
  std::string redirect_uri = {};
  std::vector<std::string> scopes = {};  // that were asked for
};

// Thread-safe. Every request goes over TLS, or to loopback; redirects are never followed; answers
// are bounded (size, content type, depth).
class Provider {
 public:
  virtual ~Provider() = default;

  // Reads the issuer's metadata if the application asks for that and it has not been read.
  // Refuses metadata of another issuer, or without S256.
  virtual Answer<std::monostate> prepare(const Limit& limit) = 0;
  // The issuer that a callback must name: exactly this, and whether it must name one at all.
  [[nodiscard]] virtual std::string issuer() const = 0;
  [[nodiscard]] virtual bool promises_issuer() const = 0;

  [[nodiscard]] virtual std::string authorization_url(
      const AuthorizationRequest& request) const = 0;
  virtual Answer<Tokens> exchange(const CodeExchange& exchange, const Limit& limit) = 0;
  virtual Answer<Tokens> refresh(std::string_view refresh_token,
                                 const std::vector<std::string>& scopes, const Limit& limit) = 0;
  // Who the tokens belong to: from the answer, the id token (checked: signature, iss, aud, exp,
  // nonce, at_hash) or the user info endpoint.
  virtual Answer<Identity> identify(const Tokens& tokens, std::string_view nonce,
                                    const Limit& limit) = 0;
  // Refresh token first, then access token. Broken if there is no endpoint for it.
  virtual Answer<std::monostate> revoke(const Secret& access_token, const Secret& refresh_token,
                                        const Limit& limit) = 0;
  virtual Answer<DeviceCode> start_device(const std::vector<std::string>& scopes,
                                          const Limit& limit) = 0;
  virtual Answer<Tokens> poll_device(std::string_view device_code,
                                     const std::vector<std::string>& scopes,
                                     const Limit& limit) = 0;
};

// Borrows the client, which outlives the provider.
std::unique_ptr<Provider> make_provider(App app, net::HttpClient& http, net::HostPolicy policy);

// RFC 7636: 32 random bytes as base64url, and the challenge of a verifier.
Secret new_code_verifier();
std::string code_challenge(std::string_view verifier);

}  // namespace goondan::oauth
