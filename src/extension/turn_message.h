// What starts a turn, and what comes of it, as they travel between processes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

// A *turn message* of `docs/protocol.md`.
struct TurnMessage {
  std::string id = {};
  std::string input = {};
  std::string event_type = {};
  Json source = nullptr;  // {kind: user | agent | system, name, instanceKey?}
  JsonObject metadata = {};
  std::string trace_id = {};
  std::string parent_span_id = {};
  std::vector<std::string> call_stack = {};
  std::int64_t attempt = 1;
  std::string created_at = {};
  // Where the message came from in the terms of its connector, and on whose behalf the turn acts
  // (`subjects`, `actor`). Objects, or null: not known. Whatever the turn sets off has them too.
  Json origin = nullptr;
  Json auth = nullptr;

  static Result<TurnMessage> from_json(const Json& payload);
  [[nodiscard]] Json to_json() const;
};

enum class TurnStatus { Ok, Error, Interrupted };

struct TurnOutcome {
  TurnStatus status = TurnStatus::Ok;
  std::string response = {};
  std::optional<Error> error = {};
  std::string finish_reason = "text_response";  // text_response | max_steps | error | interrupted

  // `{id, status, response?, error?, finishReason}`
  [[nodiscard]] Json to_json(std::string_view message_id) const;
  static TurnOutcome from_json(const Json& value);
};

}  // namespace goondan
