// Names that come from agents and clients, checked against the swarm.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/dispatcher.h"

namespace goondan::orchestrator {

inline constexpr std::size_t kMaxKeyBytes = 512;
inline constexpr std::size_t kMaxIdBytes = 200;

[[nodiscard]] bool in_swarm(const SwarmInfo& swarm, std::string_view agent);

// `E_AGENT_NOT_FOUND` with the nearest name and a list, unless the agent is in the swarm.
Result<void> check_agent(const SwarmInfo& swarm, std::string_view agent);

// The key that was given without the white space around it, or `fallback` if nothing is left.
// `E_LIMIT` if it is longer than `kMaxKeyBytes`, `E_TOOL_INVALID_ARGS` if it has control
// characters.
Result<std::string> checked_key(std::string_view given, std::string_view fallback);

// An identifier of a message, a request or a handle: not empty, at most `kMaxIdBytes`.
Result<void> check_id(std::string_view what, std::string_view id);

// `agents.catalog` as seen by `self`.
Json catalog_json(const SwarmInfo& swarm, std::string_view self);

}  // namespace goondan::orchestrator
