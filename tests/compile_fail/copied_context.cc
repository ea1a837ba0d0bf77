// A handler cannot keep its context beyond the call by copying it.
#include <goondan/tool_context.h>

goondan::ToolContext keep(goondan::ToolContext& context) {
  return context;
}
