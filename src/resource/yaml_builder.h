// Builds the tree of one document from the parser's events, and refuses what a bundle may not do:
// too deep, too large when aliases are replaced, the same key twice, keys that are no text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resource/diagnostics.h"
#include "resource/yaml_node.h"
#include "resource/yaml_parse.h"

namespace goondan::yaml {

// What aliases may still add to a file.
struct AliasBudget {
  std::size_t nodes = kMaxAliasNodes;
  std::size_t bytes = kMaxAliasBytes;
};

// The bytes of an event, and what may stand before a value.
struct EventSource {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view anchor = {};
  std::string_view tag = {};
};

enum class Quoting { Plain, Quoted };

// Lives for one document. Borrows everything it is given.
class TreeBuilder {
 public:
  struct Parts {
    const SourceText& source;
    std::size_t document_index;
    Tree& tree;
    NodeBudget& nodes;
    AliasBudget& aliases;
    Diagnostics& diagnostics;
  };

  enum class Next { Continue, Stop };  // Stop: reported, and nothing more can be made of it

  explicit TreeBuilder(Parts parts) : parts_(parts) {}

  Next scalar(const EventSource& event, std::string_view text, Quoting quoting);
  Next begin(const EventSource& event, NodeKind kind);
  Next end(std::size_t offset);
  Next alias(const EventSource& event, std::string_view name);

  // Null until the first value came.
  [[nodiscard]] const Node* root() const { return root_; }

 private:
  Next stop(std::size_t offset, ErrorCode code, std::string message, std::string suggestion);
  void report(std::size_t offset, ErrorCode code, std::string message, std::string suggestion);
  Node* make(const EventSource& event, NodeKind kind);
  Next attach(const Node& node, std::size_t offset);
  [[nodiscard]] bool expects_key() const;
  Next check_key(const Node& node, std::size_t offset);
  void check_tag(const EventSource& event, Node& node);
  void check_duplicate_keys(const Node& mapping);
  void report_duplicate(const Node& first, const Node& second);

  Parts parts_;
  const Node* root_ = nullptr;
  std::vector<Node*> open_;
  std::map<std::string, const Node*, std::less<>> anchors_;
};

}  // namespace goondan::yaml
