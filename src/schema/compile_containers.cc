#include "schema/compiler.h"
#include "schema/uri.h"

namespace goondan::schema {

void Compiler::compile_arrays(Node& node, SiteIndex site) {
  using enum KeywordId;
  if (!has_any(site, {PrefixItems, Items, Contains, MinItems, MaxItems, UniqueItems})) return;
  ArrayRules rules{.contains = child(site, Contains),
                   .min_contains = count(site, MinContains, 1),
                   .max_contains = count(site, MaxContains, kUnlimited),
                   .min_items = count(site, MinItems, 0),
                   .max_items = count(site, MaxItems, kUnlimited)};
  compile_items(rules, site);
  const Json* unique = index_.find(site, UniqueItems);
  rules.unique = unique != nullptr && unique->get_bool();
  node.arrays = static_cast<std::uint32_t>(program_.arrays.size());
  program_.arrays.push_back(std::move(rules));
}

// Older drafts write the prefix as a list in `items`, and what follows it in `additionalItems`.
void Compiler::compile_items(ArrayRules& rules, SiteIndex site) {
  const Json* items = index_.find(site, KeywordId::Items);
  if (items != nullptr && items->is_array()) {
    rules.prefix = children(site, KeywordId::Items);
    rules.items = child(site, KeywordId::AdditionalItems);
    return;
  }
  rules.prefix = children(site, KeywordId::PrefixItems);
  rules.items = child(site, KeywordId::Items);
}

void Compiler::compile_objects(Node& node, SiteIndex site) {
  using enum KeywordId;
  if (!has_any(site,
               {Properties, PatternProperties, AdditionalProperties, PropertyNames, Required,
                MinProperties, MaxProperties, DependentRequired, DependentSchemas, Dependencies})) {
    return;
  }
  ObjectRules rules;
  compile_properties(rules, site);
  if (const Json* patterns = index_.find(site, PatternProperties)) {
    for (const auto& member : patterns->get_object()) {
      PatternPool::Origin origin{.site = site, .keyword = PatternProperties};
      append_pointer_step(origin.below, member.key());
      rules.patterns.push_back({.pattern = patterns_.add(member.key(), std::move(origin)),
                                .node = node_for(member.value())});
    }
  }
  rules.additional = child(site, AdditionalProperties);
  rules.property_names = child(site, PropertyNames);
  rules.min_properties = count(site, MinProperties, 0);
  rules.max_properties = count(site, MaxProperties, kUnlimited);
  compile_dependents(rules, site);
  node.objects = static_cast<std::uint32_t>(program_.objects.size());
  program_.objects.push_back(std::move(rules));
}

void Compiler::compile_properties(ObjectRules& rules, SiteIndex site) {
  std::vector<std::string_view> names;
  const Json* properties = index_.find(site, KeywordId::Properties);
  if (properties != nullptr) {
    for (const auto& member : properties->get_object()) {
      names.emplace_back(member.key());
      rules.properties.push_back({.node = node_for(member.value())});
    }
  }
  const Json* required = index_.find(site, KeywordId::Required);
  const JsonArray none;
  const JsonArray& required_names = required == nullptr ? none : required->get_array();
  for (const Json& name : required_names) {
    const bool declared =
        properties != nullptr && properties->get_object().contains(name.get_string());
    if (declared) continue;
    names.emplace_back(name.get_string());
    rules.properties.emplace_back();
  }
  rules.names = NameTable(names);
  for (const Json& name : required_names) {
    const std::uint32_t index = rules.names.find(name.get_string());
    rules.properties[index].required = true;
    rules.required.push_back(index);
  }
}

void Compiler::compile_dependents(ObjectRules& rules, SiteIndex site) {
  using enum KeywordId;
  for (const KeywordId id : {DependentRequired, DependentSchemas, Dependencies}) {
    const Json* value = index_.find(site, id);
    if (value == nullptr) continue;
    for (const auto& member : value->get_object()) {
      if (!member.value().is_array()) {
        rules.dependent_schemas.push_back({std::string(member.key()), node_for(member.value())});
        continue;
      }
      DependentNames dependent{.trigger = std::string(member.key())};
      for (const Json& name : member.value().get_array()) {
        dependent.names.emplace_back(name.get_string());
      }
      rules.dependent_names.push_back(std::move(dependent));
    }
  }
}

}  // namespace goondan::schema
