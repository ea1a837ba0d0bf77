#include "extension/remote_tools.h"

#include "base/json_fields.h"
#include "host/peer/tool_peer_call.h"

namespace goondan {

Result<void> add_remote_tool(const std::shared_ptr<const RemoteParts>& parts, const Json& item,
                             const Json& tool) {
  const JsonObject& object = object_or_empty(item);
  CatalogItem made{.name = text_field(object, "name"), .source = parts->site.source()};
  const Json* description = object.if_contains("description");
  if (description != nullptr && description->is_string())
    made.description = std::string(description->get_string());
  const Json* parameters = object.if_contains("parameters");
  if (parameters != nullptr && !parameters->is_null()) made.parameters = *parameters;
  if (parts->dialect == Dialect::V1Alpha1) {
    // There is no resource behind it, and items of this dialect say so.
    made.tool.emplace(nullptr);
    made.export_spec.emplace(nullptr);
  }
  ToolHandler handler = [parts, tool](ToolContext& context,
                                      const JsonObject& input) -> Result<Json> {
    JsonObject params{{"extension", parts->site.name}, {"tool", tool}, {"input", input}};
    return call_tool_peer(*parts->peer, context,
                          {.method = "extensionTool",
                           .params = std::move(params),
                           .dialect = parts->dialect,
                           .other = parts->on_request});
  };
  return parts->site.registry.add_or_replace(
      {.item = std::move(made), .handler = std::move(handler), .thread = HandlerThread::Caller});
}

}  // namespace goondan
