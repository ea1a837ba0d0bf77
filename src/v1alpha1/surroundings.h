// What code of the first dialect is told of the turn and the step it runs in. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <goondan/catalog.h>
#include <goondan/json.h>

#include "model/message.h"

namespace goondan::v1alpha1 {

// Borrowed for the length of the call.
struct SurroundingsInput {
  std::string_view agent_name;
  std::string_view instance_id;  // the same as `PlaceInput::instance_id`
  std::string_view turn_id;
  const Json& origin;  // null: not known
  const Json& auth;    // null: not known
  const JsonObject& metadata;
  std::span<const Message> messages;  // of the turn; see `messages_of_turn`
  std::string_view step_id;
  std::size_t step_index;
  const Message* answer = nullptr;       // of the model in this step; null: not asked yet
  std::span<const ToolCall> calls = {};  // in that answer
  const ToolCatalog& catalog;
};

// `{turn, step, toolCatalog}`. `turn.toolResults` is an object by the calls' ids, which the script
// host makes a map of. Items of the catalog have `tool` and `export`, null for dynamic tools.
Json make_surroundings(const SurroundingsInput& input);

// `{role, content}`, `{role, content?, toolCalls?}` or `{role, toolCallId, toolName, output}`.
Json llm_message(const Message& message);

// The end of the conversation that belongs to this turn: its answers and results, and what was said
// right before the first of them. What a turn without an answer said before counts with it.
std::span<const Message> messages_of_turn(std::span<const Message> conversation,
                                          std::string_view turn_id);

}  // namespace goondan::v1alpha1
