// The immutable inside of a catalog, shared between its copies and with the registry.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <goondan/catalog.h>

namespace goondan {

struct ToolCatalog::Snapshot {
  explicit Snapshot(std::span<const EntryPtr> all);

  std::vector<EntryPtr> entries;
  std::unordered_map<std::string_view, std::size_t> index;  // views the entries' names
};

}  // namespace goondan
