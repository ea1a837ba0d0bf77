#include "schema/loops.h"

namespace goondan::schema {
namespace {

// The nodes that `node` applies to the value it is itself applied to.
std::vector<NodeIndex> in_place_nodes(const Program& program, const Node& node) {
  std::vector<NodeIndex> nodes;
  const auto add = [&nodes](NodeIndex index) {
    if (index != kNone) nodes.push_back(index);
  };
  if (node.in_place != kNone) {
    const InPlaceRules& rules = program.in_place[node.in_place];
    add(rules.ref);
    for (const auto* list : {&rules.all_of, &rules.any_of, &rules.one_of}) {
      for (const NodeIndex index : *list)
        add(index);
    }
    for (const NodeIndex index :
         {rules.negated, rules.condition, rules.then_node, rules.else_node}) {
      add(index);
    }
    if (rules.dynamic_anchor == kNone) add(rules.dynamic_ref);
  }
  if (node.objects != kNone) {
    for (const auto& dependent : program.objects[node.objects].dependent_schemas) {
      add(dependent.node);
    }
  }
  return nodes;
}

// A depth-first search that keeps its own stack.
class LoopSearch {
 public:
  explicit LoopSearch(const Program& program)
      : program_(program), states_(program.nodes.size(), State::New) {}

  NodeIndex run() {
    for (NodeIndex node = 0; node < program_.nodes.size(); ++node) {
      if (states_[node] != State::New) continue;
      open(node);
      while (!open_.empty()) {
        const NodeIndex loop = step();
        if (loop != kNone) return loop;
      }
    }
    return kNone;
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  struct Frame {
    NodeIndex node;
    std::vector<NodeIndex> left;
  };

  void open(NodeIndex node) {
    states_[node] = State::Open;
    open_.push_back({node, in_place_nodes(program_, program_.nodes[node])});
  }

  NodeIndex step() {
    Frame& frame = open_.back();
    if (frame.left.empty()) {
      states_[frame.node] = State::Done;
      open_.pop_back();
      return kNone;
    }
    const NodeIndex next = frame.left.back();
    frame.left.pop_back();
    if (states_[next] == State::Open) return next;
    if (states_[next] == State::New) open(next);
    return kNone;
  }

  const Program& program_;
  std::vector<State> states_;
  std::vector<Frame> open_;
};

}  // namespace

NodeIndex find_loop(const Program& program) {
  return LoopSearch(program).run();
}

}  // namespace goondan::schema
