#include <goondan/catalog.h>
#include <goondan/registry.h>

#include "base/nearest.h"
#include "schema/schema.h"
#include "tool/catalog_snapshot.h"

namespace goondan {

Json CatalogItem::to_json() const {
  JsonObject object{{"name", name}};
  if (description) object["description"] = *description;
  if (parameters) object["parameters"] = *parameters;
  if (tool) object["tool"] = *tool;
  if (export_spec) object["export"] = *export_spec;
  object["source"] = source.to_json();
  return object;
}

CatalogEntry::CatalogEntry(CatalogItem item, std::shared_ptr<const Schema> schema)
    : item_(std::move(item)), schema_(std::move(schema)) {}

Result<std::shared_ptr<const CatalogEntry>> CatalogEntry::make(CatalogItem item) {
  std::shared_ptr<const Schema> schema;
  if (item.parameters) {
    Result<std::shared_ptr<const Schema>> compiled = Schema::compile(*item.parameters);
    if (!compiled.ok()) {
      Error error = std::move(compiled).error();
      error.message = "parameters of '" + item.name + "': " + error.message;
      return error;
    }
    schema = *std::move(compiled);
  }
  return std::shared_ptr<const CatalogEntry>(new CatalogEntry(std::move(item), std::move(schema)));
}

ToolCatalog::Snapshot::Snapshot(std::span<const EntryPtr> all) {
  entries.reserve(all.size());
  index.reserve(all.size());
  for (const EntryPtr& entry : all) {
    const auto [at, is_new] = index.try_emplace(entry->name(), entries.size());
    if (is_new) {
      entries.push_back(entry);
    } else {
      // The key must view the name of the entry that stays alive.
      auto node = index.extract(at);
      node.key() = entry->name();
      entries[node.mapped()] = entry;
      index.insert(std::move(node));
    }
  }
}

ToolCatalog::ToolCatalog() : snapshot_(std::make_shared<Snapshot>(std::span<const EntryPtr>())) {}

ToolCatalog::ToolCatalog(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)) {}

ToolCatalog::ToolCatalog(const ToolRegistry& registry) : snapshot_(registry.snapshot()) {}

ToolCatalog::ToolCatalog(std::span<const EntryPtr> entries)
    : snapshot_(std::make_shared<Snapshot>(entries)) {}

const CatalogEntry* ToolCatalog::find(std::string_view name) const {
  const auto at = snapshot_->index.find(name);
  return at == snapshot_->index.end() ? nullptr : snapshot_->entries[at->second].get();
}

std::span<const ToolCatalog::EntryPtr> ToolCatalog::entries() const {
  return snapshot_->entries;
}

ToolCatalog ToolCatalog::filtered(const std::function<bool(const CatalogItem&)>& keep) const {
  std::vector<EntryPtr> kept;
  for (const EntryPtr& entry : entries()) {
    if (keep(entry->item())) kept.push_back(entry);
  }
  return ToolCatalog(kept);
}

Result<ToolCatalog> ToolCatalog::with(CatalogItem item) const {
  std::vector<EntryPtr> all(entries().begin(), entries().end());
  all.push_back(GDN_TRY(CatalogEntry::make(std::move(item))));
  return ToolCatalog(all);
}

std::string ToolCatalog::nearest_name(std::string_view name) const {
  std::vector<std::string_view> names;
  names.reserve(size());
  for (const EntryPtr& entry : entries())
    names.push_back(entry->name());
  return std::string(nearest(name, names));
}

Json ToolCatalog::to_json() const {
  JsonArray items;
  items.reserve(size());
  for (const EntryPtr& entry : entries())
    items.push_back(entry->item().to_json());
  return items;
}

}  // namespace goondan
