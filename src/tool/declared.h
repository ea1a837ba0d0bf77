// The catalog as a bundle declares it, without loading a single handler.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/result.h>

namespace goondan {

// What a model is told about one export of a declared tool.
CatalogItem declared_item(const ToolResource& tool, const ToolExport& exported);

// The names of its exports, in their order.
std::vector<std::string> export_names(const ToolResource& tool);

// Every export of `tools`, in their order; of two tools with one name the first counts.
Result<ToolCatalog> declared_catalog(std::span<const ToolResource> tools);

// What `agent` offers: the exports of the tools in its `spec.tools`, in that order. A tool of the
// bundle hides the one of the same name in `builtins`.
Result<ToolCatalog> declared_catalog(const Bundle& bundle, const AgentResource& agent,
                                     std::span<const ToolResource> builtins);

}  // namespace goondan
