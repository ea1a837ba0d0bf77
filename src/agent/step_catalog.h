// What the model is offered in a step before any middleware has its say.
#pragma once

#include <goondan/catalog.h>
#include <goondan/registry.h>

#include "agent/conversation.h"

namespace goondan::agent {

// Confined to the thread that runs the turns. The catalogs it gives are shared and built anew only
// after the registry has changed. Borrows the registry.
class StepCatalog {
 public:
  StepCatalog(ToolCatalog declared, ToolCatalog handle_tools, const ToolRegistry& registry);

  // The agent's own tools, what extensions and servers have registered by now, and of the handle
  // tools those that are of use: to read on in a result that was cut, to wait for a handle that was
  // opened.
  [[nodiscard]] const ToolCatalog& of(const Conversation& conversation);

 private:
  void build();

  ToolCatalog declared_;
  ToolCatalog handle_tools_;
  const ToolRegistry& registry_;
  std::uint64_t revision_ = 0;
  ToolCatalog plain_;
  ToolCatalog reading_;
  ToolCatalog waiting_;
  ToolCatalog both_;
};

}  // namespace goondan::agent
