#include "builtin/messaging/service.h"

#include <algorithm>

#include "base/json_fields.h"
#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"
#include "policy/environment.h"

namespace goondan::builtin::messaging {
namespace {

using std::chrono::milliseconds;

Error token_missing(const Service& service) {
  std::string names;
  for (const std::string_view name : service.token_variables)
    names.append(names.empty() ? "" : ", ").append(name);
  const std::string title(service.title);
  return {.code = ErrorCode::TokenMissing,
          .message =
              title + " bot token not found: 'token' is not given and none of " + names + " is set",
          .suggestion = "Set " + std::string(service.token_variables[0]) +
                        " in the environment that gdn runs in."};
}

Result<net::Url> read_base(const Service& service, const JsonObject& input) {
  const std::string_view given = trimmed_argument(input, {"apiBaseUrl"}).value_or(service.base_url);
  net::Url base = GDN_TRY(net::Url::parse(given));
  if (!base.query.empty() || !base.fragment.empty())
    return invalid_argument("apiBaseUrl", "must not have a query or a fragment");
  if (base.path.ends_with('/')) base.path.pop_back();
  return base;
}

// Whether the call as the model made it has this token. Where no model makes calls, nobody comes
// between the caller and the tool.
bool is_callers_own(const ToolContext& context, std::string_view token) {
  if (context.message().is_null()) return true;
  const JsonObject* data = object_field(object_or_empty(context.message()), "data");
  const JsonArray* parts = data == nullptr ? nullptr : array_field(*data, "content");
  return parts != nullptr && std::ranges::any_of(*parts, [&](const Json& part) {
           const JsonObject& call = object_or_empty(part);
           const JsonObject* input = object_field(call, "input");
           return text_field(call, "toolCallId") == context.tool_call_id() && input != nullptr &&
                  text_field(*input, "token") == token;
         });
}

}  // namespace

Result<Token> read_token(const Service& service, const Services& services,
                         const ToolContext& context, const JsonObject& input) {
  Token token{.text = std::string(text_argument(input, "token").value_or(""))};
  if (!is_callers_own(context, token.text)) token.owner = Token::Owner::Operator;
  for (const std::string_view name : service.token_variables) {
    const auto found = services.environment.find(name);
    if (!token.text.empty()) break;
    if (found == services.environment.end() || found->second.empty()) continue;
    token = {.text = found->second, .variable = name, .owner = Token::Owner::Operator};
  }
  if (token.text.empty()) return token_missing(service);
  if (token.text.size() > kMaxTokenBytes)
    return invalid_argument("token", "is too long to be a token");
  if (worth_masking(token.text)) services.redactor->add_secret(token.text);
  return token;
}

Result<milliseconds> read_timeout(const JsonObject& input) {
  const std::optional<double> given = number_argument(input, "timeoutMs");
  if (!given) return kDefaultTimeout;
  if (!(*given > 0)) return invalid_argument("timeoutMs", "must be a positive number");
  const double most = static_cast<double>(kMaxTimeout.count());
  return milliseconds(static_cast<milliseconds::rep>(std::clamp(*given, 1.0, most)));
}

bool is_trusted(const Service& service, const Services& services, const net::Url& url) {
  constexpr std::uint16_t kHttpsPort = 443;
  if (services.hosts.allows(url)) return true;
  return url.scheme == net::Scheme::Https && url.port == kHttpsPort && service.owns_host(url.host);
}

Error wrong_host(const Service& service, const Token& token, const net::Url& url) {
  const std::string title(service.title);
  const std::string origin = url.origin();
  const std::string address = origin.substr(origin.find("//") + 2);
  const std::string what = token.variable.empty() ? "the " + title + " token"
                                                  : "the token in " + std::string(token.variable);
  return {.code = ErrorCode::TokenHost,
          .message = what + " is not sent to " + origin + ", which is not a host of " + title,
          .suggestion = "Use an https address of " + title +
                        ". If this one is meant, the operator can allow it: `--allow-host " +
                        address + "`, or `policy: { http: { allow: [\"" + address +
                        "\"] } }` in the bundle."};
}

Result<Access> read_access(const Service& service, const Services& services, Token token,
                           const JsonObject& input) {
  const milliseconds timeout = GDN_TRY(read_timeout(input));
  net::Url base = GDN_TRY(read_base(service, input));
  const bool guarded = token.owner == Token::Owner::Operator;
  if (guarded && !is_trusted(service, services, base)) return wrong_host(service, token, base);
  return Access{.token = std::move(token), .base = std::move(base), .timeout = timeout};
}

}  // namespace goondan::builtin::messaging
