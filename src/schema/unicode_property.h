// The names of `\p{...}`: ECMA-262 knows long names and short ones, RE2 only some.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace goondan::schema {

enum class Negated { No, Yes };

// `Letter`, `L`, `Script=Greek`, `sc=Grek` as RE2's `\p{L}`, `\p{Greek}`, to stand inside a class;
// nothing for a property RE2 has no table for.
std::optional<std::string> unicode_property(std::string_view name, Negated negated);

}  // namespace goondan::schema
