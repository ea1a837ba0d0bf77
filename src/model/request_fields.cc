#include "model/request_fields.h"

#include <array>

#include "base/json_fields.h"

namespace goondan {
namespace {

constexpr std::array<std::string_view, 5> kOurs{"model", "messages", "tools", "system", "stream"};

Error not_yours(std::string_view name, std::string_view where) {
  return {
      .code = ErrorCode::ModelConfig,
      .message = std::string(where) + " sets `" + std::string(name) + "`, which is not a parameter",
      .suggestion = "Remove it; the runtime sets this field of the request itself."};
}

std::string_view their_name(std::string_view name, std::span<const FieldName> names) {
  const auto found = std::ranges::find(names, name, &FieldName::ours);
  return found == names.end() ? name : found->theirs;
}

}  // namespace

Result<void> add_fields(JsonObject& body, const JsonObject& fields,
                        std::span<const FieldName> names, std::string_view where) {
  for (const auto& [key, value] : fields) {
    const std::string_view name = their_name(key, names);
    if (std::ranges::find(kOurs, name) != kOurs.end()) return not_yours(key, where);
    if (value.is_null()) {
      if (const auto found = body.find(name); found != body.end()) body.stable_erase(found);
    } else {
      body[name] = value;
    }
  }
  return {};
}

JsonObject tool_parameters(const CatalogItem& item) {
  JsonObject schema;
  const JsonObject* given = item.parameters ? item.parameters->if_object() : nullptr;
  if (given != nullptr) schema = *given;
  if (!schema.contains("type")) schema["type"] = "object";
  if (text_field(schema, "type") == "object" && !schema.contains("properties")) {
    schema["properties"] = JsonObject();
  }
  return schema;
}

}  // namespace goondan
