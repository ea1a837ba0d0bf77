// The answer of a token endpoint (RFC 6749 §5.1). Unknown fields are ignored.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "oauth/provider.h"

namespace goondan::oauth {

inline constexpr std::size_t kMaxTokenBytes = std::size_t{16} << 10;
inline constexpr std::size_t kMaxIdTokenBytes = std::size_t{32} << 10;
// A token is renewed after ten years at the latest, whatever its provider says.
inline constexpr std::chrono::seconds kMaxTokenLife{std::chrono::hours{24 * 3650}};

struct TokenExpectation {
  std::vector<std::string> scopes = {};  // that were asked for
  // An `expires_in` that is no number: refused while nothing can be lost by that. After a refresh
  // the old tokens may be spent, so the new ones are kept and count as expired already.
  enum class OddExpiry { Refuse, Expired } odd_expiry = OddExpiry::Refuse;
};

// Visible ASCII of a sane length, as everything is that goes into a header.
bool is_token_text(std::string_view text, std::size_t max_bytes = kMaxTokenBytes);

// `expires_in`: none if absent; negative is 0. Nothing at all if it is no number.
struct TokenLife {
  std::optional<std::chrono::seconds> seconds = {};
};
std::optional<TokenLife> read_token_life(const JsonObject& answer);

Answer<Tokens> read_tokens(const JsonObject& answer, const TokenExpectation& expected);

// The same with the type of the token already seen to be one of ours: access token, refresh token,
// life.
Answer<Tokens> read_token_values(const JsonObject& answer, const TokenExpectation& expected);

}  // namespace goondan::oauth
