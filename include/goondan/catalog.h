// The tools a model may call in one step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

class Schema;
class ToolRegistry;

// What the model is told about one tool, and what its arguments are checked against.
struct CatalogItem {
  std::string name;
  std::optional<std::string> description = {};
  std::optional<Json> parameters = {};  // JSON Schema, kept as it was written
  ToolSource source = {};
  bool idempotent = false;  // may run again if a crash left it unknown whether it ran
  // The name of the handler in the registry, where a middleware offers it under another name;
  // empty: `name`.
  std::string registered_name = {};
  // First dialect only: the resource and export behind the item, `null` for dynamic tools.
  std::optional<Json> tool = {};
  std::optional<Json> export_spec = {};

  // The name under which the handler is registered.
  [[nodiscard]] const std::string& handler_name() const {
    return registered_name.empty() ? name : registered_name;
  }

  [[nodiscard]] Json to_json() const;
};

// An item with its schema compiled. Immutable and shared between catalogs.
class CatalogEntry {
 public:
  // Fails with `E_SCHEMA` if the parameters are not a usable schema.
  static Result<std::shared_ptr<const CatalogEntry>> make(CatalogItem item);

  [[nodiscard]] const CatalogItem& item() const { return item_; }
  [[nodiscard]] const std::string& name() const { return item_.name; }

  // Null if the item has no parameters: then any arguments are fine.
  [[nodiscard]] const Schema* schema() const { return schema_.get(); }

 private:
  CatalogEntry(CatalogItem item, std::shared_ptr<const Schema> schema);

  CatalogItem item_;
  std::shared_ptr<const Schema> schema_;
};

// A cheap value: copy it, narrow it, throw it away. Never changes; "changing" makes another.
// Holds no handlers; a name missing here is refused even if it is registered.
class ToolCatalog {
 public:
  using EntryPtr = std::shared_ptr<const CatalogEntry>;

  ToolCatalog();
  // Everything that is registered, in the order of registration. Shared with the registry's other
  // readers until its next change.
  explicit ToolCatalog(const ToolRegistry& registry);
  // Later entries replace earlier ones of the same name and keep the earlier place.
  explicit ToolCatalog(std::span<const EntryPtr> entries);

  [[nodiscard]] const CatalogEntry* find(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::span<const EntryPtr> entries() const;
  [[nodiscard]] std::size_t size() const { return entries().size(); }

  // A catalog with only what `keep` accepts.
  [[nodiscard]] ToolCatalog filtered(const std::function<bool(const CatalogItem&)>& keep) const;

  // A catalog with `item` added, or put in the place of the item of the same name.
  [[nodiscard]] Result<ToolCatalog> with(CatalogItem item) const;

  // The name most like `name`, for "did you mean"; empty if none is close.
  [[nodiscard]] std::string nearest_name(std::string_view name) const;

  // `[ {name, description?, parameters?, source}, ... ]`
  [[nodiscard]] Json to_json() const;

 private:
  struct Snapshot;
  explicit ToolCatalog(std::shared_ptr<const Snapshot> snapshot);
  friend class ToolRegistry;

  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace goondan
