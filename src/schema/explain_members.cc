#include <algorithm>

#include "schema/explainer.h"
#include "schema/words.h"

namespace goondan::schema {

void Explainer::explain_missing(const ObjectRules& rules, const JsonObject& object,
                                const ValuePath& at) {
  for (const std::uint32_t index : rules.required) {
    const std::string_view name = rules.names.name(index);
    if (done() || !run_.budget.charge(1)) return;
    if (object.contains(name)) continue;
    const NodeIndex node = rules.properties[index].node;
    const ValuePath member = at.member(name);
    issues_.add({.kind = IssueKind::Missing,
                 .depth = member.depth,
                 .issue = {.path = member.text(),
                           .message = "required property is missing",
                           .expected = std::string(type_text(run_.program, node))}});
  }
}

bool Explainer::covered(const ObjectRules& rules, std::string_view key) {
  const std::uint32_t declared = rules.names.find(key);
  if (declared != kNone && rules.properties[declared].node != kNone) return true;
  return std::ranges::any_of(rules.patterns, [&](const PatternRule& rule) {
    return run_.program.patterns[rule.pattern].found_in(key, run_.budget);
  });
}

bool Explainer::forbidden(const ObjectRules& rules, std::string_view key) {
  const std::uint32_t declared = rules.names.find(key);
  if (declared != kNone && rules.properties[declared].node == kNothing) return true;
  if (rules.additional == kNothing && !covered(rules, key)) return true;
  return std::ranges::any_of(rules.patterns, [&](const PatternRule& rule) {
    return rule.node == kNothing && run_.program.patterns[rule.pattern].found_in(key, run_.budget);
  });
}

void Explainer::explain_unexpected(const ObjectRules& rules, const JsonObject& object,
                                   const ValuePath& at) {
  for (const auto& member : object) {
    if (done() || !run_.budget.charge(1)) return;
    if (forbidden(rules, member.key())) add_unexpected(at.member(member.key()), &rules.names);
  }
}

void Explainer::explain_member(NodeIndex node, const JsonObject& object, std::size_t index,
                               const ValuePath& at, Evaluated* evaluated) {
  const auto& member = *(object.begin() + index);
  if (node != kNothing) explain(node, member.value(), at.member(member.key()));
  if (evaluated != nullptr) evaluated->mark(index);
}

void Explainer::explain_declared(const ObjectRules& rules, const JsonObject& object,
                                 const ValuePath& at, Evaluated* evaluated) {
  for (std::uint32_t i = 0; i < rules.properties.size() && !done(); ++i) {
    if (rules.properties[i].node == kNone || !run_.budget.charge(1)) continue;
    const auto* member = object.find(rules.names.name(i));
    if (member == object.end()) continue;
    const auto index = static_cast<std::size_t>(member - object.begin());
    explain_member(rules.properties[i].node, object, index, at, evaluated);
  }
}

void Explainer::explain_others(const ObjectRules& rules, const JsonObject& object,
                               const ValuePath& at, Evaluated* evaluated) {
  if (rules.patterns.empty() && rules.additional == kNone) return;
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (done() || !run_.budget.charge(1)) return;
    const std::string_view key = (object.begin() + i)->key();
    for (const PatternRule& rule : rules.patterns) {
      const Pattern& pattern = run_.program.patterns[rule.pattern];
      if (pattern.found_in(key, run_.budget)) explain_member(rule.node, object, i, at, evaluated);
    }
    if (rules.additional != kNone && !covered(rules, key)) {
      explain_member(rules.additional, object, i, at, evaluated);
    }
  }
}

void Explainer::explain_names(const ObjectRules& rules, const JsonObject& object,
                              const ValuePath& at) {
  if (rules.property_names == kNone) return;
  for (const auto& member : object) {
    if (done()) return;
    if (validator_.valid_name(rules.property_names, member.key())) continue;
    if (run_.budget.exhausted()) return;
    const ValuePath path = at.member(member.key());
    const IssueList found = explore(rules.property_names, Json(member.key()), path);
    const std::string reason =
        found.found().empty() ? "it does not match" : found.found().front().issue.message;
    add_other(path, "property name is not allowed: " + reason, "", short_quoted(member.key()));
  }
}

void Explainer::explain_object_size(const ObjectRules& rules, std::size_t size,
                                    const ValuePath& at) {
  const auto say = [&](std::string_view relation, std::uint64_t limit) {
    const std::string expected =
        std::string(relation) + " " + counted(limit, "property", "properties");
    add_other(at, "object must have " + expected + " but has " + std::to_string(size), expected,
              std::to_string(size));
  };
  if (size < rules.min_properties) say("at least", rules.min_properties);
  if (size > rules.max_properties) say("at most", rules.max_properties);
}

void Explainer::explain_dependents(const ObjectRules& rules, const Json& value, const ValuePath& at,
                                   Evaluated* evaluated) {
  const JsonObject& object = value.get_object();
  for (const DependentNames& dependent : rules.dependent_names) {
    if (done() || !run_.budget.charge(1)) return;
    if (!object.contains(dependent.trigger)) continue;
    for (const std::string& name : dependent.names) {
      if (!run_.budget.charge(1) || object.contains(name)) continue;
      add_other(
          at.member(name),
          "required property is missing because " + short_quoted(dependent.trigger) + " is given",
          "", "");
    }
  }
  for (const DependentSchema& dependent : rules.dependent_schemas) {
    if (done() || !run_.budget.charge(1)) return;
    if (object.contains(dependent.trigger)) explain(dependent.node, value, at, evaluated);
  }
}

}  // namespace goondan::schema
