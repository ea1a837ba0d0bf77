#include "builtin/telegram/api.h"

#include <array>

#include "builtin/messaging/fields.h"
#include "builtin/telegram/advice.h"

namespace goondan::builtin::telegram {
namespace {

using messaging::Access;
using messaging::ApiRequest;
using messaging::Verdict;
using std::chrono::seconds;

constexpr std::string_view kMaskedToken = "***";
constexpr int kTooManyRequests = 429;

constexpr std::array<std::string_view, 4> kTokenVariables{
    "TELEGRAM_BOT_TOKEN", "BOT_TOKEN", "TELEGRAM_TOKEN", "BRAIN_TELEGRAM_BOT_TOKEN"};

bool owns_host(std::string_view host) {
  return host == "api.telegram.org";
}

// Percent-encodes what has a meaning of its own in a path, so that text stays one piece of it.
std::string path_piece(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~:/@!$&'()*+,;=";
  std::string piece;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (alphanumeric || kPlain.find(c) != kPlain.npos) {
      piece += c;
    } else {
      piece += {'%', kHex[byte >> 4], kHex[byte & 0xF]};
    }
  }
  return piece;
}

// `before` and `after` are parts of the path around `bot<token>`.
ApiRequest make_request(const Access& access, std::string_view before, std::string_view after) {
  net::Url url = access.base;
  const std::string head = access.base.path + std::string(before) + "/bot";
  const std::string tail = "/" + std::string(after);
  url.path = head + std::string(kMaskedToken) + tail;
  ApiRequest request{.action = {}, .http = {}, .shown_url = url.safe_text()};
  url.path = head + path_piece(access.token.text) + tail;
  request.http.url = std::move(url);
  return request;
}

std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json number = messaging::number_or_null(object, key);
  boost::system::error_code failed;
  const auto value = number.is_null() ? fallback : number.to_number<std::int64_t>(failed);
  return failed ? fallback : value;
}

std::optional<seconds> wait_asked(const Json& answer, const net::Response& response) {
  constexpr std::int64_t kLongest = 86'400;
  const Json* parameters = answer.get_object().if_contains("parameters");
  const std::int64_t given = parameters == nullptr ? 0 : integer_or(*parameters, "retry_after", 0);
  if (given > 0) return seconds(std::min(given, kLongest));
  return messaging::retry_after(response);
}

Verdict refusal(std::string_view method, const Json& answer, const net::Response& response) {
  const std::int64_t code = integer_or(answer, "error_code", 0);
  const std::string text =
      messaging::string_or(answer, "description", messaging::status_line(response));
  Error error = messaging::service_error(kTelegram, method, text, advice(code, text));
  if (code != 0) {
    const std::string plain = " failed: ";
    error.message.replace(error.message.find(plain), plain.size(),
                          " failed (code " + std::to_string(code) + "): ");
  }
  Verdict verdict{.outcome = std::move(error)};
  if (code == kTooManyRequests || response.status == kTooManyRequests)
    verdict.wait = wait_asked(answer, response);
  return verdict;
}

Verdict read_answer(std::string_view method, const net::Response& response, const Json* answer) {
  if (answer == nullptr)
    return messaging::not_an_answer(kTelegram, method, "the Bot API", response);
  const JsonObject& members = answer->get_object();
  const Json* ok = members.if_contains("ok");
  const bool accepted = ok != nullptr && ok->is_bool() && ok->get_bool();
  if (!accepted || !messaging::is_success(response)) return refusal(method, *answer, response);
  const Json* result = members.if_contains("result");
  return {.outcome = result == nullptr ? Json(nullptr) : *result};
}

}  // namespace

const messaging::Service kTelegram{.name = "telegram",
                                   .title = "Telegram",
                                   .base_url = "https://api.telegram.org",
                                   .token_variables = kTokenVariables,
                                   .owns_host = owns_host};

Result<Json> call(const messaging::Caller& caller, std::string_view method,
                  const JsonObject& body) {
  ApiRequest request = make_request(caller.access, "", method);
  request.action = method;
  request.http.method = "POST";
  request.http.headers = {{.name = "Content-Type", .value = "application/json"}};
  request.http.body = to_text(body);
  request.http.max_body = messaging::kMaxAnswerBytes;
  request.http.overflow = net::Overflow::Fail;
  request.http.redirects = net::Redirects::Report;
  return messaging::call_api(caller, std::move(request), read_answer);
}

ApiRequest file_request(const Access& access, std::string_view file_path) {
  ApiRequest request = make_request(access, "/file", path_piece(file_path));
  request.action = "file download";
  request.http.redirects = net::Redirects::Report;
  return request;
}

}  // namespace goondan::builtin::telegram
