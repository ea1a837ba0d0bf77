#include "tool/declared.h"

namespace goondan {
namespace {

// The export as it was written, for catalog items of the first dialect.
Json export_json(const ToolResource& tool, const ToolExport& exported) {
  const Json* exports =
      tool.meta.document.is_object()
          ? tool.meta.document.get_object().at("spec").as_object().if_contains("exports")
          : nullptr;
  if (exports == nullptr || !exports->is_array()) return nullptr;
  for (const Json& candidate : exports->get_array()) {
    if (candidate.at("name") == Json(exported.name)) return candidate;
  }
  return nullptr;
}

const ToolResource* named(std::span<const ToolResource> tools, std::string_view name) {
  const auto found = std::ranges::find(
      tools, name, [](const ToolResource& tool) -> const std::string& { return tool.meta.name; });
  return found == tools.end() ? nullptr : &*found;
}

Result<void> append_entries(std::vector<ToolCatalog::EntryPtr>& entries, const ToolResource& tool) {
  for (const ToolExport& exported : tool.exports) {
    entries.push_back(GDN_TRY(CatalogEntry::make(declared_item(tool, exported))));
  }
  return {};
}

}  // namespace

std::vector<std::string> export_names(const ToolResource& tool) {
  std::vector<std::string> names;
  names.reserve(tool.exports.size());
  for (const ToolExport& exported : tool.exports)
    names.push_back(exported.name);
  return names;
}

CatalogItem declared_item(const ToolResource& tool, const ToolExport& exported) {
  CatalogItem item{.name = tool.visible_name(exported),
                   .description = exported.description,
                   .parameters = exported.parameters,
                   .source = {.type = ToolSourceType::Config, .name = tool.meta.name},
                   .idempotent = exported.idempotent};
  if (tool.meta.dialect == Dialect::V1Alpha1) {
    item.tool = tool.meta.document;
    item.export_spec = export_json(tool, exported);
  }
  return item;
}

Result<ToolCatalog> declared_catalog(std::span<const ToolResource> tools) {
  std::vector<ToolCatalog::EntryPtr> entries;
  for (std::size_t i = 0; i < tools.size(); ++i) {
    if (named(tools.first(i), tools[i].meta.name) != nullptr) continue;
    GDN_TRY(append_entries(entries, tools[i]));
  }
  return ToolCatalog(entries);
}

Result<ToolCatalog> declared_catalog(const Bundle& bundle, const AgentResource& agent,
                                     std::span<const ToolResource> builtins) {
  std::vector<ToolCatalog::EntryPtr> entries;
  for (const ObjectRef& ref : agent.tools) {
    const ToolResource* tool = bundle.find_tool(ref.name);
    if (tool == nullptr) tool = named(builtins, ref.name);
    if (tool != nullptr) GDN_TRY(append_entries(entries, *tool));
  }
  return ToolCatalog(entries);
}

}  // namespace goondan
