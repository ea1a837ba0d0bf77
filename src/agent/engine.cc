#include "agent/engine.h"

#include <charconv>

#include "base/json_fields.h"

namespace goondan::agent {
namespace {

ExecutorOptions with_observer(ExecutorOptions options, std::shared_ptr<CallObserver> observer) {
  options.observers.push_back(std::move(observer));
  return options;
}

std::string step_prefix(std::string_view turn_id) {
  return std::string(turn_id) + "-step-";
}

}  // namespace

Engine::Engine(TurnParts given)
    : parts(std::move(given)),
      reporter(parts.sink, parts.executor.redactor.get()),
      spans(parts.store, parts.executor.redactor.get()),
      catalogs(parts.declared, parts.handle_tools, parts.registry),
      recorder(
          std::make_shared<CallRecorder>(CallRecorder::Parts{.store = parts.store,
                                                             .reporter = reporter,
                                                             .spans = spans,
                                                             .stops = stops,
                                                             .runtime = parts.executor.runtime})),
      executor(parts.registry, with_observer(parts.executor, recorder)) {}

Result<Conversation*> Engine::load_conversation() {
  if (conversation) return &*conversation;
  conversation = GDN_TRY(
      Conversation::load(parts.store, [this](std::string_view change, const std::string& id) {
        parts.sink.observe({{"type", "message.missing"}, {"change", change}, {"id", id}});
      }));
  return &*conversation;
}

bool Engine::has_layers() const {
  const bool turn = parts.turn_pipeline != nullptr && !parts.turn_pipeline->empty();
  return turn || (parts.step_pipeline != nullptr && !parts.step_pipeline->empty());
}

std::string step_id(const TurnProgress& turn) {
  return step_prefix(turn.record.turn_id) + std::to_string(turn.steps);
}

std::size_t step_number(const Message& message, std::string_view turn_id) {
  const std::string id = text_field(object_or_empty(message.source), "stepId");
  const std::string prefix = step_prefix(turn_id);
  std::size_t number = 0;
  if (message.role() != Role::Assistant || !id.starts_with(prefix)) return 0;
  std::from_chars(id.data() + prefix.size(), id.data() + id.size(), number);
  return number;
}

Error turn_stopped() {
  return {.code = ErrorCode::TurnCancelled,
          .message = "the turn was cancelled",
          .suggestion = "What it did so far is kept; send another message to go on."};
}

}  // namespace goondan::agent
