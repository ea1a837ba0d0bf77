#include "oauth/manager/new_session.h"

#include <algorithm>

#include "base/ids.h"

namespace goondan::oauth {
namespace {

// A device code may live longer than a session with a browser, but not for ever.
constexpr std::int64_t kLongestDeviceLife = 3600;
constexpr std::int64_t kShortestInterval = 1;
constexpr std::int64_t kLongestInterval = 300;

SessionRecord session_for(Context& context, const Asked& asked) {
  SessionRecord session;
  session.id = "as-" + random_hex(6);
  session.app = asked.app.name;
  session.provider = asked.app.provider;
  session.client = client_of(asked.app);
  session.subject_mode = asked.app.subject_mode;
  session.subject = asked.subject;
  session.scopes = asked.scopes;
  session.resume = asked.resume;
  session.created_at = context.now();
  session.expires_at = session.created_at + kSessionLife.count();
  return session;
}

// PKCE with S256 and a state of 256 bits; the nonce is used if there are id tokens.
void add_code(SessionRecord& session, const Provider& provider, const std::string& redirect_uri) {
  CodePart& code = session.code;
  code.verifier = new_code_verifier();
  code.challenge = code_challenge(code.verifier.reveal());
  code.state = new_code_verifier();
  code.nonce = new_code_verifier();
  code.redirect_uri = redirect_uri;
  code.issuer = provider.issuer();
  if (provider.promises_issuer()) code.issuer_parameter = CodePart::IssuerParameter::Promised;
  session.authorization_url = provider.authorization_url({.redirect_uri = redirect_uri,
                                                          .scopes = session.scopes,
                                                          .state = code.state.reveal(),
                                                          .code_challenge = code.challenge,
                                                          .nonce = code.nonce.reveal()});
}

void add_device(SessionRecord& session, DeviceCode code) {
  DevicePart device;
  device.device_code = std::move(code.device_code);
  device.user_code = code.user_code;
  device.verification_uri = code.verification_uri;
  device.interval =
      std::clamp<std::int64_t>(code.interval.count(), kShortestInterval, kLongestInterval);
  device.next_poll_at = session.created_at + device.interval;
  session.expires_at =
      session.created_at + std::clamp<std::int64_t>(code.expires_in.count(), 1, kLongestDeviceLife);
  session.authorization_url = code.verification_uri_complete.empty()
                                  ? code.verification_uri
                                  : code.verification_uri_complete;
  session.device = std::move(device);
}

}  // namespace

TokenError provider_failure(const App& app, const ProviderError& error) {
  const bool later = error.refusal == Refusal::Retry;
  return {.code = later ? "providerUnavailable" : "configurationError",
          .message = app.provider + " (OAuthApp/" + app.name + "): " + error.message};
}

std::variant<SessionRecord, TokenError> new_session(Context& context, const Asked& asked,
                                                    const std::string& redirect_uri,
                                                    const Limit& limit) {
  SessionRecord session = session_for(context, asked);
  Provider& provider = context.provider(asked.app);
  if (asked.app.flow == OAuthAppResource::Flow::DeviceCode) {
    Answer<DeviceCode> code = provider.start_device(session.scopes, limit);
    if (const auto* error = std::get_if<ProviderError>(&code))
      return provider_failure(asked.app, *error);
    add_device(session, std::get<DeviceCode>(std::move(code)));
  } else {
    add_code(session, provider, redirect_uri);
  }
  context.learn(session);
  return session;
}

}  // namespace goondan::oauth
