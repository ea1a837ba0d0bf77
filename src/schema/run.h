// The state of one check: what it may still do, how deep it is, and which schema resources it went
// through on its way, which is what `$dynamicRef` asks for.
#pragma once

#include <cstdint>

#include "schema/budget.h"
#include "schema/program.h"

namespace goondan::schema {

// One entry of the dynamic scope; they live on the stack, innermost first.
struct Scope {
  const Scope* outer = nullptr;
  ResourceIndex resource = 0;
};

// Confined to one thread; borrows the program.
struct Run {
  explicit Run(const Program& checked) : program(checked), budget(kCheckBudget) {}

  const Program& program;
  Budget budget;
  const Scope* scope = nullptr;
  std::uint32_t frames = 0;
};

// A node that is being checked. Enters its resource; pays for it; limits how many are open.
class Frame {
 public:
  Frame(Run& run, const Node& node)
      : run_(run), scope_{.outer = run.scope, .resource = node.resource} {
    ++run_.frames;
    if (scope_.outer == nullptr || scope_.outer->resource != node.resource) run_.scope = &scope_;
    if (run_.frames > run_.program.max_frames) run_.budget.exhaust();
    open_ = run_.budget.charge(1);
  }

  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  ~Frame() {
    --run_.frames;
    run_.scope = scope_.outer;
  }

  // False if the node must not be checked.
  [[nodiscard]] bool open() const { return open_; }

 private:
  Run& run_;
  Scope scope_;
  bool open_;
};

// Where the `$dynamicRef` of `rules` leads in the present scope: to the outermost resource that
// has the anchor. Pays for looking.
NodeIndex dynamic_target(Run& run, const InPlaceRules& rules);

}  // namespace goondan::schema
