#include "orchestrator/handoffs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

using std::chrono::milliseconds;
using store::MessageKind;

constexpr std::size_t kTraceIdBytes = 16;

std::string or_else(std::string text, std::string_view fallback) {
  return text.empty() ? std::string(fallback) : text;
}

bool is_trace_id(std::string_view text) {
  return text.size() == 2 * kTraceIdBytes &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

Result<Json> Handoffs::submit(const JsonObject& params) {
  const std::string agent = or_else(text_field(params, "agent"), board_.swarm.entry_agent);
  GDN_TRY(check_agent(board_.swarm, agent));
  NewTurn turn{.input = text_field(params, "input"),
               .event_type = or_else(text_field(params, "eventType"), "user.message"),
               .source = {{"kind", "user"}, {"name", "user"}},
               .metadata = metadata_of(params),
               .trace_id = random_hex(kTraceIdBytes),
               .surroundings = surroundings_of(params)};
  turn.id = or_else(text_field(params, "id"), make_id("msg_"));
  GDN_TRY(check_id("'id'", turn.id));
  const std::string key =
      GDN_TRY(checked_key(text_field(params, "instanceKey"), board_.swarm.default_key));
  turn.target = {agent, key};
  const store::JournalMessage message = GDN_TRY(turn_message(turn));
  const store::Journal::Accepted how = GDN_TRY(accept(message, nullptr));
  JsonObject reply{{"id", turn.id}, {"agent", agent}, {"instanceKey", key}, {"accepted", true}};
  if (how == store::Journal::Accepted::Known) {
    reply["duplicate"] = true;
    return reply;
  }
  accepted(turn, turn.target, message);
  return reply;
}

void Handoffs::send(Instance& sender, const JsonObject& payload) {
  const InstanceName name = sender.name;
  const Generation generation = sender.generation;
  Result<Json> answer = take_send(sender, payload);
  board_.out.reply_agent(name, generation, text_field(payload, "id"), std::move(answer));
}

Result<Json> Handoffs::take_send(Instance& sender, const JsonObject& payload) {
  const NewTurn turn = GDN_TRY(from_agent(sender, payload, "agent.send"));
  const store::JournalMessage message = GDN_TRY(turn_message(turn));
  const store::Journal::Accepted how = GDN_TRY(accept(message, nullptr));
  if (how == store::Journal::Accepted::New) accepted(turn, sender.name, message);
  return JsonObject{{"accepted", true}, {"eventId", turn.id}, {"target", turn.target.agent}};
}

// What an agent says, checked; the trace is that of the turn it works on.
Result<NewTurn> Handoffs::from_agent(const Instance& sender, const JsonObject& payload,
                                     std::string_view event_type) {
  const std::string said_trace = text_field(payload, "traceId");
  NewTurn turn{.id = text_field(payload, "id"),
               .input = text_field(payload, "input"),
               .event_type = or_else(text_field(payload, "eventType"), event_type),
               .source = agent_source(sender.name),
               .metadata = metadata_of(payload),
               .trace_id = sender.trace_id,
               .parent_span_id = text_field(payload, "spanId"),
               .surroundings = surroundings_of(payload)};
  if (turn.trace_id.empty()) {
    turn.trace_id = is_trace_id(said_trace) ? said_trace : random_hex(kTraceIdBytes);
  }
  if (const std::string system = text_field(payload, "systemSource"); !system.empty())
    turn.source = {{"kind", "system"}, {"name", system}};
  GDN_TRY(check_id("'id'", turn.id));
  turn.target.agent = text_field(payload, "target");
  GDN_TRY(check_agent(board_.swarm, turn.target.agent));
  turn.target.key = GDN_TRY(checked_key(text_field(payload, "instanceKey"), sender.name.key));
  return turn;
}

Result<store::Journal::Accepted> Handoffs::accept(const store::JournalMessage& message,
                                                  const store::RequestRecord* request) {
  GDN_TRY(board_.queues.check_room({message.agent, message.instance_key}, message.payload.size()));
  return request == nullptr ? board_.journal.accept(message)
                            : board_.journal.accept(message, *request);
}

void Handoffs::accepted(const NewTurn& turn, const InstanceName& owner,
                        const store::JournalMessage& message) {
  board_.out.observe({{"type", "message.accepted"},
                      {"agentName", turn.target.agent},
                      {"instanceKey", turn.target.key},
                      {"traceId", turn.trace_id},
                      {"id", turn.id},
                      {"source", turn.source},
                      {"input", cut_text(turn.input, kMaxObservedCharacters)}});
  deliveries_.enqueue(message);
  Instance& target = board_.queues.at(turn.target);
  roster_.note(target, owner);
  deliveries_.pump_later(turn.target);
}

void Handoffs::delegate(Instance& sender, const ipc::Message& message) {
  const InstanceName name = sender.name;
  const Generation generation = sender.generation;
  Result<Json> answer = take_delegate(sender, message);
  const std::string id = text_field(object_or_empty(message.payload), "id");
  board_.out.reply_agent(name, generation, id, std::move(answer));
}

}  // namespace goondan::orchestrator
