// The cases of `tests/data/vectors/oauth.jsonl`, with the real providers and a server on loopback.
#include "support/vectors.h"

#include <map>

#include "base/json_fields.h"
#include "net/test_server.h"
#include "net/url_encoding.h"
#include "oauth/manager/manager_fixture.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

using testing::difference;

JsonObject form_of(const std::string& request) {
  JsonObject form;
  std::string body = request.substr(request.find("\r\n\r\n") + 4) + "&";
  for (std::size_t end = body.find('&'); end != std::string::npos; end = body.find('&')) {
    const std::string pair = body.substr(0, end);
    body.erase(0, end + 1);
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) continue;
    form[pair.substr(0, equals)] = net::percent_decoded(pair.substr(equals + 1));
  }
  return form;
}

std::string http_answer(const Json& reply) {
  const std::string body = to_text(reply.at("json"));
  const std::string status = to_text(reply.at("status"));
  return "HTTP/1.1 " + status +
         " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// What `setup.api` of a case says, or Slack's answer with the user that the case names.
std::string served(const Json& vector, const std::string& request) {
  const JsonObject& input = vector.at("input").as_object();
  if (const std::string who = text_field(input, "resolvedSubject"); !who.empty()) {
    const std::size_t team = std::string_view("slack:user:").size();
    const std::size_t user = who.find(':', team) + 1;
    return http_answer(JsonObject{
        {"status", 200},
        {"json", JsonObject{{"ok", true},
                            {"access_token", "AT9"},
                            {"token_type", "bot"},
                            {"team", JsonObject{{"id", who.substr(team, user - team - 1)}}},
                            {"authed_user", JsonObject{{"id", who.substr(user)}}}}}});
  }
  for (const Json& call : vector.at("setup").at("api").as_array()) {
    const JsonObject& match = call.at("match").as_object();
    const std::string line = text_field(match, "method") + " " + text_field(match, "path") + " ";
    const Json* form = match.if_contains("form");
    if (request.starts_with(line) &&
        (form == nullptr || difference(*form, form_of(request)).empty()))
      return http_answer(call.at("reply"));
  }
  return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
}

class OAuthVectors : public ManagerTest {
 protected:
  OAuthVectors()
      : server_(net::answering([this](const std::string& request) {
          ++requests_;
          return served(*vector_, request);
        })) {}

  Json run(const Json& vector) {
    vector_ = &vector;
    start_over();
    const std::string tool = text_field(vector.as_object(), "tool");
    const JsonObject& input = vector.at("input").as_object();
    if (tool == "@oauth.pkce") {
      return JsonObject{{"challenge", code_challenge(text_field(input, "verifier"))},
                        {"method", "S256"}};
    }
    if (tool == "@oauth.scopes") {
      return JsonObject{{"allowed", Manager::scopes_allowed(scopes_field(input, "requested"),
                                                            scopes_field(input, "allowed"))}};
    }
    if (tool == "@oauth.tokenValid") return token_valid(input);
    if (tool == "@oauth.getAccessToken") return get_access_token(input);
    if (tool == "@oauth.callback") return callback(input);
    ADD_FAILURE() << tool;
    return nullptr;
  }

 private:
  void start_over() {
    manager.reset();
    store.reset();
    std::filesystem::remove_all(root / "oauth");
    store = open_store();
    requests_ = 0;
  }

  void make_real_manager(std::vector<App> apps) {
    manager = std::make_unique<Manager>(Manager::Parts{.apps = std::move(apps),
                                                       .store = *store,
                                                       .http = http,
                                                       .policy = server_.policy(),
                                                       .redirects = &place,
                                                       .redactor = &redactor,
                                                       .now = [this] { return now.load(); },
                                                       .provider = {}});
  }

  App app_of(const JsonObject& json) {
    OAuthAppResource resource;
    resource.meta.name = text_field(json, "name");
    resource.provider = text_field(json, "provider");
    if (text_field(json, "subjectMode") == "user")
      resource.subject_mode = OAuthAppResource::SubjectMode::User;
    resource.client_id.value = text_field(json, "clientId");
    resource.client_secret = ValueSource{.value = text_field(json, "clientSecret")};
    resource.endpoints["authorizationUrl"] = text_field(json, "authorizationUrl");
    resource.endpoints["tokenUrl"] = server_.url("/token").text();
    resource.scopes = scopes_field(json, "scopes");
    resource.callback_path = text_field(json, "callbackPath");
    return make_app(resource, {}).value();
  }

  GrantRecord grant_of(const JsonObject& json, const App& app) {
    GrantRecord grant;
    grant.app = app.name;
    grant.provider = app.provider;
    grant.client = client_of(app);
    grant.subject = text_field(json, "subject");
    grant.scopes = scopes_field(json, "scopesGranted");
    grant.access_token = Secret(text_field(json, "accessToken"));
    grant.refresh_token = Secret(text_field(json, "refreshToken"));
    if (const auto seconds = integer_field(json, "expiresInSeconds"))
      grant.expires_at = now + *seconds;
    if (true_field(json, "revoked")) grant.standing = GrantRecord::Standing::Revoked;
    return grant;
  }

  Json token_valid(const JsonObject& input) {
    GrantRecord grant = grant_of(input, App{});
    grant.access_token = Secret("AT");
    if (true_field(input, "hasRefresh")) grant.refresh_token = Secret("RT");
    const auto least = integer_field(input, "minTtlSeconds").value_or(kDefaultMinTtlSeconds);
    const bool valid = grant.valid_for(least, now);
    return JsonObject{{"valid", valid}, {"needsRefresh", !valid && grant.refreshable()}};
  }

  Json get_access_token(const JsonObject& input) {
    const JsonObject* json = object_field(input, "app");
    std::vector<App> apps;
    if (json != nullptr) apps.push_back(app_of(*json));
    if (const JsonObject* grant = object_field(input, "grant")) put(grant_of(*grant, apps.front()));
    JsonObject params = *object_field(input, "request");
    if (!params.contains("oauthAppRef")) params["oauthAppRef"] = "OAuthApp/" + apps.front().name;
    TokenRequest wish = TokenRequest::parse(params).value();
    wish.auth = any_field(input, "turnAuth");
    make_real_manager(std::move(apps));
    return to_json(manager->get_access_token(wish, limit()));
  }

  Json callback(const JsonObject& input) {
    const App app = app_of(*object_field(input, "app"));
    const JsonObject& wanted = *object_field(input, "session");
    const std::string named = text_field(wanted, "subject");
    const std::string subject = named.empty() ? "slack:team:T111" : named;
    make_real_manager({app});
    TokenRequest wish = request(app.name);
    wish.auth = JsonObject{{"subjects", JsonObject{{"global", subject}, {"user", subject}}}};
    const AuthorizationRequired required = begin(wish);
    change_session(required.session_id, wanted);
    Parameters parameters;
    for (const auto& [name, value] : *object_field(input, "params"))
      parameters.emplace_back(name, value == "$valid" ? state_of(required) : text(value));
    const CallbackOutcome outcome = manager->complete(parameters, limit());
    return told(outcome, required, {.kind = RecordKind::Grant, .app = app.name, .key = subject});
  }

  void change_session(const std::string& id, const JsonObject& wanted) {
    SessionRecord record = session(id);
    record.expires_at = now + *integer_field(wanted, "expiresInSeconds");
    if (text_field(wanted, "status") == "completed") record.end(SessionStatus::Completed);
    const RecordName name{.kind = RecordKind::Session, .app = {}, .key = id};
    const std::uint64_t generation = store->get(name).value()->generation;
    ASSERT_TRUE(store->put(name, record.to_text(), generation).ok());
  }

  Json told(const CallbackOutcome& outcome, const AuthorizationRequired& required,
            const RecordName& grant) {
    JsonObject json{{"grantCreated", store->get(grant).value().has_value()},
                    {"sessionStatus", status(required)}};
    if (!outcome.problem.empty()) json["error"] = outcome.problem;
    if (outcome.granted) json["event"] = outcome.granted->payload;
    return json;
  }

  static std::string text(const Json& value) { return std::string(value.as_string()); }

  const Json* vector_ = nullptr;
  std::atomic<int> requests_ = 0;
  net::TestServer server_;
};

// REQ: OAUTH-1
TEST_F(OAuthVectors, EveryCaseIsAsItSays) {
  int cases = 0;
  for (const Json& vector : testing::load_vectors("oauth.jsonl")) {
    const Json got = JsonObject{{"status", "ok"}, {"output", run(vector)}};
    EXPECT_EQ(testing::unexpected(vector.at("expect"), got), "") << to_text(vector.at("id"));
    ++cases;
  }
  EXPECT_EQ(cases, 27);
}

}  // namespace
}  // namespace goondan::oauth
