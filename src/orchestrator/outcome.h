// What came of a turn, as the dispatcher needs it. A value.
#pragma once

#include <string>

#include <goondan/error.h>
#include <goondan/json.h>

namespace goondan::orchestrator {

struct Outcome {
  enum class Status { Ok, Error, Interrupted } status = Status::Ok;
  enum class From { Agent, Dispatcher } from = From::Agent;  // who says so
  Json response = nullptr;  // of `Ok`; a text, if the agent keeps to the protocol
  Json error = nullptr;     // of `Error`: an error as it travels
};

// From the payload of `turn_done` or `delegate_result`. A status that there is not, is an error.
Outcome outcome_from(const JsonObject& payload);
// The message is given up without a word of its agent.
Outcome failed_outcome(const Error& error);

std::string_view status_name(Outcome::Status status);
// The response as a person or a model reads it.
std::string response_text(const Outcome& outcome);

}  // namespace goondan::orchestrator
