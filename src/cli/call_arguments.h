// `key=value` words from a command line to the JSON arguments of a call.
#pragma once

#include <span>
#include <string>

#include <goondan/catalog.h>
#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::cli {

// `key=value` takes its type from the tool's schema: text stays text where a string is expected,
// and is read as JSON where something else is. `key:=json` is always JSON. Where the schema does
// not say, JSON if it is JSON, text if not. `item` may be null (unknown tool).
Result<JsonObject> parse_call_arguments(std::span<const std::string> words,
                                        const CatalogItem* item);

}  // namespace goondan::cli
