#include "cli/view_cast.h"

#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

constexpr std::array kColours{Style::Cyan, Style::Magenta, Style::Yellow, Style::Blue,
                              Style::Green};
// Deeper turns are not moved further to the right.
constexpr std::size_t kMaxDepth = 4;
// More are not told apart; an orchestrator has no more than some thousands.
constexpr std::size_t kMaxMembers = 10'000;

}  // namespace

Member& Cast::of(std::string_view agent, std::string_view key) {
  return of(std::string(agent) + "@" + std::string(key));
}

Member& Cast::of(std::string_view name) {
  const auto known = members_.find(name);
  if (known != members_.end()) return known->second;
  if (members_.size() >= kMaxMembers) return members_.begin()->second;
  const Style colour = kColours[members_.size() % kColours.size()];
  Member member{.name = instance_text(name, usual_key_), .colour = colour};
  return members_.emplace(std::string(name), std::move(member)).first->second;
}

Member& Cast::of(const JsonObject& observation) {
  return of(text_field(observation, "agentName"), text_field(observation, "instanceKey"));
}

void Cast::place(Member& member, const JsonObject& observation) {
  member.depth = 0;
  const JsonObject* const source = object_field(observation, "source");
  if (source == nullptr || text_field(*source, "kind") != "agent") return;
  // What has come in the meantime is answered in a turn that nobody waits for.
  if (text_field(observation, "id").starts_with("injections_")) return;
  std::string key = text_field(*source, "instanceKey");
  if (key.empty()) key = text_field(observation, "instanceKey");
  const std::size_t above = of(text_field(*source, "name"), key).depth;
  member.depth = std::min(above + 1, kMaxDepth);
}

}  // namespace goondan::cli
