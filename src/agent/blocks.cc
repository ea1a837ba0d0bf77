#include "agent/blocks.h"

namespace goondan::agent {

std::string prompt_with_blocks(const std::string& prompt, const JsonArray& blocks,
                               const Redactor* redactor) {
  std::string text;
  std::size_t left_out = 0;
  for (const Json& block : blocks) {
    const std::string line = to_text(block);
    if (text.size() + line.size() > kMaxBlockBytes) {
      ++left_out;
      continue;
    }
    text += line + "\n";
  }
  if (left_out > 0) text += "(" + std::to_string(left_out) + " more, left out for their size)\n";
  if (text.empty()) return prompt;
  if (redactor != nullptr) text = redactor->redact(text);
  return prompt + (prompt.empty() ? "" : "\n\n") +
         "What the runtime knows beyond the conversation, one JSON object a line:\n" + text;
}

}  // namespace goondan::agent
