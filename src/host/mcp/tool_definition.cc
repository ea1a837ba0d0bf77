#include "host/mcp/tool_definition.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/sha256.h"
#include "host/mcp/clean_text.h"

namespace goondan {
namespace {

constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMaxDepth = 128;  // what the reader of messages lets through is less

// `value` with the keys of every object in their order by bytes.
Json sorted(const Json& value, std::size_t depth = 0) {
  if (depth > kMaxDepth) return value;
  if (const JsonArray* array = value.if_array()) {
    JsonArray out;
    out.reserve(array->size());
    for (const Json& element : *array)
      out.push_back(sorted(element, depth + 1));
    return out;
  }
  const JsonObject* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<const JsonObject::value_type*> fields;
  for (const auto& field : *object)
    fields.push_back(&field);
  std::sort(fields.begin(), fields.end(),
            [](const auto* a, const auto* b) { return a->key() < b->key(); });
  JsonObject out;
  for (const auto* field : fields)
    out.emplace(field->key(), sorted(field->value(), depth + 1));
  return out;
}

Json kept_value(const Json& value, std::size_t max_bytes) {
  const std::string text = to_text(value);
  if (text.size() <= max_bytes) return value;
  const std::string cut = cut_text(text, max_bytes);
  return Json(JsonString(cut));
}

}  // namespace

McpDefinition define_mcp_tool(const mcp::ToolInfo& tool) {
  const Json whole = JsonObject{{"name", tool.name},
                                {"title", tool.title},
                                {"description", tool.description},
                                {"inputSchema", tool.input_schema},
                                {"annotations", tool.annotations}};
  McpDefinition definition{.tool = tool.name,
                           .hash = sha256_hex(to_text(sorted(whole)), kHashDigits)};
  if (!tool.title.empty()) definition.kept["title"] = cut_text(tool.title, kMaxKeptDescription);
  definition.kept["description"] = cut_text(tool.description, kMaxKeptDescription);
  definition.kept["inputSchema"] = kept_value(tool.input_schema, kMaxKeptSchema);
  if (!tool.annotations.empty()) {
    definition.kept["annotations"] = kept_value(tool.annotations, kMaxKeptSchema);
  }
  return definition;
}

std::string changed_fields(const JsonObject& before, const JsonObject& after) {
  std::string fields;
  for (const std::string_view key : {"title", "description", "inputSchema", "annotations"}) {
    const Json* one = before.if_contains(key);
    const Json* other = after.if_contains(key);
    const bool same =
        one == nullptr || other == nullptr ? one == other : sorted(*one) == sorted(*other);
    if (!same) fields += (fields.empty() ? "" : ", ") + std::string(key);
  }
  return fields.empty() ? "something beyond what is kept of it" : fields;
}

}  // namespace goondan
