// Blocks: what a step tells the model beyond its conversation, such as links that a person has not
// opened yet.
#pragma once

#include <cstddef>
#include <string>

#include <goondan/json.h>

#include "base/redactor.h"

namespace goondan::agent {

// Of all blocks of a step together, as JSON.
inline constexpr std::size_t kMaxBlockBytes = std::size_t{64} << 10;

// The system prompt with the blocks behind it, secrets masked. Blocks that do not fit are left out,
// and the text says so.
std::string prompt_with_blocks(const std::string& prompt, const JsonArray& blocks,
                               const Redactor* redactor);

}  // namespace goondan::agent
