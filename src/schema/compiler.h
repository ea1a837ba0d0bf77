// The work of `compile_program`. Subschemas are compiled when something refers to them, through a
// queue, so neither recursion in the schema nor its depth costs stack.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "schema/pattern_pool.h"
#include "schema/program.h"
#include "schema/schema_index.h"

namespace goondan::schema {

// Confined to one thread and one compilation; borrows the index.
class Compiler {
 public:
  explicit Compiler(SchemaIndex& index) : index_(index) {}

  Result<Program> run(SiteIndex root, const SchemaLimits& limits);

 private:
  // The node of a subschema; queues it if it is new.
  NodeIndex node_for(SiteIndex site);
  NodeIndex node_for(const Json& schema) { return node_for(index_.site_of(schema)); }
  // The nodes that a keyword of `site` holds; none if the keyword is not there.
  NodeIndex child(SiteIndex site, KeywordId id);
  std::vector<NodeIndex> children(SiteIndex site, KeywordId id);
  Result<void> compile_queued();
  Result<void> compile_node(NodeIndex index, SiteIndex site);
  [[nodiscard]] Result<void> check_loops() const;

  // References and what applies in place, in compiler.cc.
  Result<void> compile_in_place(Node& node, SiteIndex site);
  Result<void> compile_references(InPlaceRules& rules, SiteIndex site);
  AnchorIndex anchor_for(std::string_view name);
  Result<void> compile_dynamic_anchors();
  void read_dynamic_anchors();
  void add_dynamic_anchor(const DynamicAnchor& anchor, AnchorIndex name);
  void compile_unevaluated(Node& node, SiteIndex site);

  // What looks at the value itself, in compile_rules.cc.
  void compile_types(Node& node, SiteIndex site);
  void compile_choices(Node& node, SiteIndex site);
  void compile_numbers(Node& node, SiteIndex site);
  void compile_strings(Node& node, SiteIndex site);

  // What looks into it, in compile_containers.cc.
  void compile_arrays(Node& node, SiteIndex site);
  void compile_items(ArrayRules& rules, SiteIndex site);
  void compile_objects(Node& node, SiteIndex site);
  void compile_properties(ObjectRules& rules, SiteIndex site);
  void compile_dependents(ObjectRules& rules, SiteIndex site);

  [[nodiscard]] bool has_any(SiteIndex site, std::initializer_list<KeywordId> ids) const;
  [[nodiscard]] std::uint64_t count(SiteIndex site, KeywordId id, std::uint64_t absent) const;

  SchemaIndex& index_;
  Program program_;
  PatternPool patterns_;
  std::map<SiteIndex, NodeIndex> nodes_by_site_;
  std::vector<SiteIndex> sites_by_node_;
  std::size_t compiled_ = 0;  // how many nodes of the queue, which is the table itself, are done
  // The names that some `$dynamicRef` asks for, the newest of them, and the anchors that have been
  // read but have other names.
  std::map<std::string_view, AnchorIndex> dynamic_names_;
  std::vector<std::string_view> new_names_;
  std::multimap<std::string_view, DynamicAnchor> waiting_anchors_;
  std::size_t anchors_read_ = 0;
};

}  // namespace goondan::schema
