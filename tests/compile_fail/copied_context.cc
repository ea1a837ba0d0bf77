// A handler cannot keep its context beyond the call by copying it.
#include <goondan/tool_context.h>

#ifdef WRONG
goondan::ToolContext keep(goondan::ToolContext& context) {
  return context;
}
#endif
