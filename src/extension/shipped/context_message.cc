// context-message: one message for the system that says where the agent stands: who else there is,
// who speaks to it, which way the message came.
//
// Names come from outside and go to where the model trusts most, so each is one short line; what a
// sender may put into `metadata` is left out. Nothing changes from turn to turn by itself (no
// times, no ids), so that providers can keep the beginning of the conversation in their caches.
#include "base/json_fields.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/extension_message.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxName = 120;  // code points
constexpr std::size_t kMaxListedAgents = 200;
constexpr std::size_t kMaxShownStack = 16;

enum class Segment { Leave, Say };

struct Segments {
  Segment prompt;
  Segment agents;
  Segment inbound;
  Segment call;
  Segment route;
  std::string text;
};

struct ContextMessage {
  std::string name;
  const AgentFacts& agent;
  Segments segments;
  std::function<void(LogLevel, std::string_view)> log;
};

std::string in_quotes(std::string_view name) {
  return "'" + one_line(name, kMaxName) + "'";
}

std::string agents_text(const AgentFacts& agent) {
  std::string list;
  std::size_t count = 0;
  for (const std::string& other : agent.available_agents) {
    if (other == agent.agent_name) continue;
    if (++count <= kMaxListedAgents) list += "\n- " + one_line(other, kMaxName);
  }
  if (count == 0) return {};
  if (count > kMaxListedAgents) {
    list += "\n- and " + std::to_string(count - kMaxListedAgents) + " more";
  }
  return "Agents you can call:" + list;
}

std::string inbound_text(const TurnMessage& input) {
  const JsonObject& source = object_or_empty(input.source);
  const std::string kind = text_field(source, "kind");
  std::string text = "The current message comes from ";
  text += kind.empty() ? "an unnamed source" : "the " + one_line(kind, kMaxName);
  const std::string name = text_field(source, "name");
  if (!name.empty()) text += " " + in_quotes(name);
  if (!input.event_type.empty()) text += ", event " + in_quotes(input.event_type);
  return text + ".";
}

std::string call_text(const TurnMessage& input) {
  const JsonObject& source = object_or_empty(input.source);
  if (text_field(source, "kind") != "agent") return {};
  std::string text = "You are called by the agent " + in_quotes(text_field(source, "name"));
  const std::string key = text_field(source, "instanceKey");
  if (!key.empty()) text += " (instance " + in_quotes(key) + ")";
  text += "; your answer goes back to it.";
  if (input.call_stack.empty()) return text;
  text += " Chain of calls:";
  const std::size_t hidden =
      input.call_stack.size() > kMaxShownStack ? input.call_stack.size() - kMaxShownStack : 0;
  if (hidden > 0) text += " ... ->";
  for (std::size_t i = hidden; i < input.call_stack.size(); ++i)
    text += (i == hidden ? " " : " -> ") + one_line(input.call_stack[i], kMaxName);
  return text + ".";
}

std::string route_text(const AgentFacts& agent) {
  std::string text = "You are the agent " + in_quotes(agent.agent_name);
  if (!agent.instance_key.empty()) text += ", instance " + in_quotes(agent.instance_key);
  if (!agent.swarm_name.empty()) text += ", in the swarm " + in_quotes(agent.swarm_name);
  if (agent.entry_agent.empty()) return text + ".";
  const bool entry = agent.entry_agent == agent.agent_name;
  return text + (entry ? ", whose entry agent you are."
                       : ", whose entry agent is " + in_quotes(agent.entry_agent) + ".");
}

std::string content(const ContextMessage& context, const TurnMessage& input) {
  std::string text;
  const auto add = [&text](Segment wanted, const std::string& segment) {
    if (wanted == Segment::Leave || segment.empty()) return;
    text += (text.empty() ? "" : "\n\n") + segment;
  };
  const Segments& segments = context.segments;
  add(segments.prompt, context.agent.system_prompt);
  add(Segment::Say, segments.text);
  add(segments.route, route_text(context.agent));
  add(segments.agents, agents_text(context.agent));
  add(segments.inbound, inbound_text(input));
  add(segments.call, call_text(input));
  return text;
}

// One message of ours at most, and it says `text`.
Result<void> say(const ContextMessage& context, ConversationView& conversation,
                 const std::string& text) {
  std::vector<std::pair<std::string, std::string>> ours;  // id, text
  for (const Message& message : conversation.messages()) {
    if (message.role() == Role::System && is_from_extension(message, context.name)) {
      ours.emplace_back(message.id, message.text());
    }
  }
  const std::size_t kept = text.empty() ? 0 : 1;
  for (std::size_t i = kept; i < ours.size(); ++i)
    GDN_TRY(conversation.remove(ours[i].first));
  if (text.empty() || (!ours.empty() && ours[0].second == text)) return {};
  Message message = extension_message(Role::System, text, context.name);
  if (ours.empty()) return conversation.append(std::move(message));
  message.id = ours[0].first;
  return conversation.replace(ours[0].first, std::move(message));
}

}  // namespace

Result<void> register_context_message(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  const auto segment = [&reader](std::string_view key, bool otherwise) {
    return reader.flag(key, otherwise) ? Segment::Say : Segment::Leave;
  };
  const Segments segments{.prompt = segment("prompt", false),
                          .agents = segment("agents", true),
                          .inbound = segment("inbound", true),
                          .call = segment("call", true),
                          .route = segment("route", true),
                          .text = reader.text("text", "")};
  GDN_TRY(reader.finish());
  const ContextMessage made{
      .name = site.name, .agent = site.agent, .segments = segments, .log = site.log};
  site.layers.turn.add(site.name, [made](TurnContext& context, TurnPipeline::Next& next) {
    const Result<void> said = say(made, context.conversation, content(made, context.input));
    if (!said.ok()) made.log(LogLevel::Warn, "the context is not told: " + said.error().message);
    return next();
  });
  return {};
}

}  // namespace goondan::shipped
