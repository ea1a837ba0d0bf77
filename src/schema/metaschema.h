// The documents of the standard itself, kept in the library so that nothing need be fetched.
#pragma once

#include <optional>
#include <string_view>

#include <goondan/json.h>

namespace goondan::schema {

// The metaschema or vocabulary of draft 2020-12 with this URI (no fragment), if it is one.
std::optional<Json> find_metaschema(std::string_view uri);

}  // namespace goondan::schema
