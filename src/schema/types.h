// The seven type names of JSON Schema as a set in one byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goondan/json.h>

namespace goondan::schema {

using TypeSet = std::uint8_t;

inline constexpr TypeSet kNullType = 1;
inline constexpr TypeSet kBooleanType = 2;
inline constexpr TypeSet kIntegerType = 4;
inline constexpr TypeSet kNumberType = 8;
inline constexpr TypeSet kStringType = 16;
inline constexpr TypeSet kArrayType = 32;
inline constexpr TypeSet kObjectType = 64;
inline constexpr TypeSet kNoType = 0;
// Has a bit more than the seven: what is of none of them, such as NaN, is still something.
inline constexpr TypeSet kAnyType = 255;

// The set that `name` stands for; nothing for an unknown name.
std::optional<TypeSet> find_type(std::string_view name);

// `integer` for 1 and for 1.0, `number` for 1.5.
std::string_view type_name(const Json& value);

// Whether a number with a fraction part in its form is of one of `types`.
bool accepts_real(TypeSet types, double number);

// Whether `value` is of one of `types`.
inline bool accepts(TypeSet types, const Json& value) {
  // In the order of `boost::json::kind`.
  constexpr std::array<TypeSet, 8> kTypes{kNullType,
                                          kBooleanType,
                                          kIntegerType | kNumberType,
                                          kIntegerType | kNumberType,
                                          kNumberType,
                                          kStringType,
                                          kArrayType,
                                          kObjectType};
  if (types == kAnyType) return true;
  if (value.is_double()) return accepts_real(types, value.get_double());
  return (types & kTypes[static_cast<std::size_t>(value.kind())]) != 0;
}

}  // namespace goondan::schema
