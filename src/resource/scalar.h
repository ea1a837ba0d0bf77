// What a scalar means: the core schema of YAML 1.2, and nothing of 1.1 (`no` and `on` are text).
#pragma once

#include <cstdint>
#include <string_view>

#include <goondan/json.h>

namespace goondan::yaml {

enum class ScalarType : std::uint8_t { Null, Bool, Int, Float, String };

// The type of a scalar written without quotes and without a tag.
ScalarType plain_scalar_type(std::string_view text);

// Whether a number cannot be said in JSON: `.inf`, `.nan`, `1e999`.
bool beyond_json(ScalarType type, std::string_view text);

// The value of `text` as `type`, which `plain_scalar_type` gave or a tag demanded. Integers beyond
// 64 bits become floating point.
Json scalar_value(ScalarType type, std::string_view text);

}  // namespace goondan::yaml
