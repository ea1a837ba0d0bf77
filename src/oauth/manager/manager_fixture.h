// What the tests of the manager share: a real store in a folder of its own, a clock that stands
// still, and a provider that is not real.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "net/http_client.h"
#include "oauth/manager.h"
#include "oauth/manager/fake_provider.h"
#include "oauth/manager/grant_record.h"
#include "oauth/manager/session_record.h"
#include "oauth/store/file_calls.h"

namespace goondan::oauth {

class FakePlace : public RedirectPlace {
 public:
  Result<std::string> redirect_uri(const App&) override { return uri; }
  void sessions_changed() override { ++changes; }

  std::string uri = "http://127.0.0.1:7777/callback";
  std::atomic<int> changes = 0;
};

inline constexpr std::int64_t kNoon = 1768564800;  // 2026-01-16T12:00:00Z

class ManagerTest : public ::testing::Test {
 protected:
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  ManagerTest() {
    std::string name = (std::filesystem::temp_directory_path() / "oauth_manager_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root = name;
    store = open_store();
    manager = make_manager(*store);
  }
  ~ManagerTest() override {
    manager.reset();
    store.reset();
    std::filesystem::remove_all(root);
  }

  [[nodiscard]] std::unique_ptr<Store> open_store(std::shared_ptr<FileCalls> files = {}) const {
    StoreHooks hooks;
    hooks.files = std::move(files);
    return std::move(Store::open(root / "oauth", {.file = root / "oauth" / "key"}, hooks)).value();
  }

  // As a further process would have it.
  std::unique_ptr<Manager> make_manager(Store& of) {
    return std::make_unique<Manager>(Manager::Parts{
        .apps = {app("team", OAuthAppResource::SubjectMode::Global),
                 app("person", OAuthAppResource::SubjectMode::User), device_app()},
        .store = of,
        .http = http,
        .policy = {},
        .redirects = &place,
        .redactor = &redactor,
        .now = [this] { return now.load(); },
        .provider = [this](const App&) { return std::make_unique<FakeProvider>(service); }});
  }

  static App app(const std::string& name, OAuthAppResource::SubjectMode mode) {
    App app;
    app.name = name;
    app.provider = "demo";
    app.subject_mode = mode;
    app.client_id = "client";
    app.client_secret = std::make_shared<const Secret>("the-client-secret");
    app.scopes = {"read", "write"};
    app.callback_path = "/callback";
    return app;
  }

  static App device_app() {
    App made = app("screen", OAuthAppResource::SubjectMode::Global);
    made.flow = OAuthAppResource::Flow::DeviceCode;
    return made;
  }

  static Json auth() {
    return JsonObject{
        {"subjects", JsonObject{{"global", "demo:team:T1"}, {"user", "demo:user:ada"}}}};
  }

  static Resume resume(std::string instance_key = "thread-1") {
    return {.workspace = "default",
            .swarm = "default",
            .instance_key = std::move(instance_key),
            .agent_name = "planner",
            .origin = JsonObject{{"channel", "C1"}},
            .auth = auth()};
  }

  static TokenRequest request(std::string app = "team") {
    TokenRequest request;
    request.app = std::move(app);
    request.auth = auth();
    request.resume = resume();
    return request;
  }

  static Limit limit() { return {.deadline = Clock::now() + std::chrono::seconds(60), .stop = {}}; }

  TokenResult ask(const TokenRequest& wish = request()) {
    return manager->get_access_token(wish, limit());
  }

  // `ready AT`, `consent`, or the code of an error.
  static std::string said(const TokenResult& result) {
    if (const auto* ready = std::get_if<TokenReady>(&result))
      return "ready " + std::string(ready->access_token.reveal());
    if (std::holds_alternative<AuthorizationRequired>(result)) return "consent";
    return std::get<TokenError>(result).code;
  }

  // A new session that waits for a browser.
  AuthorizationRequired begin(const TokenRequest& wish = request()) {
    TokenResult result = manager->begin_session(wish, limit());
    EXPECT_TRUE(std::holds_alternative<AuthorizationRequired>(result)) << said(result);
    return std::get<AuthorizationRequired>(std::move(result));
  }

  static std::string query_value(const std::string& url, const std::string& name) {
    const std::size_t at = url.find("&" + name + "=");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 2;
    return url.substr(begin, url.find('&', begin) - begin);
  }

  static std::string state_of(const AuthorizationRequired& session) {
    return query_value(session.authorization_url, "state");
  }

  CallbackOutcome come_back(const AuthorizationRequired& session, Parameters more = {}) {
    Parameters parameters{{"state", state_of(session)}, {"code", "the-code-of-the-browser"}};
    parameters.insert(parameters.end(), more.begin(), more.end());
    return manager->complete(parameters, limit());
  }

  std::string status(const AuthorizationRequired& session) {
    return manager->session_status(session.session_id).value();
  }

  // A grant as an earlier login has left it.
  void put_grant(std::int64_t expires_in, std::string_view refresh_token = "old-refresh-token",
                 const std::string& of_app = "team") {
    GrantRecord grant;
    grant.app = of_app;
    grant.provider = "demo";
    grant.client = client_of(app(of_app, OAuthAppResource::SubjectMode::Global));
    grant.subject = of_app == "person" ? "demo:user:ada" : "demo:team:T1";
    grant.scopes = {"read", "write"};
    grant.access_token = Secret("old-access-token");
    grant.refresh_token = Secret(refresh_token);
    grant.expires_at = now + expires_in;
    grant.created_at = now;
    grant.updated_at = now;
    put(grant);
  }

  void put(const GrantRecord& grant) {
    const RecordName name{.kind = RecordKind::Grant, .app = grant.app, .key = grant.subject};
    const auto old = store->get(name).value();
    ASSERT_TRUE(store->put(name, grant.to_text(), old ? old->generation : 0).ok());
  }

  // What is stored now; none: nothing.
  std::optional<GrantRecord> grant(const std::string& of_app = "team") {
    const std::string subject = of_app == "person" ? "demo:user:ada" : "demo:team:T1";
    const auto record =
        store->get({.kind = RecordKind::Grant, .app = of_app, .key = subject}).value();
    if (!record) return std::nullopt;
    return std::move(GrantRecord::from_text(record->json)).value();
  }

  SessionRecord session(const std::string& id) {
    const auto record = store->get({.kind = RecordKind::Session, .app = {}, .key = id}).value();
    EXPECT_TRUE(record.has_value()) << id;
    return std::move(SessionRecord::from_text(record->json)).value();
  }

  std::filesystem::path root;
  std::atomic<std::int64_t> now = kNoon;
  FakeService service;
  FakePlace place;
  Redactor redactor;
  net::HttpClient http;
  std::unique_ptr<Store> store;
  std::unique_ptr<Manager> manager;
};

}  // namespace goondan::oauth
