// YAML as a tree of ours: what was written, of which type, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "resource/scalar.h"

namespace goondan::yaml {

enum class NodeKind : std::uint8_t { Scalar, Sequence, Mapping };

// One value. An alias is the node it stands for, so a tree may share branches, but never holds
// itself: whoever walks it ends. Owned by a `Tree`; borrowed by everyone else.
struct Node {
  NodeKind kind = NodeKind::Scalar;
  ScalarType type = ScalarType::Null;  // of a scalar
  bool plain = true;                   // a scalar written without quotes
  std::uint8_t height = 0;             // levels of lists and mappings below and including this
  std::uint32_t begin = 0;             // byte offsets into the text
  std::uint32_t end = 0;
  std::uint32_t expanded_nodes = 1;  // of the whole branch, aliases replaced
  std::uint32_t expanded_bytes = 0;
  std::string text = {};                   // of a scalar, escapes resolved
  std::vector<const Node*> children = {};  // of a mapping: key, value, key, value, ...

  [[nodiscard]] bool is_null() const {
    return kind == NodeKind::Scalar && type == ScalarType::Null;
  }
  [[nodiscard]] bool is_text() const {
    return kind == NodeKind::Scalar && type == ScalarType::String;
  }

  // The value under `key`, or null if this is no mapping or has no such key.
  [[nodiscard]] const Node* find(std::string_view key) const;
  // The key itself, for its position.
  [[nodiscard]] const Node* find_key(std::string_view key) const;

  [[nodiscard]] Json to_json() const;
};

// Owns the nodes of one file; addresses stay valid while it lives, also when it is moved.
class Tree {
 public:
  Node& add() {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique<Node[]>(kChunk));
    return chunks_.back()[size_++ % kChunk];
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kChunk = 64;

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::size_t size_ = 0;
};

// `a list`, `a mapping`, `text`, `a number`, `true or false`, `nothing`: for messages.
std::string_view describe(const Node& node);

}  // namespace goondan::yaml
