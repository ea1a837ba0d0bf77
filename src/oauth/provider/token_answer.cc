#include "oauth/provider/token_answer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_fields.h"
#include "net/header.h"
#include "oauth/provider/refusal.h"
#include "oauth/provider/scopes.h"

namespace goondan::oauth {
namespace {

ProviderError unusable_tokens(const std::string& problem) {
  return broken("unusable_answer", "the answer of the token endpoint is unusable: " + problem);
}

std::chrono::seconds bounded_life(double seconds) {
  const auto most = static_cast<double>(kMaxTokenLife.count());
  return std::chrono::seconds(static_cast<std::int64_t>(std::clamp(seconds, 0.0, most)));
}

// Whether a field that may be left out is absent, null or text of a sane form.
bool is_absent_or_token(const JsonObject& answer, std::string_view key, std::size_t max_bytes) {
  const Json* field = answer.if_contains(key);
  if (field == nullptr || field->is_null()) return true;
  return field->is_string() &&
         (field->get_string().empty() || is_token_text(field->get_string(), max_bytes));
}

Secret secret_field(const JsonObject& answer, std::string_view key) {
  const Json* field = answer.if_contains(key);
  return field != nullptr && field->is_string() ? Secret(field->get_string()) : Secret();
}

}  // namespace

bool is_token_text(std::string_view text, std::size_t max_bytes) {
  return !text.empty() && text.size() <= max_bytes &&
         std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

std::optional<TokenLife> read_token_life(const JsonObject& answer) {
  const Json* field = answer.if_contains("expires_in");
  if (field == nullptr || field->is_null()) return TokenLife{};
  if (!field->is_number()) return std::nullopt;
  const double seconds = field->to_number<double>();
  if (!std::isfinite(seconds)) return std::nullopt;
  return TokenLife{.seconds = bounded_life(seconds)};
}

Answer<Tokens> read_token_values(const JsonObject& answer, const TokenExpectation& expected) {
  const Json* access = answer.if_contains("access_token");
  if (access == nullptr || !access->is_string() || !is_token_text(access->get_string())) {
    return unusable_tokens("`access_token` is missing or no token");
  }
  if (!is_absent_or_token(answer, "refresh_token", kMaxTokenBytes)) {
    return unusable_tokens("`refresh_token` is no token");
  }
  std::optional<TokenLife> life = read_token_life(answer);
  if (!life && expected.odd_expiry == TokenExpectation::OddExpiry::Refuse) {
    return unusable_tokens("`expires_in` is no number");
  }
  if (!life) life = TokenLife{.seconds = std::chrono::seconds(0)};
  return Tokens{.access_token = Secret(access->get_string()),
                .refresh_token = secret_field(answer, "refresh_token"),
                .expires_in = life->seconds};
}

Answer<Tokens> read_tokens(const JsonObject& answer, const TokenExpectation& expected) {
  if (!net::same_name(text_field(answer, "token_type"), "bearer")) {
    return unusable_tokens("`token_type` is not `bearer`");
  }
  const Json* scope = answer.if_contains("scope");
  const bool scope_absent = scope == nullptr || scope->is_null();
  if (!scope_absent && !scope->is_string()) return unusable_tokens("`scope` is no text");
  if (!is_absent_or_token(answer, "id_token", kMaxIdTokenBytes)) {
    return unusable_tokens("`id_token` is no token");
  }
  Answer<Tokens> read = read_token_values(answer, expected);
  if (auto* tokens = std::get_if<Tokens>(&read)) {
    tokens->scopes =
        scope_absent ? expected.scopes : granted_scopes(scope->get_string(), expected.scopes);
    tokens->id_token = secret_field(answer, "id_token");
  }
  return read;
}

}  // namespace goondan::oauth
