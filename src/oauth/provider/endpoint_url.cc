#include "oauth/provider/endpoint_url.h"

#include <string>

namespace goondan::oauth {
namespace {

Error bad_endpoint(std::string_view field, const std::string& reason, std::string suggestion) {
  return {.code = ErrorCode::Config,
          .message = "`" + std::string(field) + "` " + reason,
          .suggestion = std::move(suggestion)};
}

}  // namespace

bool is_loopback(const net::Url& url) {
  return url.host == "localhost" || url.host == "::1" ||
         (url.host.starts_with("127.") &&
          url.host.find_first_not_of("0123456789.") == std::string::npos);
}

Result<net::Url> parse_endpoint(std::string_view text, std::string_view field, PlainHttp plain) {
  const Result<net::Url> url = net::Url::parse(text);
  if (!url.ok())
    return bad_endpoint(field, "is no URL: " + url.error().message, url.error().suggestion);
  if (!url->fragment.empty()) return bad_endpoint(field, "has a fragment", "Remove it.");
  const bool plain_allowed = plain == PlainHttp::ForLoopback && is_loopback(*url);
  if (url->scheme == net::Scheme::Http && !plain_allowed) {
    return bad_endpoint(field, "must be an https URL",
                        "Secrets go there; http is for loopback addresses only.");
  }
  return url;
}

}  // namespace goondan::oauth
