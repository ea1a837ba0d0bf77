#include "agent/call_ids.h"

#include <unordered_set>

#include "base/ids.h"

namespace goondan::agent {
namespace {

constexpr std::size_t kMaxIdBytes = 256;

}  // namespace

void make_ids_unique(std::vector<ToolCall>& calls, const Conversation& conversation) {
  std::unordered_set<std::string> seen;
  for (ToolCall& call : calls) {
    const bool usable = !call.id.empty() && call.id.size() <= kMaxIdBytes &&
                        !conversation.knows_call(call.id) && !seen.contains(call.id);
    if (!usable) call.id = make_id("call_");
    seen.insert(call.id);
  }
}

}  // namespace goondan::agent
