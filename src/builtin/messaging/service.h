// A messaging service: where it is, and who may have its token.
//
// A token is a secret with an address. One that the operator put into the environment, or that a
// middleware gives to the call (`oauth`), goes only to the service's own hosts over https, or to an
// address the operator allowed; one that whoever made the call wrote into it is theirs, and may go
// where they say and `HostPolicy` lets it.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/tool_definition.h"
#include "net/url.h"

namespace goondan::builtin::messaging {

inline constexpr std::chrono::milliseconds kDefaultTimeout{15'000};
inline constexpr std::chrono::milliseconds kMaxTimeout = std::chrono::hours(24);
inline constexpr std::size_t kMaxTokenBytes = 1024;

struct Service {
  std::string_view name;                              // `telegram`; messages begin with it
  std::string_view title;                             // `Telegram`
  std::string_view base_url;                          // of its API, without a slash at the end
  std::span<const std::string_view> token_variables;  // in the environment, the first wins
  bool (*owns_host)(std::string_view host);
};

struct Token {
  std::string text;
  std::string_view variable = {};  // where it was found; empty: it came with the call
  enum class Owner { Caller, Operator } owner = Owner::Caller;
};

// What every request of a call needs.
struct Access {
  Token token;
  net::Url base;  // its path has no slash at the end, and may be empty
  std::chrono::milliseconds timeout = kDefaultTimeout;
};

// The argument `token` if it is not empty, or the first variable that is set. Tells the redactor,
// unless masking it would damage ordinary text.
// Fails with `E_TOKEN_MISSING`.
Result<Token> read_token(const Service& service, const Services& services,
                         const ToolContext& context, const JsonObject& input);

// `timeoutMs`: positive, at most `kMaxTimeout`. Fails with `E_TOOL_INVALID_ARGS`.
Result<std::chrono::milliseconds> read_timeout(const JsonObject& input);

// `timeoutMs` and `apiBaseUrl`, and whether the token may go there. Fails with
// `E_TOOL_INVALID_ARGS`, `E_URL_INVALID` or `E_TOKEN_HOST`.
Result<Access> read_access(const Service& service, const Services& services, Token token,
                           const JsonObject& input);

// The service's own host over https, or an address that the operator allowed.
bool is_trusted(const Service& service, const Services& services, const net::Url& url);

// `E_TOKEN_HOST`: this token does not go there.
Error wrong_host(const Service& service, const Token& token, const net::Url& url);

}  // namespace goondan::builtin::messaging
