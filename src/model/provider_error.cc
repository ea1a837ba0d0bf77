#include "model/provider_error.h"

#include <array>
#include <charconv>
#include <span>

#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan {
namespace {

constexpr int kFirstStatus = 100;
constexpr int kLastStatus = 599;
// Code points of a body that is no JSON. More than is told in the end: secrets are masked before
// that cut, which a cut through one of them here would prevent.
constexpr std::size_t kShownBody = 4000;

struct KnownType {
  std::string_view name;
  ErrorCode code;
};

constexpr std::array kTypes{
    KnownType{"authentication_error", ErrorCode::ModelAuth},
    KnownType{"permission_error", ErrorCode::ModelAuth},
    KnownType{"invalid_api_key", ErrorCode::ModelAuth},
    KnownType{"overloaded_error", ErrorCode::ModelBusy},
    KnownType{"rate_limit_error", ErrorCode::ModelBusy},
    KnownType{"rate_limit_exceeded", ErrorCode::ModelBusy},
    KnownType{"timeout_error", ErrorCode::ModelTimeout},
    KnownType{"insufficient_quota", ErrorCode::ModelRefused},
    KnownType{"billing_error", ErrorCode::ModelRefused},
    KnownType{"billing_hard_limit_reached", ErrorCode::ModelRefused},
    KnownType{"context_length_exceeded", ErrorCode::ModelRefused},
    KnownType{"invalid_request_error", ErrorCode::ModelRefused},
    KnownType{"not_found_error", ErrorCode::ModelRefused},
    KnownType{"request_too_large", ErrorCode::ModelRefused},
};

const KnownType* find_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &KnownType::name);
  return found == kTypes.end() ? nullptr : &*found;
}

// The first text under one of the names that servers use for it.
std::string text_under(const JsonObject& object, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    std::string text = text_field(object, name);
    if (!text.empty()) return text;
  }
  return {};
}

// What a body says, in the form of one of the many servers, or else its beginning.
Json error_in(std::string_view body) {
  const Result<Json> parsed = parse_json(body);
  if (!parsed.ok()) return JsonString(utf8::repaired(utf8::prefix(body, kShownBody)));
  const JsonObject& object = object_or_empty(*parsed);
  const Json* error = object.if_contains("error");
  if (error != nullptr && !error->is_null()) return *error;
  if (object.empty()) return JsonString(utf8::prefix(body, kShownBody));
  return object;
}

std::string message_in(const Json& error) {
  if (error.is_string()) return std::string(error.get_string());
  constexpr std::array<std::string_view, 4> kNames{"message", "detail", "msg", "title"};
  const std::string text = text_under(object_or_empty(error), kNames);
  return text.empty() ? std::string(utf8::prefix(to_text(error), kShownBody)) : text;
}

std::string type_in(const JsonObject& error) {
  constexpr std::array<std::string_view, 2> kNames{"code", "type"};
  for (const std::string_view name : kNames) {
    if (find_type(text_field(error, name)) != nullptr) return text_field(error, name);
  }
  return text_under(error, std::array<std::string_view, 2>{"type", "code"});
}

// Some servers put the status that they would have answered into the error.
std::optional<int> status_in(const JsonObject& error) {
  std::int64_t status = integer_field(error, "code").value_or(0);
  const std::string text = text_field(error, "code");
  if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), status);
  if (status < kFirstStatus || status > kLastStatus) return {};
  return static_cast<int>(status);
}

}  // namespace

ErrorCode code_of_status(int status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorCode::ModelAuth;
    case 408:
    case 504:
      return ErrorCode::ModelTimeout;
    case 429:
    case 503:
    case 529:
      return ErrorCode::ModelBusy;
    case 409:
      return ErrorCode::Model;
    default:
      break;
  }
  if (status >= 500) return ErrorCode::Model;
  return status >= 300 ? ErrorCode::ModelRefused : ErrorCode::ModelReply;
}

Error status_error(int status, std::string_view body) {
  const Json error = error_in(body);
  ErrorCode code = code_of_status(status);
  // An account without money answers 429 for good.
  const KnownType* type = find_type(type_in(object_or_empty(error)));
  if (status == 429 && type != nullptr && type->code == ErrorCode::ModelRefused) code = type->code;
  const std::string message = message_in(error);
  return {
      .code = code,
      .message = "answered " + std::to_string(status) + (message.empty() ? "" : ": " + message)};
}

Error stream_error(const Json& error) {
  const JsonObject& object = object_or_empty(error);
  const std::string name = type_in(object);
  const KnownType* type = find_type(name);
  const std::optional<int> status = status_in(object);
  ErrorCode code = ErrorCode::Model;
  if (type != nullptr) {
    code = type->code;
  } else if (status) {
    code = code_of_status(*status);
  }
  return {.code = code,
          .message = "broke off its answer with an error: " + (name.empty() ? "" : name + ": ") +
                     message_in(error)};
}

}  // namespace goondan
