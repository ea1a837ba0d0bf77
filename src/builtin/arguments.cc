#include "builtin/arguments.h"

#include "os/command_host.h"

namespace goondan::builtin {
namespace {

// Time to end what runs and to answer, before the executor would answer without us.
constexpr std::chrono::milliseconds kAnswerTime{1'000};
static_assert(kAnswerTime > os::kAnswerAfterDeadline);
// Of a short call, so large a share of its time.
constexpr int kQuickShare = 5;
constexpr int kSlowShare = 2;

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

CallLimit limit_within(const ToolContext& context, std::chrono::milliseconds timeout,
                       Ending ending) {
  const Deadline now = Clock::now();
  const Deadline own = now + timeout;
  const Deadline limit = context.deadline();
  if (limit == Deadline::max()) return {.deadline = own, .by = LimitedBy::Argument};
  const auto share = (limit - now) / (ending == Ending::Quick ? kQuickShare : kSlowShare);
  const Deadline last = limit - std::min<Clock::duration>(kAnswerTime, share);
  if (own <= last) return {.deadline = own, .by = LimitedBy::Argument};
  return {.deadline = last, .by = LimitedBy::Operator};
}

Deadline deadline_within(const ToolContext& context, std::chrono::milliseconds timeout,
                         Ending ending) {
  return limit_within(context, timeout, ending).deadline;
}

std::string more_time(LimitedBy by) {
  if (by == LimitedBy::Argument) return "For more time raise 'timeoutMs'.";
  return "A larger 'timeoutMs' would not help: the operator's limit for calls was reached first. "
         "It is set with `--timeout-ms`, or `policy: { tools: { timeoutMs: ... } }` in the bundle.";
}

}  // namespace goondan::builtin
