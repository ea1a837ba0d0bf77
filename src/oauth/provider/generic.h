// A provider that follows the RFCs: 6749, 7009, 7636, 8414, 8628, 8707, 9207, and OpenID Connect.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oauth/provider.h"
#include "oauth/provider/endpoint_call.h"
#include "oauth/provider/id_token.h"
#include "oauth/provider/jwk.h"
#include "oauth/provider/metadata.h"
#include "oauth/provider/token_answer.h"

namespace goondan::oauth {

class GenericProvider : public Provider {
 public:
  GenericProvider(App app, net::HttpClient& http, net::HostPolicy policy);

  Answer<std::monostate> prepare(const Limit& limit) override;
  [[nodiscard]] std::string issuer() const override { return app_.endpoints.issuer; }
  [[nodiscard]] bool promises_issuer() const override;
  [[nodiscard]] std::string authorization_url(const AuthorizationRequest& request) const override;
  Answer<Tokens> exchange(const CodeExchange& exchange, const Limit& limit) override;
  Answer<Tokens> refresh(std::string_view refresh_token, const std::vector<std::string>& scopes,
                         const Limit& limit) override;
  Answer<Identity> identify(const Tokens& tokens, std::string_view nonce,
                            const Limit& limit) override;
  Answer<std::monostate> revoke(const Secret& access_token, const Secret& refresh_token,
                                const Limit& limit) override;
  Answer<DeviceCode> start_device(const std::vector<std::string>& scopes,
                                  const Limit& limit) override;
  Answer<Tokens> poll_device(std::string_view device_code, const std::vector<std::string>& scopes,
                             const Limit& limit) override;

 protected:
  // What an answer with a status of 2xx and without `error` says.
  [[nodiscard]] virtual Answer<Tokens> tokens_of(const JsonObject& answer,
                                                 const TokenExpectation& expected) const;
  // How scopes are asked for in the authorization URL.
  virtual void add_scopes(const std::vector<std::string>& scopes, Parameters& parameters) const;
  // Whether the token is gone, or what kept it alive.
  virtual Answer<std::monostate> revoke_one(std::string_view token, std::string_view hint,
                                            const Limit& limit);

  // All that is known, after the metadata has been read if need be.
  Answer<App::Endpoints> endpoints(const Limit& limit);
  [[nodiscard]] App::Endpoints known_now() const;
  [[nodiscard]] std::string_view client_secret() const;

  [[nodiscard]] const App& app() const { return app_; }
  [[nodiscard]] const EndpointCaller& caller() const { return caller_; }

 private:
  // With the client's name and proof, as the application is known to the provider.
  [[nodiscard]] EndpointCaller::Call authenticated(EndpointCaller::Call call) const;
  Answer<Tokens> ask_for_tokens(Parameters form, const RequestSecrets& secrets,
                                const TokenExpectation& expected, const Limit& limit);
  Answer<Metadata> discover(const Limit& limit) const;
  Answer<Identity> from_id_token(const Tokens& tokens, std::string_view nonce, const Limit& limit);
  Answer<Identity> from_user_info(const std::string& url, const Secret& access_token,
                                  const Limit& limit);
  // Nothing if no key made the signature.
  Answer<std::monostate> check_signature(const IdToken& token, const std::string& jwks,
                                         const Limit& limit);
  Answer<std::vector<Jwk>> fetch_keys(const std::string& jwks, const Limit& limit);
  [[nodiscard]] Identity user_identity(std::string_view subject) const;

  const App app_;
  const EndpointCaller caller_;
  mutable std::mutex mutex_;
  std::optional<Metadata> metadata_;  // guarded by `mutex_`
  std::vector<Jwk> keys_;             // guarded by `mutex_`
};

// The error in an answer; null if there is none.
template <class T>
const ProviderError* error_of(const Answer<T>& answer) {
  return std::get_if<ProviderError>(&answer);
}

}  // namespace goondan::oauth
