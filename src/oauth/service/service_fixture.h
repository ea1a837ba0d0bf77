// A service with a real store and manager, and a provider that does what a test says.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/url.h"
#include "oauth/callback/server_fixture.h"
#include "oauth/service.h"

namespace goondan::oauth {

// What a provider of these tests does; shared by all of a test's.
struct ProviderScript {
  std::function<Answer<Tokens>(const Limit&)> exchange = {};
  std::function<Answer<Tokens>(int times)> poll = {};
  std::atomic<int> exchanges = 0;
  std::atomic<int> polls = 0;

  static Tokens tokens() {
    Tokens made;
    made.access_token = Secret("access-token");
    made.refresh_token = Secret("refresh-token");
    made.scopes = {"read"};
    return made;
  }
};

class ScriptedProvider : public Provider {
 public:
  explicit ScriptedProvider(ProviderScript& script) : script_(script) {}

  Answer<std::monostate> prepare(const Limit&) override { return std::monostate{}; }
  [[nodiscard]] std::string issuer() const override { return {}; }
  [[nodiscard]] bool promises_issuer() const override { return false; }
  [[nodiscard]] std::string authorization_url(const AuthorizationRequest& request) const override {
    return request.redirect_uri + "?code=the-code&state=" + std::string(request.state);
  }
  Answer<Tokens> exchange(const CodeExchange&, const Limit& limit) override {
    ++script_.exchanges;
    return script_.exchange ? script_.exchange(limit) : ProviderScript::tokens();
  }
  Answer<Tokens> refresh(std::string_view, const std::vector<std::string>&, const Limit&) override {
    return ProviderError{};
  }
  Answer<Identity> identify(const Tokens&, std::string_view, const Limit&) override {
    return Identity{};
  }
  Answer<std::monostate> revoke(const Secret&, const Secret&, const Limit&) override {
    return std::monostate{};
  }
  Answer<DeviceCode> start_device(const std::vector<std::string>&, const Limit&) override {
    DeviceCode code;
    code.device_code = Secret("device-code");
    code.user_code = "ABCD";
    code.verification_uri = "https://provider.example/device";
    code.interval = std::chrono::seconds(1);
    return code;
  }
  Answer<Tokens> poll_device(std::string_view, const std::vector<std::string>&,
                             const Limit&) override {
    return script_.poll(++script_.polls);
  }

 private:
  ProviderScript& script_;
};

// What was heard from a service, in its order; a test waits for the next.
template <class T>
class Heard {
 public:
  void add(T value) {
    const std::scoped_lock lock(mutex_);
    values_.push_back(std::move(value));
    wake_.notify_all();
  }
  // The first `count`; fewer if they do not come.
  std::vector<T> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(kGenerousMs),
                   [&] { return values_.size() >= count; });
    return values_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<T> values_;
};

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() {
    std::string name = (std::filesystem::temp_directory_path() / "oauth_service_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root = name;
    store = std::move(Store::open(root / "oauth", {.file = root / "oauth" / "key"})).value();
  }
  ~ServiceTest() override { std::filesystem::remove_all(root); }

  static App app(std::string name, OAuthAppResource::Flow flow) {
    App made;
    made.name = std::move(name);
    made.provider = "demo";
    made.flow = flow;
    made.client_id = "client";
    made.scopes = {"read"};
    made.callback_path = "/callback/" + made.name;
    return made;
  }

  // As a process of the agent `planner` has it.
  Service::Parts parts() {
    using Flow = OAuthAppResource::Flow;
    return {
        .manager = {.apps = {app("web", Flow::AuthorizationCode), app("screen", Flow::DeviceCode)},
                    .store = *store,
                    .http = http,
                    .provider = [this](const App&) -> std::unique_ptr<Provider> {
                      return std::make_unique<ScriptedProvider>(script);
                    }},
        .ours = [](const Resume& resume) { return resume.agent_name == "planner"; },
        .workspace = "main",
        .deliver = [this](const GrantedEvent& event) -> Result<void> {
          delivered.add(event.session_id);
          return {};
        },
        .on_outcome = [this](const CallbackOutcome& outcome) { outcomes.add(outcome); }};
  }

  static std::unique_ptr<Service> started(Service::Parts parts) {
    return std::move(Service::start(std::move(parts))).value();
  }

  static TokenRequest request(std::string name, std::string agent = "planner") {
    TokenRequest made;
    made.app = std::move(name);
    made.auth = JsonObject{{"subjects", JsonObject{{"global", "team:T1"}}}};
    made.resume = Resume{.workspace = "main",
                         .swarm = "default",
                         .instance_key = "k",
                         .agent_name = std::move(agent)};
    return made;
  }

  static Limit limit() { return {.deadline = Clock::now() + std::chrono::seconds(60)}; }

  static AuthorizationRequired begin(Service& service, const TokenRequest& wish) {
    TokenResult result = service.manager().begin_session(wish, limit());
    if (const auto* error = std::get_if<TokenError>(&result)) ADD_FAILURE() << error->message;
    return std::get<AuthorizationRequired>(std::move(result));
  }

  static std::uint16_t port_of(const AuthorizationRequired& session) {
    return net::Url::parse(session.authorization_url).value().port;
  }
  static std::string target_of(const AuthorizationRequired& session) {
    return net::Url::parse(session.authorization_url).value().target();
  }
  // The browser follows the link, which leads straight back.
  static std::string visit(const AuthorizationRequired& session) {
    return ask_raw(port_of(session), get_request(port_of(session), target_of(session)));
  }

  std::filesystem::path root;
  net::HttpClient http;
  std::unique_ptr<Store> store;
  ProviderScript script;
  Heard<std::string> delivered;
  Heard<CallbackOutcome> outcomes;
};

}  // namespace goondan::oauth
