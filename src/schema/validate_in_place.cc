#include "schema/validator.h"

namespace goondan::schema {
namespace {

constexpr std::size_t kMembersPerUnit = 256;

}  // namespace

bool Validator::valid_in_place(const InPlaceRules& rules, const Json& value, Evaluated* evaluated) {
  if (rules.ref != kNone && !valid(rules.ref, value, evaluated)) return false;
  if (rules.dynamic_ref != kNone && !valid(dynamic_target(run_, rules), value, evaluated)) {
    return false;
  }
  for (const NodeIndex node : rules.all_of) {
    if (!valid(node, value, evaluated)) return false;
  }
  if (!rules.any_of.empty() && !valid_any_of(rules, value, evaluated)) return false;
  if (!rules.one_of.empty() && !valid_one_of(rules, value, evaluated)) return false;
  if (rules.negated != kNone && valid(rules.negated, value)) return false;
  return rules.condition == kNone || valid_condition(rules, value, evaluated);
}

// Checks a node that may fail without the whole failing: marks only if it does not.
bool Validator::valid_trial(NodeIndex index, const Json& value, Evaluated* evaluated) {
  if (evaluated == nullptr) return valid(index, value);
  const std::size_t size = member_count(value);
  if (!run_.budget.charge(1 + size / kMembersPerUnit)) return false;
  Evaluated trial(size);
  if (!valid(index, value, &trial)) return false;
  evaluated->merge(trial);
  return true;
}

// All matching branches mark, so none is skipped where marks count.
bool Validator::valid_any_of(const InPlaceRules& rules, const Json& value, Evaluated* evaluated) {
  bool any = false;
  for (const NodeIndex node : rules.any_of) {
    any = valid_trial(node, value, evaluated) || any;
    if (any && evaluated == nullptr) return true;
  }
  return any;
}

bool Validator::valid_one_of(const InPlaceRules& rules, const Json& value, Evaluated* evaluated) {
  std::size_t matches = 0;
  for (const NodeIndex node : rules.one_of) {
    if (valid_trial(node, value, evaluated)) ++matches;
    if (matches > 1) return false;
  }
  return matches == 1;
}

bool Validator::valid_condition(const InPlaceRules& rules, const Json& value,
                                Evaluated* evaluated) {
  const bool holds = valid_trial(rules.condition, value, evaluated);
  const NodeIndex next = holds ? rules.then_node : rules.else_node;
  return next == kNone || valid(next, value, evaluated);
}

bool Validator::follows_unevaluated(const Node& node, const Json& value, Evaluated* evaluated) {
  const UnevaluatedRules& rules = run_.program.unevaluated[node.unevaluated];
  const NodeIndex rest = value.is_object() ? rules.properties : rules.items;
  if (rest == kNone) return follows_own_rules(node, value, evaluated);
  const std::size_t size = member_count(value);
  if (!run_.budget.charge(1 + size / kMembersPerUnit)) return false;
  Evaluated seen(size);
  if (!follows_own_rules(node, value, &seen)) return false;
  for (std::size_t i = 0; i < size && !seen.all(); ++i) {
    if (seen.contains(i)) continue;
    const Json& member =
        value.is_object() ? (value.get_object().begin() + i)->value() : value.get_array()[i];
    if (!valid(rest, member)) return false;
  }
  if (evaluated != nullptr) evaluated->mark_all();
  return true;
}

}  // namespace goondan::schema
