// The fields of a request to a provider that come from the resource and the agent.
#pragma once

#include <span>
#include <string_view>

#include <goondan/catalog.h>
#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

// How a parameter of ours is called by a provider.
struct FieldName {
  std::string_view ours;
  std::string_view theirs;
};

// Puts `fields` into `body`: those in `names` under the provider's name, others as they are. A null
// takes a field out again. Fails with `E_MODEL_CONFIG` for a field that is ours to set (`model`,
// `messages`, `tools`, `system`, `stream`); `where` says in the message who wants it.
Result<void> add_fields(JsonObject& body, const JsonObject& fields,
                        std::span<const FieldName> names, std::string_view where);

// The parameters of a tool as providers want them: an object's schema with `properties`.
JsonObject tool_parameters(const CatalogItem& item);

}  // namespace goondan
