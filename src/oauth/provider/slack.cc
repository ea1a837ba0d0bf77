#include "oauth/provider/slack.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/json_fields.h"
#include "net/header.h"
#include "oauth/provider/scopes.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kMaxSlackId = 64;
constexpr std::array<std::string_view, 3> kSlackTokenTypes = {"bot", "user", "bearer"};

// A token that is gone already, or that Slack lets end with its access token.
constexpr std::array<std::string_view, 5> kGone = {"token_revoked", "token_expired", "invalid_auth",
                                                   "account_inactive", "not_allowed_token_type"};

std::string slack_id(const JsonObject* holder, std::string_view key = "id") {
  const std::string id = holder == nullptr ? "" : text_field(*holder, key);
  const bool fine =
      id.size() <= kMaxSlackId && std::ranges::all_of(id, [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      });
  return fine ? id : "";
}

Identity slack_identity(const JsonObject& answer) {
  const std::string team = slack_id(object_field(answer, "team"));
  const std::string user = slack_id(object_field(answer, "authed_user"));
  if (team.empty()) return {};
  return {.user = user.empty() ? "" : "slack:user:" + team + ":" + user,
          .global = "slack:team:" + team};
}

// What is worth keeping of the answer. Names are left out: they change.
JsonObject slack_data(const JsonObject& answer) {
  const std::pair<std::string_view, std::string> ids[] = {
      {"teamId", slack_id(object_field(answer, "team"))},
      {"enterpriseId", slack_id(object_field(answer, "enterprise"))},
      {"userId", slack_id(object_field(answer, "authed_user"))},
      {"botUserId", slack_id(&answer, "bot_user_id")},
      {"appId", slack_id(&answer, "app_id")}};
  JsonObject data;
  for (const auto& [name, id] : ids) {
    if (!id.empty()) data[name] = id;
  }
  return data;
}

// `ok: false` comes with status 200 and says why in `error`, which has been read already.
bool is_refused(const JsonObject& answer) {
  const Json* ok = answer.if_contains("ok");
  return ok != nullptr && *ok != Json(true);
}

ProviderError unusable_slack(const std::string& problem) {
  return broken("unusable_answer", "Slack's answer is unusable: " + problem);
}

}  // namespace

void SlackProvider::add_scopes(const std::vector<std::string>& scopes,
                               Parameters& parameters) const {
  std::vector<std::string> of_bot;
  std::vector<std::string> of_user;
  for (const std::string& scope : scopes) {
    const bool user = std::ranges::find(app().user_scopes, scope) != app().user_scopes.end();
    (user ? of_user : of_bot).push_back(scope);
  }
  if (!of_bot.empty()) parameters.emplace_back("scope", joined_scopes(of_bot, ','));
  if (!of_user.empty()) parameters.emplace_back("user_scope", joined_scopes(of_user, ','));
}

Answer<Tokens> read_slack_tokens(const JsonObject& answer, const TokenExpectation& expected,
                                 OAuthAppResource::SubjectMode subject_mode) {
  if (is_refused(answer)) return unusable_slack("it is not ok and does not say why");
  const JsonObject* person = object_field(answer, "authed_user");
  const bool of_person = subject_mode == OAuthAppResource::SubjectMode::User && person != nullptr &&
                         person->contains("access_token");
  const JsonObject& holder = of_person ? *person : answer;
  const std::string type = text_field(holder, "token_type");
  const bool ours = std::ranges::any_of(
      kSlackTokenTypes, [&type](std::string_view known) { return net::same_name(type, known); });
  if (!ours) return unusable_slack("the type of its token is not known");
  Answer<Tokens> read = read_token_values(holder, expected);
  if (auto* tokens = std::get_if<Tokens>(&read)) {
    const bool said = holder.contains("scope");
    tokens->scopes =
        said ? granted_scopes(text_field(holder, "scope"), expected.scopes) : expected.scopes;
    tokens->identity = slack_identity(answer);
    tokens->provider_data = slack_data(answer);
  }
  return read;
}

Answer<Tokens> SlackProvider::tokens_of(const JsonObject& answer,
                                        const TokenExpectation& expected) const {
  return read_slack_tokens(answer, expected, app().subject_mode);
}

Answer<Identity> SlackProvider::identify(const Tokens& tokens, std::string_view, const Limit&) {
  return tokens.identity;
}

Answer<std::monostate> SlackProvider::revoke_one(std::string_view token, std::string_view,
                                                 const Limit& limit) {
  const std::string url = known_now().revocation;
  const auto reply = caller().post(
      {.name = "Slack's revocation", .url = url, .form = {{"token", std::string(token)}}}, limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const auto answer = read_reply(std::get<EndpointReply>(reply), {token});
  const ProviderError* error = error_of(answer);
  if (error != nullptr && std::ranges::find(kGone, error->code) == kGone.end()) return *error;
  return std::monostate{};
}

}  // namespace goondan::oauth
