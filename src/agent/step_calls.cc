#include "agent/step_calls.h"

#include "agent/first_dialect.h"
#include "agent/large_results.h"
#include "agent/pairing.h"
#include "agent/stored_result.h"

namespace goondan::agent {
namespace {

using Known = std::vector<std::optional<ToolCallResult>>;

bool may_run_again(const ToolCatalog* catalog, const std::string& name) {
  const CatalogEntry* entry = catalog == nullptr ? nullptr : catalog->find(name);
  return entry != nullptr && entry->item().idempotent;
}

// What is on record of the calls. Nothing for a call that is still to be run: one that had not
// begun, or that may run again (as far as `catalog` says so).
Result<Known> known_results(Engine& engine, const std::string& turn_id,
                            const std::vector<ToolCall>& calls, const ToolCatalog* catalog) {
  const std::vector<store::CallRecord> records = GDN_TRY(engine.parts.store.calls(turn_id));
  Known known(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto record = std::ranges::find(records, calls[i].id, &store::CallRecord::call_id);
    if (record == records.end()) continue;
    if (record->state == store::CallState::Done) {
      known[i] = result_from_store(calls[i], record->result);
    }
    if (!known[i] && !may_run_again(catalog, calls[i].name)) known[i] = interrupted(calls[i]);
  }
  return known;
}

std::shared_ptr<const CallScope> scope_of(const Engine& engine, const TurnProgress& turn,
                                          const CallsToRun& work) {
  const TurnSettings& settings = engine.parts.settings;
  CallScope scope{.agent_name = settings.agent_name,
                  .instance_key = settings.instance_key,
                  .turn_id = turn.record.turn_id,
                  .trace_id = turn.record.trace_id,
                  .workdir = settings.workdir,
                  .message = work.message.to_json(),
                  .origin = turn.input.origin,
                  .auth = turn.input.auth};
  if (settings.dialects == CodeDialects::Both)
    scope.surroundings = surroundings_of_calls(engine, turn, work);
  return std::make_shared<const CallScope>(std::move(scope));
}

Result<void> run_rest(Engine& engine, const CallsToRun& work,
                      const std::shared_ptr<const CallScope>& scope, Known& known) {
  std::vector<ToolCall> rest;
  for (std::size_t i = 0; i < work.calls.size(); ++i) {
    if (!known[i]) rest.push_back(work.calls[i]);
  }
  if (rest.empty()) return {};
  const std::optional<std::stop_token> stop = engine.stops.begin_calls();
  if (!stop) return turn_stopped();
  std::vector<ToolCallResult> results =
      engine.executor.run_all(work.catalog, rest, {.scope = scope, .stop = *stop});
  engine.stops.end_calls();
  if (engine.recorder->failure()) return *engine.recorder->failure();
  auto next = results.begin();
  for (std::optional<ToolCallResult>& result : known) {
    if (!result) result = std::move(*next++);
  }
  return {};
}

// Whoever watches has heard that they began.
void tell_interrupted(Engine& engine, const std::vector<ToolCall>& calls, const Known& known) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (known[i] && known[i]->error && known[i]->error->code == ErrorCode::ToolInterrupted) {
      engine.recorder->tell_result(calls[i], *known[i], std::chrono::nanoseconds{0});
    }
  }
}

Result<std::vector<ToolCallResult>> keep(Engine& engine, const TurnProgress& turn,
                                         const CallsToRun& work, Known known) {
  std::vector<ToolCallResult> results;
  std::vector<Message> messages;
  for (std::size_t i = 0; i < known.size(); ++i) {
    engine.recorder->open_handle(work.calls[i], *known[i]);
    if (engine.recorder->handle_left()) return turn_stopped();
    messages.push_back(GDN_TRY(
        result_message(engine.parts.store, *known[i], engine.parts.settings.max_result_bytes)));
    results.push_back(*std::move(known[i]));
  }
  GDN_TRY(engine.conversation->add_results(turn.record.turn_id, std::move(messages)));
  return results;
}

}  // namespace

Result<std::vector<ToolCallResult>> run_calls(Engine& engine, const TurnProgress& turn,
                                              const Span& step, const CallsToRun& work) {
  Known known(work.calls.size());
  const auto scope = scope_of(engine, turn, work);
  engine.recorder->begin_step({.turn_id = turn.record.turn_id, .span = step, .scope = scope});
  if (work.start == StepStart::Calls) {
    known = GDN_TRY(known_results(engine, turn.record.turn_id, work.calls, &work.catalog));
    tell_interrupted(engine, work.calls, known);
  }
  GDN_TRY(run_rest(engine, work, scope, known));
  return keep(engine, turn, work, std::move(known));
}

Result<std::vector<Message>> closing_messages(Engine& engine, const std::string& turn_id) {
  std::vector<Message> messages;
  const OpenCalls open = open_calls(engine.conversation->messages());
  if (open.calls.empty() || step_number(*open.message, turn_id) == 0) return messages;
  Known known = GDN_TRY(known_results(engine, turn_id, open.calls, nullptr));
  for (std::size_t i = 0; i < known.size(); ++i) {
    ToolCallResult result = known[i] ? *std::move(known[i]) : not_run(open.calls[i]);
    messages.push_back(GDN_TRY(result_message(engine.parts.store, std::move(result),
                                              engine.parts.settings.max_result_bytes)));
  }
  return messages;
}

}  // namespace goondan::agent
