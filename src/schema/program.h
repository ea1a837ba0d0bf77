// A schema as it is checked: a table of nodes, one for each subschema, and beside it tables of the
// rules that some nodes have. Nodes name each other by index, so recursion costs nothing.
//
// Built once by `compile_program`, then never changed.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <goondan/json.h>

#include "schema/name_table.h"
#include "schema/number.h"
#include "schema/pattern.h"
#include "schema/types.h"

namespace goondan::schema {

using NodeIndex = std::uint32_t;
using ResourceIndex = std::uint32_t;
using AnchorIndex = std::uint32_t;

inline constexpr NodeIndex kAnything = 0;  // the schema `true`
inline constexpr NodeIndex kNothing = 1;   // the schema `false`
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// The values of an `enum`, or the one of a `const`.
struct Choices {
  std::vector<Json> values;
  NameTable texts;                    // those that are strings
  std::vector<std::uint32_t> others;  // indices of those that are not
};

struct NumberRules {
  std::optional<Number> minimum;
  std::optional<Number> exclusive_minimum;
  std::optional<Number> maximum;
  std::optional<Number> exclusive_maximum;
  std::optional<Divisor> multiple_of;
  // The numbers above as the schema writes them, for messages.
  struct Texts {
    std::string minimum;
    std::string exclusive_minimum;
    std::string maximum;
    std::string exclusive_maximum;
    std::string multiple_of;
  } texts;
};

struct StringRules {
  std::uint64_t min_length = 0;  // in code points
  std::uint64_t max_length = kUnlimited;
  std::uint32_t pattern = kNone;
};

struct ArrayRules {
  std::vector<NodeIndex> prefix = {};
  NodeIndex items = kNone;
  NodeIndex contains = kNone;
  std::uint64_t min_contains = 1;
  std::uint64_t max_contains = kUnlimited;
  std::uint64_t min_items = 0;
  std::uint64_t max_items = kUnlimited;
  bool unique = false;
};

struct PropertyRule {
  NodeIndex node = kNone;  // none if the name is only in `required`
  bool required = false;
};

struct PatternRule {
  std::uint32_t pattern = kNone;
  NodeIndex node = kNone;
};

struct DependentNames {
  std::string trigger;
  std::vector<std::string> names = {};
};

struct DependentSchema {
  std::string trigger;
  NodeIndex node = kNone;
};

struct ObjectRules {
  NameTable names;                       // of `properties`, in order, then the rest of `required`
  std::vector<PropertyRule> properties;  // one for each of `names`
  std::vector<std::uint32_t> required;   // indices into `names`, in the order of `required`
  std::vector<PatternRule> patterns;
  NodeIndex additional = kNone;
  NodeIndex property_names = kNone;
  std::uint64_t min_properties = 0;
  std::uint64_t max_properties = kUnlimited;
  std::vector<DependentNames> dependent_names;
  std::vector<DependentSchema> dependent_schemas;
};

// Subschemas that apply to the same value as the node itself.
struct InPlaceRules {
  NodeIndex ref = kNone;
  NodeIndex dynamic_ref = kNone;  // where `$dynamicRef` leads if no outer resource knows better
  AnchorIndex dynamic_anchor = kNone;
  std::vector<NodeIndex> all_of;
  std::vector<NodeIndex> any_of;
  std::vector<NodeIndex> one_of;
  NodeIndex negated = kNone;
  NodeIndex condition = kNone;
  NodeIndex then_node = kNone;
  NodeIndex else_node = kNone;
};

struct UnevaluatedRules {
  NodeIndex properties = kNone;
  NodeIndex items = kNone;
};

// Each index is that of the node's rules in the program's table, `kNone` if it has none.
struct Node {
  TypeSet types = kAnyType;
  bool only_types = true;  // nothing below is set
  ResourceIndex resource = 0;
  std::uint32_t type_text = kNone;
  std::uint32_t choices = kNone;
  std::uint32_t constant = kNone;
  std::uint32_t numbers = kNone;
  std::uint32_t strings = kNone;
  std::uint32_t arrays = kNone;
  std::uint32_t objects = kNone;
  std::uint32_t in_place = kNone;
  std::uint32_t unevaluated = kNone;
};

struct Program {
  std::vector<Node> nodes;
  std::vector<std::string> type_texts;  // `string|number`
  std::vector<Choices> choices;
  std::vector<NumberRules> numbers;
  std::vector<StringRules> strings;
  std::vector<ArrayRules> arrays;
  std::vector<ObjectRules> objects;
  std::vector<InPlaceRules> in_place;
  std::vector<UnevaluatedRules> unevaluated;
  std::vector<Pattern> patterns;
  // For each resource, the nodes of the dynamic anchors that some `$dynamicRef` asks for, sorted.
  std::vector<std::vector<std::pair<AnchorIndex, NodeIndex>>> dynamic_anchors;
  NodeIndex root = kAnything;
  std::uint32_t max_frames = 0;  // how many nodes may be open at a time while checking
};

}  // namespace goondan::schema
