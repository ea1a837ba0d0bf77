#include "builtin/messaging/service.h"

#include <algorithm>

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

}  // namespace

Result<Token> read_token(const Service& service, const Services& services,
                         const JsonObject& input) {
  Token token{.text = std::string(text_argument(input, "token").value_or(""))};
  for (const std::string_view name : service.token_variables) {
    const auto found = services.environment.find(name);
    if (!token.text.empty()) break;
    if (found == services.environment.end() || found->second.empty()) continue;
    token = {.text = found->second, .variable = name};
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
  if (!token.variable.empty() && !is_trusted(service, services, base))
    return wrong_host(service, token, base);
  return Access{.token = std::move(token), .base = std::move(base), .timeout = timeout};
}

}  // namespace goondan::builtin::messaging
