// What a resource, a tool and an export may be called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <goondan/resources.h>

#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// The name a kind goes by in YAML, and back.
std::optional<Kind> find_kind(std::string_view name);
// The kind whose name is most like `name`; empty if none is.
std::string_view nearest_kind(std::string_view name);

// Checks `metadata.name`. Letters, digits, `_` and `-`; also `.` where no model sees the name or
// the dialect allows it; a package may be `@scope/name`. A tool of the current dialect may not
// hold `__`, which separates its name from an export's.
void check_resource_name(const Place& place, const ResourceMeta& meta, Diagnostics& diagnostics);

// Checks the name of an export by the same rules.
void check_export_name(const Place& place, std::string_view name, Dialect dialect,
                       Diagnostics& diagnostics);

// Reports a name that model providers would refuse for its length.
void check_visible_name(const Place& place, std::string_view visible_name,
                        Diagnostics& diagnostics);

}  // namespace goondan
