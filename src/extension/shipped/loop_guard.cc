// loop-guard: a model that makes the same call again and again is told so, then stopped.
#include "extension/shipped/call_history.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/name_patterns.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kDefaultWarnAt = 3;
constexpr std::size_t kDefaultStopAt = 5;
constexpr std::size_t kDefaultEndTurnAfter = 3;
constexpr std::string_view kWaitTool = "handles__wait";  // asks again until something has happened

// Layers of one step run at once; only the history changes.
struct LoopGuard {
  LoopGuard(std::size_t warn, std::size_t stop, std::size_t end, NamePatterns exempt_names)
      : warn_at(warn), end_turn_after(end), exempt(std::move(exempt_names)), history(stop) {}

  const std::size_t warn_at;
  const std::size_t end_turn_after;  // 0: never
  const NamePatterns exempt;
  CallHistory history;

  [[nodiscard]] bool watches(const std::string& tool) const {
    return tool != kWaitTool && !exempt.match(tool);
  }
};

Error loop_error(const std::string& tool) {
  return {.code = ErrorCode::LoopDetected,
          .message = "Tool '" + tool +
                     "' was not run: it has been called with these same arguments several times "
                     "in this turn and gave the same result each time.",
          .suggestion =
              "Use the result you have. If it does not help, change the arguments, take another "
              "tool, or end the turn and say what is missing."};
}

std::string note_text(const std::string& tool, std::size_t times) {
  return "[loop-guard] This is call " + std::to_string(times) + " of " + tool +
         " with the same arguments and the same result. Repeating it will not change anything: "
         "use this result, or do something else.";
}

// Says `note` where the model will read it.
void add_note(ToolCallResult& result, const std::string& note) {
  if (result.error) {
    result.error->suggestion += (result.error->suggestion.empty() ? "" : " ") + note;
    return;
  }
  Json output = result.output.value_or(nullptr);
  if (output.is_string()) {
    result.output = JsonString(std::string(output.get_string()) + "\n\n" + note);
  } else if (output.is_object()) {
    output.get_object()["loopGuard"] = note;
    result.output = std::move(output);
  } else {
    result.output = JsonObject{{"result", std::move(output)}, {"loopGuard", note}};
  }
}

ToolCallResult guard_call(LoopGuard& guard, ToolCallContext& context,
                          ToolCallPipeline::Next& next) {
  const std::string& tool = context.call.name;
  if (!guard.watches(tool)) return next();
  const std::string turn_id = context.tool.turn_id();
  const std::uint64_t call = call_key(tool, context.args);
  if (!guard.history.may_run(turn_id, call)) {
    return next.instead(ToolCallResult::failure(context.call, loop_error(tool)));
  }
  ToolCallResult result = next();
  if (result.status == CallStatus::Pending) return result;
  const std::size_t times = guard.history.note(turn_id, call, outcome_key(result));
  if (times >= guard.warn_at) add_note(result, note_text(tool, times));
  return result;
}

// Calls that are not in the catalog, or whose arguments do not fit, never come to `guard_call`.
bool never_ran(const ToolCallResult& result) {
  if (!result.error) return false;
  const ErrorCode code = result.error->code;
  return code == ErrorCode::ToolNotInCatalog || code == ErrorCode::ToolInvalidArgs ||
         code == ErrorCode::ToolNotFound;
}

void note_refused(LoopGuard& guard, const std::string& turn_id, const StepResult& step) {
  const std::size_t count = std::min(step.calls.size(), step.results.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!never_ran(step.results[i]) || !guard.watches(step.calls[i].name)) continue;
    const std::uint64_t call = call_key(step.calls[i].name, step.calls[i].input);
    guard.history.note(turn_id, call, outcome_key(step.results[i]));
    // Counts what the model was told and did not heed.
    static_cast<void>(guard.history.may_run(turn_id, call));
  }
}

StepResult guard_step(LoopGuard& guard, StepContext& context, StepPipeline::Next& next) {
  StepResult result = next();
  note_refused(guard, context.turn_id, result);
  const std::size_t refusals = guard.history.refusals(context.turn_id);
  if (guard.end_turn_after == 0 || refusals < guard.end_turn_after) return result;
  if (result.status == StepResult::Status::Failed || !result.should_continue) return result;
  result.status = StepResult::Status::Failed;
  result.error = Error{.code = ErrorCode::LoopDetected,
                       .message = "the turn was ended: the model went on to repeat calls after " +
                                  std::to_string(refusals) + " of them had been refused",
                       .suggestion = "Ask in other words, or give the agent the tool it needs."};
  return result;
}

}  // namespace

Result<void> register_loop_guard(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  const std::size_t warn_at = reader.size("warnAt", kDefaultWarnAt, {2, 1000});
  const std::size_t stop_at = reader.size("stopAt", kDefaultStopAt, {2, 1000});
  const std::size_t end_after = reader.size("endTurnAfter", kDefaultEndTurnAfter, {0, 1000});
  NamePatterns exempt(reader.texts("exclude"));
  GDN_TRY(reader.finish());
  const auto guard = std::make_shared<LoopGuard>(warn_at, stop_at, end_after, std::move(exempt));
  site.layers.step.add(site.name, [guard](StepContext& context, StepPipeline::Next& next) {
    return guard_step(*guard, context, next);
  });
  site.layers.tool_call.add(site.name,
                            [guard](ToolCallContext& context, ToolCallPipeline::Next& next) {
                              return guard_call(*guard, context, next);
                            });
  return {};
}

}  // namespace goondan::shipped
