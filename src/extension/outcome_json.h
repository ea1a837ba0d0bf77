// What goes through middleware, as the JSON that crosses the border to code of a bundle and back;
// see `docs/extension-protocol.md`. Pure functions.
#pragma once

#include <goondan/catalog.h>
#include <goondan/tool.h>

#include "extension/contexts.h"

namespace goondan {

// The other direction of `ToolCallResult::to_json`. Fields that are missing are those of the call;
// `E_TOOL_BAD_REPLY` if it is no result.
Result<ToolCallResult> result_from_json(const ToolCall& call, const Json& value);

Json step_result_json(const StepResult& result);
// `inner` with what a layer may change of it: `shouldContinue`, and `status` with its `error`, in
// both directions. What has happened in the step stays.
StepResult changed_step_result(StepResult inner, const JsonObject& value);

Json turn_outcome_json(const TurnOutcome& outcome, const std::string& turn_id);
// `inner` with the `responseMessage` (a text or a message) or the `error` of `value`.
TurnOutcome changed_turn_outcome(TurnOutcome inner, const JsonObject& value);

// The items, each with its `registeredName`.
Json catalog_json(const ToolCatalog& catalog);
// The catalog that a layer made of `old`. Entries that are as they were are shared with it. Fails
// with `E_MIDDLEWARE` for what is no list of items, with `E_SCHEMA` for bad parameters.
Result<ToolCatalog> catalog_from_json(const ToolCatalog& old, const Json& value);

// What a layer wants to tell the model in this step. Fails with `E_MIDDLEWARE` for what is no list
// of objects.
Result<JsonArray> blocks_from_json(const Json& value);

// `{id, type, input, source, metadata, createdAt}`
Json input_event_json(const TurnMessage& message);

}  // namespace goondan
