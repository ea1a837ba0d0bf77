// The ids of calls as models send them may be empty or repeat; as they are kept, they never do.
#pragma once

#include <vector>

#include <goondan/tool.h>

#include "agent/conversation.h"

namespace goondan::agent {

// Gives a new id to each call that has none, a very long one, or one that a call before it had.
void make_ids_unique(std::vector<ToolCall>& calls, const Conversation& conversation);

}  // namespace goondan::agent
