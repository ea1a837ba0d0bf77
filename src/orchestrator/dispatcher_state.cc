#include "orchestrator/dispatcher_state.h"

#include <utility>
#include <vector>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kMethodCharactersInAMessage = 80;

}  // namespace

Result<void> Dispatcher::State::restore() {
  tidy();
  std::vector<store::InstanceRecord> records = GDN_TRY(board.journal.instances());
  std::vector<store::RequestRecord> requests = GDN_TRY(board.journal.requests());
  std::vector<store::JournalMessage> messages = GDN_TRY(board.journal.unfinished());
  for (store::InstanceRecord& record : records) {
    Instance& instance = board.queues.at({record.agent, record.instance_key});
    instance.record = std::move(record);
  }
  for (store::RequestRecord& record : requests)
    handoffs.restore(std::move(record));
  for (store::JournalMessage& message : messages) {
    // An orchestrator before this one may have delivered it: first deliveries are not written down.
    message.attempts = std::max<std::int64_t>(message.attempts, 1);
    deliveries.enqueue(message);
  }
  deliveries.pump_all();
  return {};
}

void Dispatcher::State::take(Instance& sender, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  switch (message.type) {
    case ipc::MessageType::Delegate:
      handoffs.delegate(sender, message);
      return;
    case ipc::MessageType::DelegateResult:
      handles.end_waits(sender.name);
      deliveries.on_done(sender, message);
      return;
    case ipc::MessageType::Event:
      take_event(sender, message, payload);
      return;
    case ipc::MessageType::Shutdown:
    case ipc::MessageType::ShutdownAck:
      return;  // between the process and whoever started it
  }
}

void Dispatcher::State::take_event(Instance& sender, const ipc::Message& message,
                                   const JsonObject& payload) {
  const std::string kind = text_field(payload, "kind");
  if (kind == "turn_done") {
    handles.end_waits(sender.name);
    deliveries.on_done(sender, message);
  } else if (kind == "send") {
    handoffs.send(sender, payload);
  } else if (kind == "request") {
    take_request(sender, payload);
  } else if (kind == "injected") {
    deliveries.on_injected(sender, text_field(payload, "id"));
  }
}

void Dispatcher::State::take_request(Instance& sender, const JsonObject& payload) {
  const Asker asker{.agent = sender.name,
                    .generation = sender.generation,
                    .request_id = text_field(payload, "requestId")};
  const std::string method = text_field(payload, "method");
  const Json params = any_field(payload, "params");
  constexpr std::string_view kHandles = "handles.";
  if (method.starts_with(kHandles) &&
      handles.run(asker, std::string_view(method).substr(kHandles.size()),
                  object_or_empty(params))) {
    return;
  }
  if (method == "runtime.reload") return board.out.bundle_changed(sender, asker.request_id);
  Result<Json> answer = agent_method(sender, method, object_or_empty(params));
  board.out.reply_agent(*asker.agent, asker.generation, asker.request_id, std::move(answer));
}

Result<Json> Dispatcher::State::agent_method(Instance& sender, std::string_view method,
                                             const JsonObject& params) {
  if (method == "agents.spawn") {
    const InstanceName owner = sender.name;
    return roster.spawn(params, text_field(params, "target"), &owner);
  }
  if (method == "agents.list") {
    const bool all = true_field(params, "includeAll");
    return roster.list(sender.name, all ? Roster::Scope::All : Roster::Scope::Own);
  }
  if (method == "agents.catalog") return catalog_json(board.swarm, sender.name.agent);
  if (method == "runtime.restart") {
    board.out.restart(text_field(params, "reason"));
    return JsonObject{{"restarting", true}};
  }
  return Error{.code = ErrorCode::Ipc,
               .message = "the orchestrator has no method '" +
                          std::string(utf8::prefix(method, kMethodCharactersInAMessage)) + "'",
               .suggestion = "Agent and orchestrator may be of different versions: restart both."};
}

bool Dispatcher::State::take_client(std::uint64_t client, std::string_view kind,
                                    std::string_view request_id, const JsonObject& params) {
  constexpr std::string_view kHandles = "handles.";
  if (kind == "submit") {
    board.out.reply_client(client, request_id, handoffs.submit(params));
  } else if (kind == "cancel") {
    board.out.reply_client(client, request_id, cancel(params));
  } else if (kind == "spawn") {
    board.out.reply_client(client, request_id,
                           roster.spawn(params, text_field(params, "agent"), nullptr));
  } else if (kind.starts_with(kHandles)) {
    return handles.run({.client = client, .request_id = std::string(request_id)},
                       kind.substr(kHandles.size()), params);
  } else {
    return false;
  }
  return true;
}

// Also instances that have been given an injection: they may be in a turn that it began.
Result<Json> Dispatcher::State::cancel(const JsonObject& params) {
  const std::string agent = text_field(params, "agent");
  const std::string key = text_field(params, "instanceKey");
  if (!agent.empty()) GDN_TRY(check_agent(board.swarm, agent));
  std::size_t cancelled = 0;
  for (auto& [name, instance] : board.queues.all()) {
    if ((!agent.empty() && name.agent != agent) || (!key.empty() && name.key != key)) continue;
    const bool busy = instance.working() || !instance.injections.empty();
    if (!busy || instance.presence == Presence::Absent) continue;
    board.out.deliver_event(instance, {{"kind", "cancel"}});
    handles.end_waits(name);
    ++cancelled;
  }
  return JsonObject{{"cancelled", cancelled}};
}

void Dispatcher::State::on_timer(const Timer& timer) {
  switch (timer.kind) {
    case TimerKind::Request:
      handoffs.on_timeout(timer.name.agent);
      return;
    case TimerKind::Wait:
      handles.on_timeout(timer.number);
      return;
    case TimerKind::Retry:
      if (Instance* instance = board.queues.find(timer.name)) deliveries.on_retry(*instance);
      return;
    case TimerKind::Tidy:
      tidy();
      return;
  }
}

Result<void> Dispatcher::State::forget(const InstanceName& name) {
  Instance* instance = board.queues.find(name);
  if (instance == nullptr) return {};
  deliveries.answer_all(*instance, {.code = ErrorCode::AgentStopped,
                                    .message = "instance " + name.text() + " was deleted"});
  GDN_TRY(board.journal.forget_instance(name.agent, name.key));
  for (const std::string& id : board.requests.asked_by(name)) {
    // What the journal does not take now is told to nobody either: its caller is gone.
    if (const Result<void> dropped = board.journal.drop_request(id, {}); !dropped.ok()) {
      board.out.problem(name, id, dropped.error());
    }
    board.timers.cancel(board.requests.find(id)->timer);
    board.requests.erase(id);
  }
  board.timers.cancel(instance->retry);
  board.queues.erase(name);
  handles.forget(name);
  return {};
}

void Dispatcher::State::tidy() {
  if (const Result<void> tidied = board.journal.tidy(); !tidied.ok()) {
    board.out.problem({}, {}, tidied.error());
  }
  board.timers.add(Clock::now() + kTidyEvery, {.kind = TimerKind::Tidy});
}

void Dispatcher::State::hand_over() {
  deliveries.pump_due();
  board.out.flush();
}

}  // namespace goondan::orchestrator
