#include "orchestrator/outcome.h"

#include "base/json_fields.h"

namespace goondan::orchestrator {
namespace {

Json error_of(const JsonObject& payload) {
  Json error = any_field(payload, "error");
  if (error.is_object()) return error;
  const std::string text = text_field(payload, "error");
  return error_json(
      {.code = ErrorCode::Tool,
       .message = text.empty() ? "the agent's turn failed and it did not say why" : text});
}

}  // namespace

Outcome outcome_from(const JsonObject& payload) {
  const std::string status = text_field(payload, "status");
  if (status == "ok") return {.response = any_field(payload, "response")};
  if (status == "interrupted") return {.status = Outcome::Status::Interrupted};
  if (status == "error") return {.status = Outcome::Status::Error, .error = error_of(payload)};
  Outcome unknown =
      failed_outcome({.code = ErrorCode::Ipc,
                      .message = "the agent ended its turn with a status that there is not"});
  unknown.from = Outcome::From::Agent;
  return unknown;
}

Outcome failed_outcome(const Error& error) {
  return {.status = Outcome::Status::Error,
          .from = Outcome::From::Dispatcher,
          .error = error_json(error)};
}

std::string_view status_name(Outcome::Status status) {
  switch (status) {
    case Outcome::Status::Ok:
      return "ok";
    case Outcome::Status::Error:
      return "error";
    case Outcome::Status::Interrupted:
      return "interrupted";
  }
  return "error";
}

std::string response_text(const Outcome& outcome) {
  const Json& response = outcome.response;
  if (response.is_string()) return std::string(response.get_string());
  return response.is_null() ? std::string() : to_text(response);
}

}  // namespace goondan::orchestrator
