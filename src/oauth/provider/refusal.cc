#include "oauth/provider/refusal.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "oauth/provider/parameters.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kMaxCode = 64;
constexpr std::size_t kMaxDescription = 200;  // code points

constexpr std::array<std::pair<std::string_view, Refusal>, 25> kRefusals = {{
    {"invalid_grant", Refusal::InvalidGrant},
    {"access_denied", Refusal::Denied},
    {"authorization_declined", Refusal::Denied},
    {"expired_token", Refusal::Expired},
    {"authorization_pending", Refusal::Pending},
    {"slow_down", Refusal::SlowDown},
    {"temporarily_unavailable", Refusal::Retry},
    {"server_error", Refusal::Retry},
    // Slack
    {"invalid_code", Refusal::InvalidGrant},
    {"code_already_used", Refusal::InvalidGrant},
    {"code_expired", Refusal::InvalidGrant},
    {"invalid_refresh_token", Refusal::InvalidGrant},
    {"token_revoked", Refusal::InvalidGrant},
    {"token_expired", Refusal::InvalidGrant},
    {"account_inactive", Refusal::InvalidGrant},
    {"invalid_auth", Refusal::InvalidGrant},
    {"ratelimited", Refusal::Retry},
    {"rate_limited", Refusal::Retry},
    {"internal_error", Refusal::Retry},
    {"fatal_error", Refusal::Retry},
    {"service_unavailable", Refusal::Retry},
    {"request_timeout", Refusal::Retry},
    {"team_added_to_org", Refusal::Retry},
    // GitHub
    {"bad_verification_code", Refusal::InvalidGrant},
    {"bad_refresh_token", Refusal::InvalidGrant},
}};

bool is_code_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

}  // namespace

RequestSecrets::RequestSecrets(std::initializer_list<std::string_view> secrets) {
  for (const std::string_view secret : secrets) {
    if (secret.empty()) continue;
    forms_.emplace_back(secret);
    forms_.push_back(parameter_encoded(secret));
  }
}

bool RequestSecrets::stand_in(std::string_view text) const {
  return std::ranges::any_of(forms_, [text](const std::string& form) {
    return text.find(form) != std::string_view::npos;
  });
}

ProviderError broken(std::string code, std::string message) {
  return {.refusal = Refusal::Broken, .code = std::move(code), .message = std::move(message)};
}

Refusal refusal_of(std::string_view code) {
  for (const auto& [known, refusal] : kRefusals) {
    if (known == code) return refusal;
  }
  return Refusal::Broken;
}

std::string shown_code(std::string_view code, const RequestSecrets& secrets) {
  const bool fine = code.size() <= kMaxCode && std::ranges::all_of(code, is_code_character);
  return fine && !secrets.stand_in(code) ? std::string(code) : std::string();
}

std::string shown_description(std::string_view text, const RequestSecrets& secrets) {
  if (secrets.stand_in(text)) return {};
  std::string shown;
  for (std::string_view rest = utf8::prefix(text, kMaxDescription); !rest.empty();) {
    const std::size_t size = utf8::sequence_length(rest);
    const auto first = static_cast<unsigned char>(rest.front());
    const auto second = static_cast<unsigned char>(size > 1 ? rest[1] : '\0');
    // C0, DEL and C1, which begins with 0xC2 in UTF-8.
    const bool control =
        size == 0 || first < 0x20 || first == 0x7f || (first == 0xc2 && second < 0xa0);
    shown += control ? std::string_view(" ") : rest.substr(0, size);
    rest.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return shown;
}

ProviderError unanswered(const Error& error) {
  const bool ours = error.code == ErrorCode::HostNotAllowed ||
                    error.code == ErrorCode::UrlInvalid || error.code == ErrorCode::ToolInvalidArgs;
  return {.refusal = ours ? Refusal::Broken : Refusal::Retry,
          .code = ours ? "unusable_endpoint" : "no_answer",
          .message = error.message};
}

}  // namespace goondan::oauth
