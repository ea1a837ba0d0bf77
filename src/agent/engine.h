// What all turns of one agent instance share, and what one turn has come to.
#pragma once

#include <memory>
#include <optional>

#include "agent/call_recorder.h"
#include "agent/conversation.h"
#include "agent/step_catalog.h"
#include "agent/turn_runner.h"

namespace goondan::agent {

// Confined to the thread that runs the turns, but for `stops`.
struct Engine {
  explicit Engine(TurnParts given);

  // The conversation; read from the store if it is not here.
  Result<Conversation*> load_conversation();
  [[nodiscard]] bool has_layers() const;
  // Read it again next time: something went wrong, and the store is what counts.
  void forget_conversation() { conversation.reset(); }

  TurnParts parts;
  Reporter reporter;
  SpanLog spans;
  Stops stops;
  StepCatalog catalogs;
  std::shared_ptr<CallRecorder> recorder;
  ToolExecutor executor;
  std::optional<Conversation> conversation;
};

struct TurnProgress {
  store::TurnRecord record = {};
  TurnMessage input = {};
  Span span = {};
  std::size_t steps = 0;  // that have begun
  Usage usage = {};
};

// `<turn id>-step-<number>`, the `stepId` of an assistant's message.
std::string step_id(const TurnProgress& turn);
// The number in the `stepId` of a message of this turn; 0 if it is none.
std::size_t step_number(const Message& message, std::string_view turn_id);

// The sign that a step was left because the turn was cancelled or interrupted.
Error turn_stopped();

}  // namespace goondan::agent
