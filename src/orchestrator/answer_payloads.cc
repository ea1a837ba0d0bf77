#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/payloads.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kMaxErrorCharacters = 4'000;

// `__goondanInterAgentResponse`
JsonObject response_metadata(const Request& request, std::string_view status,
                             const Outcome& outcome, std::string_view response_id) {
  const store::RequestRecord& record = request.record;
  JsonObject metadata{{"kind", "inter_agent_response"},
                      {"version", 1},
                      {"requestId", record.correlation_id},
                      {"requestEventId", record.event_id},
                      {"responseEventId", response_id},
                      {"fromAgentId", record.target},
                      {"toAgentId", record.caller_agent},
                      {"async", true},
                      {"status", status},
                      {"receivedAt", iso_now()},
                      {"traceId", record.trace_id},
                      {"requestEventType", record.event_type}};
  if (Result<Json> said = parse_json(record.metadata); said.ok() && said->is_object()) {
    metadata["requestMetadata"] = *std::move(said);
  }
  if (outcome.status == Outcome::Status::Error) {
    const Error error = error_from(outcome.error);
    metadata["errorCode"] = error.code_text();
    metadata["errorMessage"] = cut_text(error.message, kMaxErrorCharacters);
  }
  return metadata;
}

std::string answer_text(const Request& request, std::string_view status, const Outcome& outcome,
                        std::string_view response) {
  const std::string who = "Agent " + request.target_name().text();
  const std::string which = " the request " + request.record.correlation_id;
  if (status == "ok") return who + " answered" + which + ":\n\n" + std::string(response);
  const Error error = error_from(outcome.error);
  const std::string reason =
      std::string(error.code_text()) + ": " + cut_text(error.message, kMaxErrorCharacters);
  const std::string_view verb = status == "timeout" ? " did not answer" : " could not answer";
  return who + std::string(verb) + which + (status == "timeout" ? " in time.\n\n" : ".\n\n") +
         reason;
}

// A response that makes its message too large, cut.
std::string cut_response(std::string_view response) {
  return cut_text(response, kMaxCutAnswerBytes / 4);
}

}  // namespace

store::JournalMessage answer_injection(const Request& request, std::string_view status,
                                       const Outcome& outcome) {
  const std::string id = make_id("agent_event_");
  const std::string response = response_text(outcome);
  JsonObject about = response_metadata(request, status, outcome, id);
  const auto build = [&](std::string_view shown) {
    JsonObject payload{{"id", id},
                       {"text", answer_text(request, status, outcome, shown)},
                       {"metadata", JsonObject{{"__goondanInterAgentResponse", about}}},
                       {"source", agent_source(request.target_name())},
                       {"eventType", "agent.response"},
                       {"traceId", request.record.trace_id}};
    add_surroundings(payload, request.record.surroundings);
    return to_text(payload);
  };
  std::string payload = build(response);
  if (payload.size() > kMaxPayloadBytes) {
    about.erase("requestMetadata");
    payload = build(response);
  }
  if (payload.size() > kMaxPayloadBytes) payload = build(cut_response(response));
  return {.id = id,
          .kind = store::MessageKind::Inject,
          .agent = request.record.caller_agent,
          .instance_key = request.record.caller_instance_key,
          .payload = std::move(payload)};
}

ipc::Message answer_message(const Request& request, const Outcome& outcome) {
  JsonObject payload{{"status", status_name(outcome.status)}, {"eventId", make_id("agent_event_")}};
  if (outcome.status == Outcome::Status::Error) {
    payload["error"] = outcome.error;
  } else {
    payload["response"] = outcome.response;
  }
  if (to_text(payload).size() > kMaxPayloadBytes) {
    // An error does not come this long from an agent that keeps to the protocol.
    payload.erase("error");
    payload["response"] = cut_response(response_text(outcome));
    if (outcome.status == Outcome::Status::Error) {
      Error error = error_from(outcome.error);
      error.message = cut_text(error.message, kMaxErrorCharacters);
      payload.erase("response");
      payload["error"] = error_json({.code = error.code, .message = error.message});
    }
  }
  return {.type = ipc::MessageType::DelegateResult,
          .from = request.target_name().text(),
          .to = request.caller_name().text(),
          .payload = std::move(payload),
          .correlation_id = request.record.correlation_id};
}

}  // namespace goondan::orchestrator
