// The calls of one model answer: run, or answered from what a crash left on record.
#pragma once

#include <vector>

#include "agent/engine.h"

namespace goondan::agent {

// Whether the model has just answered, or the step is taken up after its answer.
enum class StepStart { Model, Calls };

struct CallsToRun {
  const Message& message;  // the assistant's
  std::vector<ToolCall> calls;
  const ToolCatalog& catalog;
  StepStart start;
};

// Runs the calls concurrently and makes their results messages, in the order of the calls.
// `turn_stopped` if none of them may begin any more; errors of the store.
Result<std::vector<ToolCallResult>> run_calls(Engine& engine, const TurnProgress& turn,
                                              const Span& step, const CallsToRun& work);

// Messages for the calls that the last answer of this turn still waits for, from what is on record;
// none of them is run. For the end of a turn.
Result<std::vector<Message>> closing_messages(Engine& engine, const std::string& turn_id);

}  // namespace goondan::agent
