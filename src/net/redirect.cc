#include "net/redirect.h"

#include <algorithm>
#include <array>

namespace goondan::net {
namespace {

// What may go to an origin that the caller did not name: nothing that could be a secret.
constexpr std::array<std::string_view, 5> kHarmlessHeaders = {
    "accept", "accept-encoding", "accept-language", "range", "user-agent"};

// What describes a body, and goes when the body goes.
constexpr std::array<std::string_view, 4> kBodyHeaders = {"content-type", "content-encoding",
                                                          "content-language", "content-location"};

template <std::size_t size>
bool is_one_of(const Header& header, const std::array<std::string_view, size>& names) {
  return std::ranges::any_of(
      names, [&header](std::string_view name) { return same_name(header.name, name); });
}

bool same_origin(const Url& left, const Url& right) {
  return left.scheme == right.scheme && left.host == right.host && left.port == right.port;
}

bool becomes_get(const std::string& method, int status) {
  if (status == 303) return method != "GET" && method != "HEAD";
  return (status == 301 || status == 302) && method == "POST";
}

Error refused(const Outgoing& request, const Url& target, std::string_view why) {
  return {.code = ErrorCode::HostNotAllowed,
          .message = request.words() + " was redirected to " + target.safe_text() + ", " +
                     std::string(why),
          .suggestion = "If that address is right, ask it directly."};
}

}  // namespace

bool is_redirect(const ResponseHead& head) {
  switch (head.status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return find_header(head.headers, "location") != nullptr;
    default:
      return false;
  }
}

Result<Outgoing> follow_redirect(const Outgoing& request, const ResponseHead& head) {
  const Header* location = find_header(head.headers, "location");
  Result<Url> target = request.url.resolve(location == nullptr ? "" : location->value);
  if (!target.ok()) {
    Error error = std::move(target).error();
    error.message =
        request.words() + " was redirected to an address that cannot be used: " + error.message;
    return error;
  }
  Outgoing next = request;
  next.url = std::move(target).value();
  if (request.url.scheme == Scheme::Https && next.url.scheme == Scheme::Http) {
    return refused(request, next.url, "from https to http, which is not followed");
  }
  if (becomes_get(request.method, head.status)) {
    next.method = "GET";
    next.body = {};
    std::erase_if(next.headers,
                  [](const Header& header) { return is_one_of(header, kBodyHeaders); });
  }
  if (same_origin(request.url, next.url)) return next;
  if (!next.body.empty() || (next.method != "GET" && next.method != "HEAD")) {
    return refused(
        request, next.url,
        "another origin, to which the method and body of the request are not sent again");
  }
  std::erase_if(next.headers,
                [](const Header& header) { return !is_one_of(header, kHarmlessHeaders); });
  return next;
}

}  // namespace goondan::net
