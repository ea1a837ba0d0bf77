#include <array>

#include <boost/json/monotonic_resource.hpp>

#include "schema/equal.h"
#include "schema/validator.h"

namespace goondan::schema {
namespace {

// Looking at one member costs less than a unit.
constexpr std::size_t kMembersPerUnit = 4;
constexpr std::size_t kNameBuffer = 512;

}  // namespace

bool Validator::valid_array(const ArrayRules& rules, const JsonArray& array, Evaluated* evaluated) {
  if (array.size() < rules.min_items || array.size() > rules.max_items) return false;
  if (!valid_items(rules, array, evaluated)) return false;
  if (rules.contains != kNone) {
    const std::size_t matches = count_matches(rules, array, evaluated);
    if (matches < rules.min_contains || matches > rules.max_contains) return false;
  }
  return !rules.unique || !find_duplicate(array, run_.budget);
}

bool Validator::valid_items(const ArrayRules& rules, const JsonArray& array, Evaluated* evaluated) {
  if (!run_.budget.charge(array.size() / kMembersPerUnit)) return false;
  const std::size_t prefix = std::min(rules.prefix.size(), array.size());
  for (std::size_t i = 0; i < prefix; ++i) {
    if (!valid(rules.prefix[i], array[i])) return false;
    if (evaluated != nullptr) evaluated->mark(i);
  }
  if (rules.items == kNone) return true;
  for (std::size_t i = prefix; i < array.size(); ++i) {
    if (!valid(rules.items, array[i])) return false;
  }
  if (evaluated != nullptr) evaluated->mark_all();
  return true;
}

std::size_t Validator::count_matches(const ArrayRules& rules, const JsonArray& array,
                                     Evaluated* evaluated) {
  std::size_t matches = 0;
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!valid(rules.contains, array[i])) continue;
    ++matches;
    if (evaluated != nullptr) evaluated->mark(i);
  }
  return matches;
}

bool Validator::valid_object(const ObjectRules& rules, const JsonObject& object,
                             Evaluated* evaluated) {
  const std::size_t size = object.size();
  if (size < rules.min_properties || size > rules.max_properties) return false;
  if (size < rules.required.size()) return false;
  if (!run_.budget.charge(size / kMembersPerUnit)) return false;
  return valid_members(rules, object, evaluated);
}

bool Validator::valid_members(const ObjectRules& rules, const JsonObject& object,
                              Evaluated* evaluated) {
  const bool plain =
      rules.patterns.empty() && rules.additional == kNone && rules.property_names == kNone;
  std::size_t required_seen = 0;
  std::size_t index = 0;
  for (const auto& member : object) {
    std::optional<Covered> covered = Covered::No;
    const std::uint32_t found = rules.names.find(member.key());
    if (found != kNone) {
      required_seen += rules.properties[found].required ? 1 : 0;
      covered = valid_declared(rules.properties[found], member.value());
    }
    if (covered && !plain) covered = valid_other(rules, member, *covered);
    if (!covered) return false;
    if (evaluated != nullptr && *covered == Covered::Yes) evaluated->mark(index);
    ++index;
  }
  return required_seen == rules.required.size();
}

// What the rules say to one member: nothing if one of them fails.
std::optional<Covered> Validator::valid_declared(const PropertyRule& rule, const Json& value) {
  if (rule.node == kNone) return Covered::No;
  return valid(rule.node, value) ? std::optional(Covered::Yes) : std::nullopt;
}

// The same for all rules but the one under the member's name.
std::optional<Covered> Validator::valid_other(const ObjectRules& rules,
                                              const boost::json::key_value_pair& member,
                                              Covered declared) {
  Covered covered = declared;
  for (const PatternRule& rule : rules.patterns) {
    if (!run_.program.patterns[rule.pattern].found_in(member.key(), run_.budget)) continue;
    if (!valid(rule.node, member.value())) return std::nullopt;
    covered = Covered::Yes;
  }
  if (covered == Covered::No && rules.additional != kNone) {
    if (!valid(rules.additional, member.value())) return std::nullopt;
    covered = Covered::Yes;
  }
  const bool name_fits =
      rules.property_names == kNone || valid_name(rules.property_names, member.key());
  return name_fits ? std::optional(covered) : std::nullopt;
}

bool Validator::valid_name(NodeIndex index, std::string_view name) {
  std::array<unsigned char, kNameBuffer> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  boost::json::monotonic_resource resource(buffer.data(), buffer.size());
  const Json value(boost::json::string_view(name), &resource);
  return valid(index, value);
}

bool Validator::valid_dependents(const ObjectRules& rules, const Json& value,
                                 Evaluated* evaluated) {
  const JsonObject& object = value.get_object();
  for (const DependentNames& dependent : rules.dependent_names) {
    if (!run_.budget.charge(1)) return false;
    if (!object.contains(dependent.trigger)) continue;
    if (!run_.budget.charge(dependent.names.size())) return false;
    for (const std::string& name : dependent.names) {
      if (!object.contains(name)) return false;
    }
  }
  for (const DependentSchema& dependent : rules.dependent_schemas) {
    if (!run_.budget.charge(1)) return false;
    if (object.contains(dependent.trigger) && !valid(dependent.node, value, evaluated)) {
      return false;
    }
  }
  return true;
}

}  // namespace goondan::schema
