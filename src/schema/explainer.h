// What is wrong with a value: the slow half of checking, which walks the same program as the
// `Validator` but collects every issue, in words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "schema/evaluated.h"
#include "schema/issue_list.h"
#include "schema/program.h"
#include "schema/run.h"
#include "schema/validator.h"
#include "schema/value_path.h"

namespace goondan::schema {

// Confined to one thread; borrows the run. What it finds borrows from the value.
class Explainer {
 public:
  Explainer(Run& run, std::size_t max_issues) : run_(run), validator_(run), issues_(max_issues) {}

  // `evaluated`, if given, gets the members that the node looked at, also where they fail: then
  // the whole fails anyway, and one issue for a member is enough.
  void explain(NodeIndex index, const Json& value, const ValuePath& at,
               Evaluated* evaluated = nullptr);

  std::vector<SchemaIssue> finish() && { return std::move(issues_).finish(run_.budget); }

 private:
  // Of one value, in explainer.cc.
  void explain_rules(const Node& node, const Json& value, const ValuePath& at,
                     Evaluated* evaluated);
  void explain_type(const Node& node, const Json& value, const ValuePath& at);
  void explain_choices(const Choices& choices, const Json& value, const ValuePath& at);
  void explain_number(const NumberRules& rules, const Json& value, const ValuePath& at);
  void explain_string(const StringRules& rules, const Json& value, const ValuePath& at);

  // Of arrays and objects, in explain_containers.cc.
  void explain_array(const ArrayRules& rules, const JsonArray& array, const ValuePath& at,
                     Evaluated* evaluated);
  void explain_array_size(const ArrayRules& rules, std::size_t size, const ValuePath& at);
  void explain_contains(const ArrayRules& rules, std::size_t matches, const ValuePath& at);
  void explain_item(NodeIndex node, const Json& item, const ValuePath& at);
  void explain_object(const ObjectRules& rules, const Json& value, const ValuePath& at,
                      Evaluated* evaluated);
  void explain_missing(const ObjectRules& rules, const JsonObject& object, const ValuePath& at);
  void explain_unexpected(const ObjectRules& rules, const JsonObject& object, const ValuePath& at);
  // Members in the order of the schema, then the others in their own.
  void explain_declared(const ObjectRules& rules, const JsonObject& object, const ValuePath& at,
                        Evaluated* evaluated);
  void explain_others(const ObjectRules& rules, const JsonObject& object, const ValuePath& at,
                      Evaluated* evaluated);
  void explain_member(NodeIndex node, const JsonObject& object, std::size_t index,
                      const ValuePath& at, Evaluated* evaluated);
  void explain_names(const ObjectRules& rules, const JsonObject& object, const ValuePath& at);
  void explain_object_size(const ObjectRules& rules, std::size_t size, const ValuePath& at);
  void explain_dependents(const ObjectRules& rules, const Json& value, const ValuePath& at,
                          Evaluated* evaluated);
  // Whether a rule of the object's own, other than `additionalProperties`, is for this member.
  bool covered(const ObjectRules& rules, std::string_view key);
  // Whether some rule forbids the member whatever its value.
  bool forbidden(const ObjectRules& rules, std::string_view key);

  // Of subschemas that apply in place, in explain_in_place.cc and explain_branches.cc.
  void explain_in_place(const InPlaceRules& rules, const Json& value, const ValuePath& at,
                        Evaluated* evaluated);
  void explain_condition(const InPlaceRules& rules, const Json& value, const ValuePath& at,
                         Evaluated* evaluated);
  void explain_negated(NodeIndex index, const Json& value, const ValuePath& at);
  void explain_unevaluated(const Node& node, const Json& value, const ValuePath& at,
                           Evaluated* evaluated);
  void explain_any_of(const std::vector<NodeIndex>& branches, const Json& value,
                      const ValuePath& at, Evaluated* evaluated);
  void explain_one_of(const std::vector<NodeIndex>& branches, const Json& value,
                      const ValuePath& at, Evaluated* evaluated);
  void explain_no_match(const std::vector<NodeIndex>& branches, const Json& value,
                        const ValuePath& at);
  IssueList explore(NodeIndex index, const Json& value, const ValuePath& at);
  bool valid_trial(NodeIndex index, const Json& value, Evaluated* evaluated);

  void add_other(const ValuePath& at, std::string message, std::string expected, std::string got);
  void add_unexpected(const ValuePath& member, const NameTable* names);
  [[nodiscard]] bool done() const { return issues_.full() || run_.budget.exhausted(); }

  Run& run_;
  Validator validator_;
  IssueList issues_;
  std::size_t unmatched_ = 0;  // `anyOf` and `oneOf` so far of which no branch matched
};

// `string|number`, following references; empty if the node does not say.
std::string_view type_text(const Program& program, NodeIndex index);

}  // namespace goondan::schema
