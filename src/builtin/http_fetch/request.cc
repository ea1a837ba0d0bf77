#include "builtin/http_fetch/request.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/number_text.h"
#include "builtin/arguments.h"

namespace goondan::builtin::http_fetch {
namespace {

using std::chrono::milliseconds;

Result<net::Url> read_url(const JsonObject& input) {
  const std::string_view text = text_argument(input, "url").value_or("");
  if (text.empty()) return invalid_argument("url", "must be a non-empty string");
  return net::Url::parse(text);
}

std::string value_text(const Json& value) {
  if (!value.is_number()) return to_text(value);
  std::string text;
  append_number_text(text, value);
  return text;
}

// Values that are neither text nor a plain number or boolean are left out.
std::vector<net::Header> read_headers(const JsonObject& input) {
  std::vector<net::Header> headers;
  const JsonObject* given = object_argument(input, "headers");
  if (given == nullptr) return headers;
  for (const auto& [name, value] : *given) {
    if (value.is_string()) {
      headers.push_back({.name = name, .value = std::string(value.get_string())});
    } else if (value.is_number() || value.is_bool()) {
      headers.push_back({.name = name, .value = value_text(value)});
    }
  }
  return headers;
}

Result<milliseconds> read_timeout(const JsonObject& input) {
  const std::optional<double> given = number_argument(input, "timeoutMs");
  if (!given) return kDefaultTimeout;
  if (*given <= 0) return invalid_argument("timeoutMs", "must be greater than 0");
  const double most = static_cast<double>(kMaxTimeout.count());
  return milliseconds(static_cast<milliseconds::rep>(std::ceil(std::min(*given, most))));
}

Result<std::size_t> read_max_bytes(const JsonObject& input) {
  const std::optional<double> given = number_argument(input, "maxBytes");
  if (!given) return kDefaultMaxBytes;
  if (*given < 0 || *given > static_cast<double>(kMostMaxBytes))
    return invalid_argument("maxBytes", "must be from 0 to " + std::to_string(kMostMaxBytes));
  return static_cast<std::size_t>(*given);
}

bool has_content_type(const std::vector<net::Header>& headers) {
  constexpr std::string_view kName = "content-type";
  return std::ranges::any_of(headers, [kName](const net::Header& header) {
    return std::ranges::equal(header.name, kName, {},
                              [](unsigned char c) { return std::tolower(c); });
  });
}

void read_body(const JsonObject& input, net::Request& request) {
  std::string_view type;
  if (const JsonObject* body = object_argument(input, "body")) {
    request.body = to_text(Json(*body));
    type = "application/json";
  } else if (const auto text = text_argument(input, "bodyString"); text && !text->empty()) {
    request.body = *text;
    type = "text/plain;charset=UTF-8";
  }
  if (!type.empty() && !has_content_type(request.headers))
    request.headers.push_back({.name = "content-type", .value = std::string(type)});
}

}  // namespace

Result<Call> read_call(std::string_view method, const JsonObject& input) {
  net::Url url = GDN_TRY(read_url(input));
  Call call;
  call.request.method = method;
  call.request.url = std::move(url);
  call.request.headers = read_headers(input);
  call.timeout = GDN_TRY(read_timeout(input));
  call.request.max_body = GDN_TRY(read_max_bytes(input));
  if (method == "POST") read_body(input, call.request);
  return call;
}

}  // namespace goondan::builtin::http_fetch
