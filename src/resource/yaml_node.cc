#include "resource/yaml_node.h"

namespace goondan::yaml {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t index_of(const Node& node, std::string_view key) {
  if (node.kind != NodeKind::Mapping) return kNone;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    if (node.children[i]->text == key) return i;
  }
  return kNone;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const std::size_t index = index_of(*this, key);
  return index == kNone ? nullptr : children[index + 1];
}

const Node* Node::find_key(std::string_view key) const {
  const std::size_t index = index_of(*this, key);
  return index == kNone ? nullptr : children[index];
}

Json Node::to_json() const {
  switch (kind) {
    case NodeKind::Scalar:
      return scalar_value(type, text);
    case NodeKind::Sequence: {
      JsonArray array;
      array.reserve(children.size());
      for (const Node* child : children)
        array.push_back(child->to_json());
      return array;
    }
    case NodeKind::Mapping: {
      JsonObject object;
      object.reserve(children.size() / 2);
      for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
        object.emplace(children[i]->text, children[i + 1]->to_json());
      }
      return object;
    }
  }
  return nullptr;
}

std::string_view describe(const Node& node) {
  if (node.kind == NodeKind::Sequence) return "a list";
  if (node.kind == NodeKind::Mapping) return "a mapping";
  switch (node.type) {
    case ScalarType::Null:
      return "nothing";
    case ScalarType::Bool:
      return "true or false";
    case ScalarType::Int:
    case ScalarType::Float:
      return "a number";
    case ScalarType::String:
      return "text";
  }
  return "nothing";
}

}  // namespace goondan::yaml
