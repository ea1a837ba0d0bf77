#include "builtin/runtime_request.h"

#include <algorithm>
#include <cmath>

namespace goondan::builtin {

Result<JsonObject> runtime_request(const ToolContext& context, std::string_view method,
                                   JsonObject params) {
  Result<Json> answer = context.request(method, std::move(params));
  if (!answer.ok()) {
    if (answer.error().code != ErrorCode::RuntimeUnavailable) return answer.error();
    return Error{
        .code = ErrorCode::RuntimeUnavailable,
        .message = "Agent runtime interface is not available in ToolContext.runtime",
        .suggestion = "Call the tool from an agent of a swarm (`gdn run`), not on its own."};
  }
  if (answer->is_object()) return std::move(answer->get_object());
  return Error{.code = ErrorCode::ToolBadReply,
               .message = "the runtime answered '" + std::string(method) + "' with no object"};
}

std::int64_t wanted_time(const JsonObject& input, std::chrono::milliseconds otherwise) {
  const std::optional<double> given = number_argument(input, "timeoutMs");
  return given ? static_cast<std::int64_t>(std::ceil(*given)) : otherwise.count();
}

WaitTime wait_time(const ToolContext& context, const JsonObject& input,
                   std::chrono::milliseconds otherwise) {
  using std::chrono::milliseconds;
  const milliseconds timeout(wanted_time(input, otherwise));
  const CallLimit limit = limit_within(context, timeout, Ending::Quick);
  if (limit.by == LimitedBy::Argument) return {timeout.count(), limit.by};
  const auto left = std::chrono::duration_cast<milliseconds>(limit.deadline - Clock::now());
  return {std::max<std::int64_t>(left.count(), 1), limit.by};
}

void copy_fields(const JsonObject& from, std::initializer_list<std::string_view> keys,
                 JsonObject& to) {
  for (const std::string_view key : keys) {
    const Json* value = from.if_contains(key);
    if (value != nullptr && !value->is_null()) to[key] = *value;
  }
}

}  // namespace goondan::builtin
