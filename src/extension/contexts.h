// The middleware around turns and steps. Around calls it is `ToolCallPipeline` of the executor.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <goondan/catalog.h>
#include <goondan/pipeline.h>
#include <goondan/tool.h>

#include "extension/turn_message.h"
#include "model/message.h"

namespace goondan {

// The conversation as a middleware sees and changes it. Changes are message events: on disk at
// once, folded at the end of the turn.
class ConversationView {
 public:
  virtual ~ConversationView() = default;
  [[nodiscard]] virtual const std::vector<Message>& messages() const = 0;
  virtual Result<void> append(Message message) = 0;
  // A target that is not there changes nothing and is logged.
  virtual Result<void> replace(const std::string& id, Message message) = 0;
  virtual Result<void> remove(const std::string& id) = 0;
  virtual Result<void> truncate() = 0;
};

// Borrowed for the run of the layer.
struct TurnContext {
  const TurnMessage& input;
  const std::string& turn_id;
  const std::string& trace_id;
  ConversationView& conversation;
  std::stop_token stop = {};  // requested when the turn is cancelled or interrupted
  JsonObject metadata = {};   // shared by all layers of the turn
};

struct StepContext {
  const TurnMessage& input;  // of the turn
  const std::string& turn_id;
  const std::string& trace_id;
  std::size_t step_index;  // from 1
  ConversationView& conversation;
  ToolCatalog catalog;  // what the model will be shown, and what it may call
  std::stop_token stop = {};
  JsonObject metadata = {};
  // What the model is told in this step beyond the conversation, e.g. `{type: "auth.pending",
  // ...}`. Never stored.
  JsonArray blocks = {};
};

struct StepResult {
  enum class Status { Completed, Failed } status = Status::Completed;
  bool should_continue = false;  // there were calls: another step follows
  std::vector<ToolCall> calls = {};
  std::vector<ToolCallResult> results = {};
  std::optional<Error> error = {};
};

using TurnPipeline = Pipeline<TurnContext, TurnOutcome>;
using StepPipeline = Pipeline<StepContext, StepResult>;

}  // namespace goondan
