#include "orchestrator/swarm_names.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "base/utf8.h"
#include "base/white_space.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kNamesInAMessage = 20;
constexpr std::size_t kNameCharactersInAMessage = 80;

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamesInAMessage; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kNamesInAMessage ? text + ", …" : text;
}

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
}

}  // namespace

bool in_swarm(const SwarmInfo& swarm, std::string_view agent) {
  return std::ranges::binary_search(
      swarm.agents, agent, std::less<>(),
      [](const std::string& name) -> std::string_view { return name; });
}

Result<void> check_agent(const SwarmInfo& swarm, std::string_view agent) {
  if (in_swarm(swarm, agent)) return {};
  const std::vector<std::string_view> names(swarm.agents.begin(), swarm.agents.end());
  const std::string_view near = nearest(agent, names);
  return Error{.code = ErrorCode::AgentNotFound,
               .message = "no agent named '" +
                          std::string(utf8::prefix(agent, kNameCharactersInAMessage)) +
                          "' in swarm '" + swarm.name + "'",
               .suggestion = (near.empty() ? "" : "Did you mean '" + std::string(near) + "'? ") +
                             "Agents of the swarm: " + list_of(swarm.agents)};
}

Result<std::string> checked_key(std::string_view given, std::string_view fallback) {
  const std::string_view key = unicode::trim_end(unicode::trim_start(given));
  if (key.empty()) return std::string(fallback);
  if (key.size() > kMaxKeyBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "instance key of " + std::to_string(key.size()) + " bytes; at most " +
                            std::to_string(kMaxKeyBytes) + " are allowed",
                 .suggestion = "Use a short name for the conversation, e.g. 'review-42'."};
  }
  if (std::ranges::any_of(key, is_control)) {
    return Error{.code = ErrorCode::ToolInvalidArgs,
                 .message = "instance key with a control character",
                 .suggestion = "Use letters, digits and punctuation, e.g. 'review-42'."};
  }
  return std::string(key);
}

Result<void> check_id(std::string_view what, std::string_view id) {
  if (!id.empty() && id.size() <= kMaxIdBytes) return {};
  return Error{.code = ErrorCode::Ipc,
               .message = std::string(what) + (id.empty() ? " is missing" : " is too long") +
                          "; it is a text of 1 to " + std::to_string(kMaxIdBytes) + " bytes"};
}

Json catalog_json(const SwarmInfo& swarm, std::string_view self) {
  JsonArray available;
  JsonArray callable;
  for (const std::string& agent : swarm.agents) {
    available.emplace_back(agent);
    if (agent != self) callable.emplace_back(agent);
  }
  return JsonObject{{"swarmName", swarm.name},
                    {"entryAgent", swarm.entry_agent},
                    {"selfAgent", self},
                    {"availableCount", available.size()},
                    {"callableCount", callable.size()},
                    {"availableAgents", std::move(available)},
                    {"callableAgents", std::move(callable)}};
}

}  // namespace goondan::orchestrator
