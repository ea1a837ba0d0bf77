// Whether a value conforms: the fast half of checking, which says only yes or no.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <goondan/json.h>

#include "schema/evaluated.h"
#include "schema/program.h"
#include "schema/run.h"
#include "schema/types.h"

namespace goondan::schema {

// Whether some rule of an object looked at the value of a member.
enum class Covered : bool { No, Yes };

// Confined to one thread; borrows the run. Allocates nothing but for arrays and objects of more
// than `Evaluated::kInline` members under `unevaluated...` or `uniqueItems`, for property names of
// more than some hundred bytes under `propertyNames`, and what patterns need to warm up.
//
// An answer counts only if the run's budget is not exhausted afterwards.
class Validator {
 public:
  explicit Validator(Run& run) : run_(run) {}

  // `evaluated`, if given, belongs to `value` and gets the members that the node looked at. What
  // it contains after a failure means nothing.
  bool valid(NodeIndex index, const Json& value, Evaluated* evaluated = nullptr) {
    const Node& node = run_.program.nodes[index];
    if (!accepts(node.types, value)) return false;
    return node.only_types || follows_rules(node, value, evaluated);
  }

  // The single rules, for whoever must know which of them fails.
  bool is_choice(const Choices& choices, const Json& value);
  bool valid_name(NodeIndex index, std::string_view name);
  // How many items match `contains`.
  std::size_t count_matches(const ArrayRules& rules, const JsonArray& array, Evaluated* evaluated);

 private:
  bool follows_rules(const Node& node, const Json& value, Evaluated* evaluated);
  bool follows_own_rules(const Node& node, const Json& value, Evaluated* evaluated);
  bool follows_kind_rules(const Node& node, const Json& value, Evaluated* evaluated);
  bool follows_unevaluated(const Node& node, const Json& value, Evaluated* evaluated);

  bool valid_number(const NumberRules& rules, const Json& value);
  bool valid_string(const StringRules& rules, std::string_view text);

  bool valid_array(const ArrayRules& rules, const JsonArray& array, Evaluated* evaluated);
  bool valid_items(const ArrayRules& rules, const JsonArray& array, Evaluated* evaluated);
  bool valid_object(const ObjectRules& rules, const JsonObject& object, Evaluated* evaluated);
  std::optional<Covered> valid_declared(const PropertyRule& rule, const Json& value);
  std::optional<Covered> valid_other(const ObjectRules& rules,
                                     const boost::json::key_value_pair& member, Covered declared);
  bool valid_dependents(const ObjectRules& rules, const Json& value, Evaluated* evaluated);
  bool valid_members(const ObjectRules& rules, const JsonObject& object, Evaluated* evaluated);

  bool valid_in_place(const InPlaceRules& rules, const Json& value, Evaluated* evaluated);
  bool valid_any_of(const InPlaceRules& rules, const Json& value, Evaluated* evaluated);
  bool valid_one_of(const InPlaceRules& rules, const Json& value, Evaluated* evaluated);
  bool valid_condition(const InPlaceRules& rules, const Json& value, Evaluated* evaluated);
  bool valid_trial(NodeIndex index, const Json& value, Evaluated* evaluated);

  Run& run_;
};

// How many members a value has that could be evaluated.
std::size_t member_count(const Json& value);

// Whether the length of `text` in code points is within the limits.
bool long_enough(const StringRules& rules, std::string_view text);
bool short_enough(const StringRules& rules, std::string_view text);

}  // namespace goondan::schema
