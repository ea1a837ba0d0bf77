#include <map>

#include "base/json_fields.h"
#include "extension/outcome_json.h"

namespace goondan {
namespace {

Error no_item(const std::string& problem) {
  return {.code = ErrorCode::Middleware,
          .message = "the tool catalog that the middleware made cannot be used: " + problem,
          .suggestion = "It is a list of {name, description?, parameters?, source?}."};
}

std::optional<ToolSourceType> source_type(std::string_view text) {
  if (text == "config") return ToolSourceType::Config;
  if (text == "extension") return ToolSourceType::Extension;
  if (text == "mcp") return ToolSourceType::Mcp;
  return std::nullopt;
}

ToolSource source_of(const JsonObject& item, const ToolSource& otherwise) {
  const JsonObject* source = object_field(item, "source");
  if (source == nullptr) return otherwise;
  const std::optional<ToolSourceType> type = source_type(text_field(*source, "type"));
  if (!type) return otherwise;
  ToolSource made{.type = *type, .name = text_field(*source, "name")};
  if (const JsonObject* mcp = object_field(*source, "mcp")) {
    made.mcp_extension = text_field(*mcp, "extensionName");
    made.mcp_server = text_field(*mcp, "serverName");
  }
  return made;
}

// Null if there are none.
const Json* parameters_of(const JsonObject& value) {
  const Json* parameters = value.if_contains("parameters");
  return parameters == nullptr || parameters->is_null() ? nullptr : parameters;
}

// Whether a layer has left the entry as it was sent.
bool unchanged(const CatalogItem& item, const JsonObject& value) {
  const Json* parameters = parameters_of(value);
  const Json* description = value.if_contains("description");
  const bool same_text = item.description
                             ? description != nullptr && description->is_string() &&
                                   description->get_string() == std::string_view(*item.description)
                             : description == nullptr;
  const bool same_schema = item.parameters
                               ? parameters != nullptr && *parameters == *item.parameters
                               : parameters == nullptr;
  return same_text && same_schema;
}

CatalogItem item_of(const JsonObject& value, const std::string& name, const std::string& handler,
                    const CatalogEntry* known) {
  CatalogItem item{.name = name};
  if (known != nullptr) item = known->item();
  item.name = name;
  item.registered_name = handler == name ? std::string() : handler;
  item.source = source_of(value, item.source);
  item.description.reset();
  item.parameters.reset();
  const Json* description = value.if_contains("description");
  if (description != nullptr && description->is_string())
    item.description = std::string(description->get_string());
  if (const Json* parameters = parameters_of(value)) item.parameters = *parameters;
  return item;
}

Result<ToolCatalog::EntryPtr> entry_of(
    const JsonObject& value,
    const std::map<std::string_view, const ToolCatalog::EntryPtr*>& by_handler) {
  const std::string name = text_field(value, "name");
  if (name.empty()) return no_item("an item has no name");
  std::string handler = text_field(value, "registeredName");
  if (handler.empty()) handler = name;
  const auto found = by_handler.find(handler);
  const CatalogEntry* known = found == by_handler.end() ? nullptr : found->second->get();
  if (known != nullptr && known->name() == name && unchanged(known->item(), value))
    return *found->second;
  return CatalogEntry::make(item_of(value, name, handler, known));
}

}  // namespace

Json catalog_json(const ToolCatalog& catalog) {
  JsonArray items;
  items.reserve(catalog.size());
  for (const ToolCatalog::EntryPtr& entry : catalog.entries()) {
    Json item = entry->item().to_json();
    item.get_object()["registeredName"] = entry->item().handler_name();
    items.push_back(std::move(item));
  }
  return items;
}

Result<ToolCatalog> catalog_from_json(const ToolCatalog& old, const Json& value) {
  const JsonArray* items = value.if_array();
  if (items == nullptr) return no_item("it is not a list");
  std::map<std::string_view, const ToolCatalog::EntryPtr*> by_handler;
  for (const ToolCatalog::EntryPtr& entry : old.entries())
    by_handler.emplace(entry->item().handler_name(), &entry);
  std::vector<ToolCatalog::EntryPtr> entries;
  entries.reserve(items->size());
  for (const Json& item : *items) {
    const JsonObject* object = item.if_object();
    if (object == nullptr) return no_item("an item is not an object");
    entries.push_back(GDN_TRY(entry_of(*object, by_handler)));
  }
  return ToolCatalog(entries);
}

}  // namespace goondan
