#include "schema/equal.h"
#include "schema/explainer.h"
#include "schema/words.h"

namespace goondan::schema {

void Explainer::explain_array(const ArrayRules& rules, const JsonArray& array, const ValuePath& at,
                              Evaluated* evaluated) {
  explain_array_size(rules, array.size(), at);
  for (std::size_t i = 0; i < array.size() && !done(); ++i) {
    const bool in_prefix = i < rules.prefix.size();
    const NodeIndex node = in_prefix ? rules.prefix[i] : rules.items;
    if (node == kNone) break;
    explain_item(node, array[i], at.item(i));
    if (evaluated != nullptr) evaluated->mark(i);
  }
  if (rules.contains != kNone) {
    explain_contains(rules, validator_.count_matches(rules, array, evaluated), at);
  }
  if (!rules.unique || done()) return;
  if (const auto twice = find_duplicate(array, run_.budget)) {
    add_other(at,
              "items must be unique but items " + std::to_string(twice->first) + " and " +
                  std::to_string(twice->second) + " are equal",
              "unique items", short_text(array[twice->second]));
  }
}

void Explainer::explain_array_size(const ArrayRules& rules, std::size_t size, const ValuePath& at) {
  const auto say = [&](std::string_view relation, std::uint64_t limit) {
    const std::string expected = std::string(relation) + " " + counted(limit, "item", "items");
    add_other(at, "array must have " + expected + " but has " + std::to_string(size), expected,
              std::to_string(size));
  };
  if (size < rules.min_items) say("at least", rules.min_items);
  if (size > rules.max_items) say("at most", rules.max_items);
}

void Explainer::explain_contains(const ArrayRules& rules, std::size_t matches,
                                 const ValuePath& at) {
  const auto say = [&](std::string_view relation, std::uint64_t limit) {
    std::string expected = std::string(relation) + " " + counted(limit, "item", "items");
    if (const auto type = type_text(run_.program, rules.contains); !type.empty()) {
      expected.append(" of type ").append(type);
    } else {
      expected += " that matches \"contains\"";
    }
    add_other(at, "array must have " + expected + " but has " + std::to_string(matches), expected,
              std::to_string(matches));
  };
  if (run_.budget.exhausted()) return;
  if (matches < rules.min_contains) say("at least", rules.min_contains);
  if (matches > rules.max_contains) say("at most", rules.max_contains);
}

void Explainer::explain_item(NodeIndex node, const Json& item, const ValuePath& at) {
  if (node == kNothing) {
    add_unexpected(at, nullptr);
  } else {
    explain(node, item, at);
  }
}

void Explainer::explain_object(const ObjectRules& rules, const Json& value, const ValuePath& at,
                               Evaluated* evaluated) {
  const JsonObject& object = value.get_object();
  explain_missing(rules, object, at);
  explain_unexpected(rules, object, at);
  explain_declared(rules, object, at, evaluated);
  explain_others(rules, object, at, evaluated);
  explain_names(rules, object, at);
  explain_object_size(rules, object.size(), at);
  explain_dependents(rules, value, at, evaluated);
}

}  // namespace goondan::schema
