// What the model is offered in a step before any middleware has its say.
#pragma once

#include <goondan/catalog.h>

#include "agent/conversation.h"

namespace goondan::agent {

// Value; built once for an agent. The catalogs it gives are shared, not built anew.
class StepCatalog {
 public:
  StepCatalog(ToolCatalog declared, const ToolCatalog& handle_tools);

  // The agent's own tools, and of the handle tools those that are of use: to read on in a result
  // that was cut, to wait for a handle that was opened.
  [[nodiscard]] const ToolCatalog& of(const Conversation& conversation) const;

 private:
  ToolCatalog plain_;
  ToolCatalog reading_;
  ToolCatalog waiting_;
  ToolCatalog both_;
};

}  // namespace goondan::agent
