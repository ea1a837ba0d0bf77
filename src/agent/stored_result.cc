#include "agent/stored_result.h"

#include "agent/bounded_text.h"
#include "agent/large_results.h"
#include "base/json_fields.h"

namespace goondan::agent {
namespace {

constexpr JsonLimits kResultLimits{.max_bytes = std::size_t{1} << 30,
                                   .max_depth = 2 * kMaxKeptLevels};

}  // namespace

std::string result_to_store(const ToolCallResult& result) {
  if (!result.output || !deeper_than(*result.output, kMaxKeptLevels)) {
    return to_text(result.to_json());
  }
  ToolCallResult flat = result;
  flat.output = JsonString(to_text(*result.output));
  return to_text(flat.to_json());
}

std::optional<ToolCallResult> result_from_store(const ToolCall& call, const std::string& text) {
  const Result<Json> json = parse_json(text, kResultLimits);
  if (!json.ok() || !json->is_object()) return {};
  const JsonObject& object = json->get_object();
  const std::string status = text_field(object, "status");
  if (status == "error") {
    return ToolCallResult::failure(call, error_from(any_field(object, "error")));
  }
  std::optional<Json> output;
  if (const Json* found = object.if_contains("output")) output = *found;
  if (status == "pending") {
    return ToolCallResult::pending(call, text_field(object, "handle"), std::move(output));
  }
  if (status != "ok") return {};
  return ToolCallResult::success(call, std::move(output).value_or(nullptr));
}

}  // namespace goondan::agent
