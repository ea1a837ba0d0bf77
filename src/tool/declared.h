// The catalog as a bundle declares it, without loading a single handler.
#pragma once

#include <goondan/bundle.h>
#include <goondan/catalog.h>
#include <goondan/result.h>

namespace goondan {

// What a model is told about one export of a declared tool.
CatalogItem declared_item(const ToolResource& tool, const ToolExport& exported);

// Every export of every tool of the bundle.
Result<ToolCatalog> declared_catalog(const Bundle& bundle);

// What `agent` offers: the exports of the tools in its `spec.tools`, in that order.
Result<ToolCatalog> declared_catalog(const Bundle& bundle, const AgentResource& agent);

}  // namespace goondan
