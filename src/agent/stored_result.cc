#include "agent/stored_result.h"

#include "agent/bounded_text.h"
#include "agent/large_results.h"
#include "base/json_fields.h"
#include "store/stored_json.h"

namespace goondan::agent {

std::string result_to_store(const ToolCallResult& result) {
  if (!result.output || !deeper_than(*result.output, kMaxKeptLevels)) {
    return to_text(result.to_json());
  }
  ToolCallResult flat = result;
  flat.output = JsonString(to_text(*result.output));
  return to_text(flat.to_json());
}

std::optional<ToolCallResult> result_from_store(const ToolCall& call, const std::string& text) {
  const Result<Json> json = store::parse_stored(text);
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
