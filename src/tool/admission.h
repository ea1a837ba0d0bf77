// May this call run? The checks before any middleware or handler, in their fixed order.
#pragma once

#include <memory>

#include <goondan/catalog.h>
#include <goondan/executor.h>
#include <goondan/registry.h>
#include <goondan/result.h>

namespace goondan {

// A call that passed every check. `offered` is what the model was shown; it may differ from the
// registered item if step middleware rewrote it.
struct Admission {
  const CatalogEntry* offered;
  std::shared_ptr<const ToolRegistry::Entry> tool;
};

// In the catalog (`E_TOOL_NOT_IN_CATALOG`), arguments (`E_TOOL_INVALID_ARGS`), handler known
// (`E_TOOL_NOT_FOUND`). The catalog must outlive the answer.
Result<Admission> admit(const ToolCatalog& catalog, const ToolRegistry& registry,
                        const ToolCall& call, RegistryBypass bypass);

// What is wrong with `input` as arguments of the offered tool; nothing if it is fine.
std::optional<Error> argument_error(const CatalogEntry& offered, const Json& input,
                                    std::size_t message_limit);

}  // namespace goondan
