// Single values of a document as C++ values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "resource/diagnostics.h"
#include "resource/place.h"

namespace goondan {

// Each of these reports a value of the wrong kind and returns nothing.
std::optional<std::string> read_text(const Place& place, Diagnostics& diagnostics);
std::optional<std::size_t> read_positive(const Place& place, Diagnostics& diagnostics);
std::optional<bool> read_flag(const Place& place, Diagnostics& diagnostics);
std::optional<JsonObject> read_object(const Place& place, Diagnostics& diagnostics);
std::vector<Place> read_items(const Place& place, Diagnostics& diagnostics);
std::vector<std::string> read_texts(const Place& place, Diagnostics& diagnostics);

// Reports that the value at `place` is not what is wanted there.
void report_wrong_kind(const Place& place, std::string_view wanted, std::string suggestion,
                       Diagnostics& diagnostics);

}  // namespace goondan
