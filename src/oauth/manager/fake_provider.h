// A provider that a test tells what to answer, and that remembers what it was asked.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "oauth/provider.h"

namespace goondan::oauth {

inline ProviderError refusal(Refusal refusal) {
  return {.refusal = refusal, .code = "x", .message = "as the test wants it"};
}

inline Tokens tokens(std::string_view access, std::string_view refresh = {}) {
  Tokens tokens;
  tokens.access_token = Secret(access);
  tokens.refresh_token = Secret(refresh);
  tokens.expires_in = std::chrono::seconds(3600);
  tokens.scopes = {"read", "write"};
  return tokens;
}

// Shared by the test and the providers that managers make.
struct FakeService {
  std::function<Answer<Tokens>(const CodeExchange&)> on_exchange = [](const CodeExchange&) {
    return tokens("access-of-exchange", "refresh-of-exchange");
  };
  std::function<Answer<Tokens>(std::string_view)> on_refresh = [](std::string_view) {
    return tokens("access-of-refresh", "refresh-of-refresh");
  };
  std::function<Answer<Tokens>()> on_poll = [] { return tokens("access-of-poll"); };
  std::function<Answer<Identity>(const Tokens&)> on_identify = [](const Tokens&) {
    return Identity{.user = "demo:user:ada"};
  };
  Answer<std::monostate> prepared = std::monostate();
  Answer<std::monostate> revoked = std::monostate();
  DeviceCode device = {.device_code = Secret("device-code-secret"),
                       .user_code = "WDJB-MJHT",
                       .verification_uri = "https://demo.example/device"};
  std::string issuer = {};
  bool promises_issuer = false;

  std::atomic<int> exchanges = 0;
  std::atomic<int> refreshes = 0;
  std::atomic<int> polls = 0;
  std::atomic<int> devices = 0;
  std::mutex mutex;
  std::vector<std::string> revocations;  // access tokens
  std::vector<std::string> verifiers;    // of exchanges
  std::vector<std::string> sent_refresh_tokens;

  // Whether the provider was asked for anything over the network.
  [[nodiscard]] bool untouched() const {
    return exchanges == 0 && refreshes == 0 && polls == 0 && devices == 0;
  }
};

class FakeProvider : public Provider {
 public:
  explicit FakeProvider(FakeService& service) : service_(service) {}

  Answer<std::monostate> prepare(const Limit&) override { return service_.prepared; }
  [[nodiscard]] std::string issuer() const override { return service_.issuer; }
  [[nodiscard]] bool promises_issuer() const override { return service_.promises_issuer; }

  [[nodiscard]] std::string authorization_url(const AuthorizationRequest& request) const override {
    std::string scopes;
    for (const std::string& scope : request.scopes)
      scopes += (scopes.empty() ? "" : "+") + scope;
    return "https://demo.example/authorize?response_type=code&code_challenge_method=S256" +
           std::string("&code_challenge=") + std::string(request.code_challenge) +
           "&state=" + std::string(request.state) + "&nonce=" + std::string(request.nonce) +
           "&scope=" + scopes + "&redirect_uri=" + request.redirect_uri;
  }

  Answer<Tokens> exchange(const CodeExchange& exchange, const Limit&) override {
    ++service_.exchanges;
    {
      const std::scoped_lock lock(service_.mutex);
      service_.verifiers.emplace_back(exchange.code_verifier);
    }
    return service_.on_exchange(exchange);
  }

  Answer<Tokens> refresh(std::string_view token, const std::vector<std::string>&,
                         const Limit&) override {
    ++service_.refreshes;
    {
      const std::scoped_lock lock(service_.mutex);
      service_.sent_refresh_tokens.emplace_back(token);
    }
    return service_.on_refresh(token);
  }

  Answer<Identity> identify(const Tokens& tokens, std::string_view, const Limit&) override {
    return service_.on_identify(tokens);
  }

  Answer<std::monostate> revoke(const Secret& access_token, const Secret&, const Limit&) override {
    const std::scoped_lock lock(service_.mutex);
    service_.revocations.emplace_back(access_token.reveal());
    return service_.revoked;
  }

  Answer<DeviceCode> start_device(const std::vector<std::string>&, const Limit&) override {
    ++service_.devices;
    return DeviceCode{.device_code = service_.device.device_code.clone(),
                      .user_code = service_.device.user_code,
                      .verification_uri = service_.device.verification_uri,
                      .verification_uri_complete = service_.device.verification_uri_complete,
                      .expires_in = service_.device.expires_in,
                      .interval = service_.device.interval};
  }

  Answer<Tokens> poll_device(std::string_view, const std::vector<std::string>&,
                             const Limit&) override {
    ++service_.polls;
    return service_.on_poll();
  }

 private:
  FakeService& service_;
};

}  // namespace goondan::oauth
