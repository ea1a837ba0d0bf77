#include "schema/shape.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "schema/number.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

bool is_text(const Json& value) {
  return value.is_string();
}

bool is_flag(const Json& value) {
  return value.is_bool();
}

bool is_list(const Json& value) {
  return value.is_array();
}

bool is_object(const Json& value) {
  return value.is_object();
}

bool is_count(const Json& value) {
  if (!value.is_number()) return false;
  const Number number = number_of(value);
  if (number.form == Number::Form::Real && !is_integral(number.real)) return false;
  return compare(number, {}) >= 0;
}

bool is_finite_number(const Json& value) {
  return value.is_number() && (!value.is_double() || value.get_double() - value.get_double() == 0);
}

bool is_positive(const Json& value) {
  return is_finite_number(value) && compare(number_of(value), {}) > 0;
}

bool is_id(const Json& value) {
  return value.is_string() && split_fragment(value.get_string()).fragment.empty();
}

bool is_anchor(const Json& value) {
  if (!value.is_string() || value.get_string().empty()) return false;
  const std::string_view name = value.get_string();
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return letter(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(name, [letter](unsigned char c) {
           return letter(c) || std::isdigit(c) != 0 || c == '-' || c == '.';
         });
}

bool are_names(const Json& value) {
  if (!value.is_array() || !std::ranges::all_of(value.get_array(), is_text)) return false;
  std::vector<std::string_view> names;
  for (const Json& name : value.get_array())
    names.emplace_back(name.get_string());
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

bool are_types(const Json& value) {
  return value.is_string() || (are_names(value) && !value.get_array().empty());
}

bool is_schema_or_names(const Json& value) {
  return !value.is_array() || are_names(value);
}

bool are_schemas(const Json& value) {
  return value.is_array() && !value.get_array().empty();
}

ShapeProblem wrong(std::string_view wanted, const Json& value) {
  return {.place = {}, .message = "must be " + std::string(wanted) + but_is(value)};
}

using Predicate = bool (*)(const Json&);

std::optional<ShapeProblem> problem_unless(Predicate fine, std::string_view wanted,
                                           const Json& value) {
  if (fine(value)) return std::nullopt;
  return wrong(wanted, value);
}

std::optional<ShapeProblem> problem_of_members(Predicate fine, std::string_view wanted,
                                               const Json& value) {
  if (!value.is_object()) return wrong("an object", value);
  for (const auto& member : value.get_object()) {
    if (fine(member.value())) continue;
    ShapeProblem problem = wrong(wanted, member.value());
    append_pointer_step(problem.place, member.key());
    return problem;
  }
  return std::nullopt;
}

std::optional<ShapeProblem> problem_of_shape(Shape shape, const Json& value) {
  switch (shape) {
    case Shape::Anything:
    case Shape::Schema:  // looked at where the subschema is
      return std::nullopt;
    case Shape::Text:
      return problem_unless(is_text, "a string", value);
    case Shape::Id:
      return problem_unless(is_id, "a URI without a fragment", value);
    case Shape::Anchor:
      return problem_unless(is_anchor, "a name of letters, digits, '_', '-' and '.'", value);
    case Shape::Flag:
      return problem_unless(is_flag, "true or false", value);
    case Shape::Number:
      return problem_unless(is_finite_number, "a number", value);
    case Shape::Positive:
      return problem_unless(is_positive, "a number greater than 0", value);
    case Shape::Count:
      return problem_unless(is_count, "an integer that is 0 or more", value);
    case Shape::List:
      return problem_unless(is_list, "an array", value);
    case Shape::Names:
      return problem_unless(are_names, "an array of different strings", value);
    case Shape::Types:
      return problem_unless(are_types, "a type name or an array of different type names", value);
    case Shape::NamesByName:
      return problem_of_members(are_names, "an array of different strings", value);
    case Shape::FlagsByName:
      return problem_of_members(is_flag, "true or false", value);
    case Shape::Schemas:
      return problem_unless(are_schemas, "an array of at least one schema", value);
    case Shape::SchemasByName:
      return problem_unless(is_object, "an object of schemas", value);
    case Shape::SchemaOrNamesByName:
      return problem_of_members(is_schema_or_names, "a schema or an array of different strings",
                                value);
  }
  return std::nullopt;
}

// What writers of older drafts, and of other notations, often mean.
std::string suggestion_for(KeywordId id, const Json& value) {
  if (id == KeywordId::Required && value.is_bool()) {
    return "List the names of required properties beside \"properties\": \"required\": [\"a\"].";
  }
  if (value.is_bool() && (id == KeywordId::ExclusiveMinimum || id == KeywordId::ExclusiveMaximum)) {
    return "Write the limit itself, e.g. \"exclusiveMinimum\": 0.";
  }
  if (id == KeywordId::Type) {
    return "Use null, boolean, object, array, number, string or integer.";
  }
  return {};
}

}  // namespace

std::string but_is(const Json& value) {
  return " but is " + short_text(value);
}

std::optional<ShapeProblem> find_shape_problem(const Keyword& keyword, const Json& value) {
  auto problem = problem_of_shape(keyword.shape, value);
  if (problem) problem->suggestion = suggestion_for(keyword.id, value);
  return problem;
}

}  // namespace goondan::schema
