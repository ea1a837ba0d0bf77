#include "schema/types.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "schema/number.h"

namespace goondan::schema {

std::optional<TypeSet> find_type(std::string_view name) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, TypeSet>>({
      {"null", kNullType},
      {"boolean", kBooleanType},
      {"integer", kIntegerType},
      {"number", kNumberType},
      {"string", kStringType},
      {"array", kArrayType},
      {"object", kObjectType},
  });
  const auto* found = std::ranges::find(kNames, name, &std::pair<std::string_view, TypeSet>::first);
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

std::string_view type_name(const Json& value) {
  using boost::json::kind;
  switch (value.kind()) {
    case kind::null:
      return "null";
    case kind::bool_:
      return "boolean";
    case kind::int64:
    case kind::uint64:
      return "integer";
    case kind::double_:
      return is_integral(value.get_double()) ? "integer" : "number";
    case kind::string:
      return "string";
    case kind::array:
      return "array";
    case kind::object:
      return "object";
  }
  return "null";
}

bool accepts_real(TypeSet types, double number) {
  if (!std::isfinite(number)) return types == kAnyType;
  if ((types & kNumberType) != 0) return true;
  return (types & kIntegerType) != 0 && is_integral(number);
}

}  // namespace goondan::schema
