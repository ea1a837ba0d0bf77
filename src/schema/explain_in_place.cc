#include "schema/explainer.h"
#include "schema/words.h"

namespace goondan::schema {

void Explainer::explain_in_place(const InPlaceRules& rules, const Json& value, const ValuePath& at,
                                 Evaluated* evaluated) {
  if (rules.ref != kNone) explain(rules.ref, value, at, evaluated);
  if (rules.dynamic_ref != kNone) explain(dynamic_target(run_, rules), value, at, evaluated);
  for (const NodeIndex node : rules.all_of)
    explain(node, value, at, evaluated);
  if (!rules.any_of.empty()) explain_any_of(rules.any_of, value, at, evaluated);
  if (!rules.one_of.empty()) explain_one_of(rules.one_of, value, at, evaluated);
  if (rules.negated != kNone) explain_negated(rules.negated, value, at);
  if (rules.condition != kNone) explain_condition(rules, value, at, evaluated);
}

void Explainer::explain_condition(const InPlaceRules& rules, const Json& value, const ValuePath& at,
                                  Evaluated* evaluated) {
  const bool holds = valid_trial(rules.condition, value, evaluated);
  const NodeIndex next = holds ? rules.then_node : rules.else_node;
  if (next != kNone && !run_.budget.exhausted()) explain(next, value, at, evaluated);
}

void Explainer::explain_negated(NodeIndex index, const Json& value, const ValuePath& at) {
  if (done() || !validator_.valid(index, value) || run_.budget.exhausted()) return;
  const Node& node = run_.program.nodes[index];
  const std::string got = short_text(value);
  const std::uint32_t choices = node.choices != kNone ? node.choices : node.constant;
  if (choices != kNone) {
    add_other(at, "value must not be one of " + list_text(run_.program.choices[choices].values), "",
              got);
  } else if (node.only_types && node.type_text != kNone) {
    add_other(at, "value must not be of type " + run_.program.type_texts[node.type_text], "", got);
  } else {
    add_other(at, "value matches what \"not\" forbids", "", got);
  }
}

bool Explainer::valid_trial(NodeIndex index, const Json& value, Evaluated* evaluated) {
  Evaluated trial(member_count(value));
  if (!validator_.valid(index, value, &trial)) return false;
  if (evaluated != nullptr) evaluated->merge(trial);
  return true;
}

void Explainer::explain_unevaluated(const Node& node, const Json& value, const ValuePath& at,
                                    Evaluated* evaluated) {
  NodeIndex rest = kNone;
  if (node.unevaluated != kNone && value.is_structured()) {
    const UnevaluatedRules& rules = run_.program.unevaluated[node.unevaluated];
    rest = value.is_object() ? rules.properties : rules.items;
  }
  if (rest == kNone) return explain_rules(node, value, at, evaluated);
  const std::size_t unmatched_before = unmatched_;
  const std::size_t size = member_count(value);
  Evaluated seen(size);
  explain_rules(node, value, at, &seen);
  if (evaluated != nullptr) evaluated->mark_all();
  // Where no branch matched, nobody knows what it would have looked at.
  if (unmatched_ > unmatched_before) return;
  const NameTable* names =
      node.objects == kNone ? nullptr : &run_.program.objects[node.objects].names;
  for (std::size_t i = 0; i < size && !done(); ++i) {
    if (seen.contains(i) || !run_.budget.charge(1)) continue;
    if (value.is_array()) {
      explain_item(rest, value.get_array()[i], at.item(i));
      continue;
    }
    const auto& member = *(value.get_object().begin() + i);
    if (rest == kNothing) {
      add_unexpected(at.member(member.key()), names);
    } else {
      explain(rest, member.value(), at.member(member.key()));
    }
  }
}

}  // namespace goondan::schema
