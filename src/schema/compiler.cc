#include "schema/compiler.h"

#include <algorithm>

#include "schema/compile.h"
#include "schema/loops.h"

namespace goondan::schema {
namespace {

// How many nodes may apply at each level of a value, on average.
constexpr std::uint32_t kFramesPerLevel = 16;
constexpr std::size_t kMaxFrames = 1024;

}  // namespace

Result<Program> compile_program(const Json& schema, const SchemaOptions& options) {
  SchemaIndex index(options);
  const SiteIndex root = GDN_TRY(index.add_root(schema));
  Program program = GDN_TRY(Compiler(index).run(root, options.limits));
  return program;
}

Result<Program> Compiler::run(SiteIndex root, const SchemaLimits& limits) {
  program_.nodes.resize(2);
  program_.nodes[kNothing].types = kNoType;
  sites_by_node_.assign(2, kNone);
  compiled_ = 2;
  program_.root = node_for(root);
  GDN_TRY(compile_queued());
  GDN_TRY(compile_dynamic_anchors());
  GDN_TRY(check_loops());
  program_.patterns = GDN_TRY(patterns_.compile(index_, limits.max_pattern_bytes));
  program_.max_frames =
      static_cast<std::uint32_t>(std::min(limits.max_depth * kFramesPerLevel, kMaxFrames));
  return std::move(program_);
}

Result<void> Compiler::compile_queued() {
  for (; compiled_ < program_.nodes.size(); ++compiled_) {
    const auto node = static_cast<NodeIndex>(compiled_);
    GDN_TRY(compile_node(node, sites_by_node_[node]));
  }
  return {};
}

NodeIndex Compiler::node_for(SiteIndex site) {
  const Json& schema = *index_.site(site).schema;
  if (schema.is_bool()) return schema.get_bool() ? kAnything : kNothing;
  const auto next = static_cast<NodeIndex>(program_.nodes.size());
  const auto [known, added] = nodes_by_site_.try_emplace(site, next);
  if (added) {
    program_.nodes.emplace_back().resource = index_.site(site).resource;
    sites_by_node_.push_back(site);
  }
  return known->second;
}

Result<void> Compiler::compile_node(NodeIndex index, SiteIndex site) {
  Node node = program_.nodes[index];  // the table grows meanwhile
  compile_types(node, site);
  compile_choices(node, site);
  compile_numbers(node, site);
  compile_strings(node, site);
  compile_arrays(node, site);
  compile_objects(node, site);
  GDN_TRY(compile_in_place(node, site));
  compile_unevaluated(node, site);
  node.only_types = node.choices == kNone && node.constant == kNone && node.numbers == kNone &&
                    node.strings == kNone && node.arrays == kNone && node.objects == kNone &&
                    node.in_place == kNone && node.unevaluated == kNone;
  program_.nodes[index] = node;
  return {};
}

NodeIndex Compiler::child(SiteIndex site, KeywordId id) {
  const Json* schema = index_.find(site, id);
  return schema == nullptr ? NodeIndex{kNone} : node_for(*schema);
}

std::vector<NodeIndex> Compiler::children(SiteIndex site, KeywordId id) {
  std::vector<NodeIndex> nodes;
  if (const Json* schemas = index_.find(site, id)) {
    for (const Json& schema : schemas->get_array())
      nodes.push_back(node_for(schema));
  }
  return nodes;
}

Result<void> Compiler::compile_in_place(Node& node, SiteIndex site) {
  using enum KeywordId;
  if (!has_any(site, {Ref, DynamicRef, AllOf, AnyOf, OneOf, Not, If})) return {};
  InPlaceRules rules;
  GDN_TRY(compile_references(rules, site));
  rules.all_of = children(site, AllOf);
  rules.any_of = children(site, AnyOf);
  rules.one_of = children(site, OneOf);
  rules.negated = child(site, Not);
  rules.condition = child(site, If);
  if (rules.condition != kNone) {
    rules.then_node = child(site, Then);
    rules.else_node = child(site, Else);
  }
  node.in_place = static_cast<std::uint32_t>(program_.in_place.size());
  program_.in_place.push_back(std::move(rules));
  return {};
}

Result<void> Compiler::compile_references(InPlaceRules& rules, SiteIndex site) {
  if (const Json* reference = index_.find(site, KeywordId::Ref)) {
    const auto target = GDN_TRY(index_.resolve(site, KeywordId::Ref, reference->get_string()));
    rules.ref = node_for(target.site);
  }
  if (const Json* reference = index_.find(site, KeywordId::DynamicRef)) {
    const auto target =
        GDN_TRY(index_.resolve(site, KeywordId::DynamicRef, reference->get_string()));
    rules.dynamic_ref = node_for(target.site);
    if (!target.dynamic_anchor.empty()) rules.dynamic_anchor = anchor_for(target.dynamic_anchor);
  }
  return {};
}

AnchorIndex Compiler::anchor_for(std::string_view name) {
  const auto next = static_cast<AnchorIndex>(dynamic_names_.size());
  const auto [known, added] = dynamic_names_.try_emplace(name, next);
  if (added) new_names_.push_back(name);
  return known->second;
}

// Every anchor that a `$dynamicRef` may lead to. Compiling one can bring in further documents and
// names, so this goes on until nothing is new; each anchor is looked at once.
Result<void> Compiler::compile_dynamic_anchors() {
  do {
    read_dynamic_anchors();
    GDN_TRY(compile_queued());
  } while (anchors_read_ < index_.dynamic_anchors().size() || !new_names_.empty());
  program_.dynamic_anchors.resize(index_.resource_count());
  for (auto& anchors : program_.dynamic_anchors)
    std::ranges::sort(anchors);
  return {};
}

void Compiler::read_dynamic_anchors() {
  for (const std::string_view name : std::exchange(new_names_, {})) {
    const auto [first, last] = waiting_anchors_.equal_range(name);
    for (auto waiting = first; waiting != last; ++waiting) {
      add_dynamic_anchor(waiting->second, dynamic_names_.at(name));
    }
    waiting_anchors_.erase(first, last);
  }
  for (; anchors_read_ < index_.dynamic_anchors().size(); ++anchors_read_) {
    const DynamicAnchor anchor = index_.dynamic_anchors()[anchors_read_];
    const auto name = dynamic_names_.find(anchor.name);
    if (name == dynamic_names_.end()) {
      waiting_anchors_.emplace(anchor.name, anchor);
    } else {
      add_dynamic_anchor(anchor, name->second);
    }
  }
}

void Compiler::add_dynamic_anchor(const DynamicAnchor& anchor, AnchorIndex name) {
  program_.dynamic_anchors.resize(index_.resource_count());
  const ResourceIndex resource = index_.site(anchor.site).resource;
  program_.dynamic_anchors[resource].emplace_back(name, node_for(anchor.site));
}

void Compiler::compile_unevaluated(Node& node, SiteIndex site) {
  UnevaluatedRules rules;
  rules.properties = child(site, KeywordId::UnevaluatedProperties);
  rules.items = child(site, KeywordId::UnevaluatedItems);
  if (rules.properties == kNone && rules.items == kNone) return;
  node.unevaluated = static_cast<std::uint32_t>(program_.unevaluated.size());
  program_.unevaluated.push_back(rules);
}

Result<void> Compiler::check_loops() const {
  const NodeIndex node = find_loop(program_);
  if (node == kNone) return {};
  return index_.error(sites_by_node_[node], "", "",
                      "the schema refers to itself without looking at any part of the value, "
                      "so checking would never end");
}

}  // namespace goondan::schema
