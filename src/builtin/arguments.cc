#include "builtin/arguments.h"

namespace goondan::builtin {
namespace {

// Time to end what runs and to answer, before the executor would answer without us.
constexpr std::chrono::milliseconds kAnswerTime{500};

}  // namespace

std::optional<std::string_view> text_argument(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

std::optional<std::string_view> text_argument(const JsonObject& input,
                                              std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const std::optional<std::string_view> text = text_argument(input, key);
    if (text && !text->empty()) return text;
  }
  return std::nullopt;
}

std::optional<double> number_argument(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<bool> flag_argument(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

const JsonArray* array_argument(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

const JsonObject* object_argument(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

Error invalid_argument(std::string_view key, std::string_view problem) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = "'" + std::string(key) + "' " + std::string(problem)};
}

Deadline deadline_within(const ToolContext& context, std::chrono::milliseconds timeout) {
  const Deadline now = Clock::now();
  const Deadline limit = context.deadline();
  if (limit == Deadline::max()) return now + timeout;
  // Of a short call, half of its time.
  const auto reserve = std::min<Clock::duration>(kAnswerTime, (limit - now) / 2);
  return std::min(now + timeout, limit - reserve);
}

}  // namespace goondan::builtin
