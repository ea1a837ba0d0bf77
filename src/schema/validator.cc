#include "schema/validator.h"

#include "base/utf8.h"
#include "schema/equal.h"

namespace goondan::schema {
namespace {

constexpr std::size_t kMaxBytesPerCodePoint = 4;
constexpr std::size_t kBytesPerUnit = 8;  // of counting code points

}  // namespace

NodeIndex dynamic_target(Run& run, const InPlaceRules& rules) {
  NodeIndex target = rules.dynamic_ref;
  if (rules.dynamic_anchor == kNone) return target;
  for (const Scope* scope = run.scope; scope != nullptr; scope = scope->outer) {
    if (!run.budget.charge(1)) break;
    const auto& anchors = run.program.dynamic_anchors[scope->resource];
    const auto found = std::ranges::lower_bound(anchors, std::pair(rules.dynamic_anchor, 0u));
    if (found != anchors.end() && found->first == rules.dynamic_anchor) target = found->second;
  }
  return target;
}

std::size_t member_count(const Json& value) {
  if (value.is_object()) return value.get_object().size();
  if (value.is_array()) return value.get_array().size();
  return 0;
}

bool Validator::follows_rules(const Node& node, const Json& value, Evaluated* evaluated) {
  const Frame frame(run_, node);
  if (!frame.open()) return false;
  if (node.unevaluated != kNone && value.is_structured()) {
    return follows_unevaluated(node, value, evaluated);
  }
  return follows_own_rules(node, value, evaluated);
}

bool Validator::follows_own_rules(const Node& node, const Json& value, Evaluated* evaluated) {
  const Program& program = run_.program;
  if (node.choices != kNone && !is_choice(program.choices[node.choices], value)) return false;
  if (node.constant != kNone && !is_choice(program.choices[node.constant], value)) return false;
  if (!follows_kind_rules(node, value, evaluated)) return false;
  return node.in_place == kNone ||
         valid_in_place(program.in_place[node.in_place], value, evaluated);
}

bool Validator::follows_kind_rules(const Node& node, const Json& value, Evaluated* evaluated) {
  const Program& program = run_.program;
  if (value.is_object()) {
    if (node.objects == kNone) return true;
    const ObjectRules& rules = program.objects[node.objects];
    return valid_object(rules, value.get_object(), evaluated) &&
           valid_dependents(rules, value, evaluated);
  }
  if (value.is_string()) {
    return node.strings == kNone || valid_string(program.strings[node.strings], value.get_string());
  }
  if (value.is_array()) {
    return node.arrays == kNone ||
           valid_array(program.arrays[node.arrays], value.get_array(), evaluated);
  }
  return !value.is_number() || node.numbers == kNone ||
         valid_number(program.numbers[node.numbers], value);
}

bool Validator::is_choice(const Choices& choices, const Json& value) {
  if (value.is_string()) return choices.texts.find(value.get_string()) != kNone;
  for (const std::uint32_t other : choices.others) {
    if (equal(choices.values[other], value, run_.budget)) return true;
  }
  return false;
}

bool Validator::valid_number(const NumberRules& rules, const Json& value) {
  const Number number = number_of(value);
  if (rules.minimum && compare(number, *rules.minimum) < 0) return false;
  if (rules.maximum && compare(number, *rules.maximum) > 0) return false;
  if (rules.exclusive_minimum && compare(number, *rules.exclusive_minimum) <= 0) return false;
  if (rules.exclusive_maximum && compare(number, *rules.exclusive_maximum) >= 0) return false;
  return !rules.multiple_of || rules.multiple_of->divides(number);
}

// Counts only where the number of bytes does not decide.
bool long_enough(const StringRules& rules, std::string_view text) {
  if (text.size() < rules.min_length) return false;
  const std::size_t least = (text.size() + kMaxBytesPerCodePoint - 1) / kMaxBytesPerCodePoint;
  return least >= rules.min_length || utf8::length(text) >= rules.min_length;
}

bool short_enough(const StringRules& rules, std::string_view text) {
  return text.size() <= rules.max_length || utf8::length(text) <= rules.max_length;
}

bool Validator::valid_string(const StringRules& rules, std::string_view text) {
  if (!run_.budget.charge(text.size() / kBytesPerUnit)) return false;
  if (!long_enough(rules, text) || !short_enough(rules, text)) return false;
  return rules.pattern == kNone || run_.program.patterns[rules.pattern].found_in(text, run_.budget);
}

}  // namespace goondan::schema
