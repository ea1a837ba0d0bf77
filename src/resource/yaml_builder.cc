#include "resource/yaml_builder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace goondan::yaml {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";
// Mappings up to this many pairs are searched, not hashed.
constexpr std::size_t kSmallMapping = 16;

std::optional<ScalarType> tagged_type(std::string_view tag, std::string_view text) {
  const ScalarType plain = plain_scalar_type(text);
  if (tag == "!" || tag == "tag:yaml.org,2002:str") return ScalarType::String;
  if (tag == "tag:yaml.org,2002:float" && plain == ScalarType::Int) return ScalarType::Float;
  const bool fits = (tag == "tag:yaml.org,2002:null" && plain == ScalarType::Null) ||
                    (tag == "tag:yaml.org,2002:bool" && plain == ScalarType::Bool) ||
                    (tag == "tag:yaml.org,2002:int" && plain == ScalarType::Int) ||
                    (tag == "tag:yaml.org,2002:float" && plain == ScalarType::Float);
  if (fits) return plain;
  return std::nullopt;
}

std::string shown_tag(std::string_view tag) {
  if (tag.starts_with(kCoreTag))
    return in_backticks("!!" + std::string(tag.substr(kCoreTag.size())));
  return in_backticks(tag);
}

std::uint32_t saturated_sum(std::uint32_t a, std::uint32_t b) {
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

}  // namespace

TreeBuilder::Next TreeBuilder::stop(std::size_t offset, ErrorCode code, std::string message,
                                    std::string suggestion) {
  report(offset, code, std::move(message), std::move(suggestion));
  return Next::Stop;
}

void TreeBuilder::report(std::size_t offset, ErrorCode code, std::string message,
                         std::string suggestion) {
  parts_.diagnostics.error(
      {.source = parts_.source, .document_index = parts_.document_index, .offset = offset}, code,
      std::move(message), std::move(suggestion));
}

Node* TreeBuilder::make(const EventSource& event, NodeKind kind) {
  if (parts_.nodes.nodes == 0) {
    report(event.begin, ErrorCode::ConfigFileTooLarge,
           "the bundle has more than " + std::to_string(kMaxNodes) + " keys and values",
           "Split it into several bundles.");
    return nullptr;
  }
  --parts_.nodes.nodes;
  Node& node = parts_.tree.add();
  node.kind = kind;
  node.begin = static_cast<std::uint32_t>(event.begin);
  node.end = static_cast<std::uint32_t>(event.end);
  if (!event.anchor.empty()) anchors_.insert_or_assign(std::string(event.anchor), &node);
  return &node;
}

TreeBuilder::Next TreeBuilder::attach(const Node& node, std::size_t offset) {
  if (open_.empty()) {
    root_ = &node;
    return Next::Continue;
  }
  if (expects_key() && check_key(node, offset) == Next::Stop) return Next::Stop;
  open_.back()->children.push_back(&node);
  return Next::Continue;
}

bool TreeBuilder::expects_key() const {
  return !open_.empty() && open_.back()->kind == NodeKind::Mapping &&
         open_.back()->children.size() % 2 == 0;
}

TreeBuilder::Next TreeBuilder::check_key(const Node& node, std::size_t offset) {
  if (node.kind != NodeKind::Scalar) {
    return stop(offset, ErrorCode::ConfigParse,
                "a key must be text, not " + std::string(describe(node)),
                "Text that begins with `{`, `[` or `*` needs quotes.");
  }
  if (node.plain && node.text == "<<") {
    report(offset, ErrorCode::ConfigParse,
           "merge keys (`<<`) are not part of YAML 1.2 and not supported",
           "Write the fields out, or give the whole value an alias.");
  }
  return Next::Continue;
}

void TreeBuilder::check_tag(const EventSource& event, Node& node) {
  if (event.tag.empty()) return;
  if (node.kind == NodeKind::Scalar) {
    const std::optional<ScalarType> type = tagged_type(event.tag, node.text);
    node.type = type.value_or(ScalarType::String);
    if (type) return;
  } else {
    const std::string_view wanted = node.kind == NodeKind::Mapping ? "map" : "seq";
    if (event.tag == "!" || event.tag == std::string(kCoreTag) + std::string(wanted)) return;
  }
  report(event.begin, ErrorCode::ConfigParse,
         "the tag " + shown_tag(event.tag) + " is not supported for " + std::string(describe(node)),
         "Remove the tag.");
}

TreeBuilder::Next TreeBuilder::scalar(const EventSource& event, std::string_view text,
                                      Quoting quoting) {
  Node* node = make(event, NodeKind::Scalar);
  if (node == nullptr) return Next::Stop;
  node->text = text;
  node->expanded_bytes = static_cast<std::uint32_t>(text.size());
  node->plain = quoting == Quoting::Plain;
  node->type = node->plain ? plain_scalar_type(text) : ScalarType::String;
  check_tag(event, *node);
  if (beyond_json(node->type, node->text)) {
    report(event.begin, ErrorCode::ConfigParse,
           "the number " + in_backticks(text) + " is beyond what JSON can say",
           "Use a smaller number, or quotes if text is meant.");
  }
  return attach(*node, event.begin);
}

TreeBuilder::Next TreeBuilder::begin(const EventSource& event, NodeKind kind) {
  if (open_.size() >= kMaxDepth) {
    return stop(event.begin, ErrorCode::ConfigTooDeep,
                "lists and mappings stand inside each other more than " +
                    std::to_string(kMaxDepth) + " deep",
                "Flatten the structure.");
  }
  Node* node = make(event, kind);
  if (node == nullptr) return Next::Stop;
  node->height = 1;
  check_tag(event, *node);
  if (attach(*node, event.begin) == Next::Stop) return Next::Stop;
  open_.push_back(node);
  return Next::Continue;
}

TreeBuilder::Next TreeBuilder::end(std::size_t offset) {
  Node& node = *open_.back();
  open_.pop_back();
  node.end = static_cast<std::uint32_t>(offset);
  for (const Node* child : node.children) {
    node.height = std::max<std::uint8_t>(node.height, child->height + 1);
    node.expanded_nodes = saturated_sum(node.expanded_nodes, child->expanded_nodes);
    node.expanded_bytes = saturated_sum(node.expanded_bytes, child->expanded_bytes);
  }
  if (node.kind == NodeKind::Mapping) check_duplicate_keys(node);
  return Next::Continue;
}

TreeBuilder::Next TreeBuilder::alias(const EventSource& event, std::string_view name) {
  if (expects_key()) {
    return stop(event.begin, ErrorCode::ConfigParse, "a key must be text, not an alias",
                "Text that begins with `{`, `[` or `*` needs quotes.");
  }
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    return stop(event.begin, ErrorCode::ConfigParse,
                "the alias " + in_backticks("*" + std::string(name)) + " has no anchor before it",
                "Text that begins with `*` needs quotes.");
  }
  const Node& target = *found->second;
  if (std::ranges::find(open_, &target) != open_.end()) {
    return stop(
        event.begin, ErrorCode::ConfigAliasLimit,
        "the alias " + in_backticks("*" + std::string(name)) + " stands inside what it repeats",
        "Write the value out.");
  }
  if (open_.size() + target.height > kMaxDepth) {
    return stop(event.begin, ErrorCode::ConfigTooDeep,
                "with its aliases replaced the document is more than " + std::to_string(kMaxDepth) +
                    " levels deep",
                "Flatten the structure.");
  }
  AliasBudget& budget = parts_.aliases;
  if (target.expanded_nodes > budget.nodes || target.expanded_bytes > budget.bytes) {
    return stop(event.begin, ErrorCode::ConfigAliasLimit,
                "aliases make the file too large: they may add " + std::to_string(kMaxAliasNodes) +
                    " values and " + std::to_string(kMaxAliasBytes) + " bytes",
                "Use fewer aliases.");
  }
  budget.nodes -= target.expanded_nodes;
  budget.bytes -= target.expanded_bytes;
  return attach(target, event.begin);
}

void TreeBuilder::check_duplicate_keys(const Node& mapping) {
  const std::size_t pairs = mapping.children.size() / 2;
  if (pairs <= kSmallMapping) {
    for (std::size_t i = 1; i < pairs; ++i) {
      const Node& key = *mapping.children[2 * i];
      const Node& first = *mapping.find_key(key.text);
      if (&first != &key) report_duplicate(first, key);
    }
    return;
  }
  std::unordered_map<std::string_view, const Node*> seen;
  for (std::size_t i = 0; i < pairs; ++i) {
    const Node& key = *mapping.children[2 * i];
    const auto [position, added] = seen.emplace(key.text, &key);
    if (!added) report_duplicate(*position->second, key);
  }
}

void TreeBuilder::report_duplicate(const Node& first, const Node& second) {
  if (parts_.diagnostics.full(Severity::Error)) return parts_.diagnostics.count(Severity::Error);
  const auto [line, column] = parts_.source.locate(first.begin);
  report(second.begin, ErrorCode::ConfigDuplicateKey,
         "the key " + in_backticks(second.text) + " is already given at line " +
             std::to_string(line) + ", column " + std::to_string(column),
         "Remove one of the two.");
}

}  // namespace goondan::yaml
