#include "orchestrator/dispatcher.h"

#include <utility>

#include "base/json_fields.h"
#include "orchestrator/dispatcher_state.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {

Dispatcher::Dispatcher(store::Journal& journal, SwarmInfo swarm, Processes& processes)
    : state_(std::make_unique<State>(journal, std::move(swarm), processes)) {}

Dispatcher::~Dispatcher() = default;

Result<void> Dispatcher::restore() {
  GDN_TRY(state_->restore());
  state_->hand_over();
  return {};
}

void Dispatcher::set_swarm(SwarmInfo swarm) {
  state_->board.swarm = std::move(swarm);
  for (auto& [name, instance] : state_->board.queues.all())
    instance.unstartable = false;
  state_->deliveries.pump_all();
  state_->hand_over();
}

void Dispatcher::on_message(const InstanceName& sender, const ipc::Message& message) {
  Instance* instance = state_->board.queues.find(sender);
  // A process that is not ready has nothing to say here, and one that is gone gets no answer.
  if (instance == nullptr || instance->presence == Presence::Absent) return;
  state_->take(*instance, message);
  state_->hand_over();
}

void Dispatcher::on_ready(const InstanceName& instance) {
  state_->deliveries.on_ready(state_->board.queues.at(instance));
  state_->hand_over();
}

void Dispatcher::on_exit(const InstanceName& instance, Ending ending) {
  Instance& gone = state_->board.queues.at(instance);
  state_->deliveries.on_exit(gone, ending);
  state_->handles.end_waits(instance);
  state_->hand_over();
}

void Dispatcher::on_start_failed(const InstanceName& instance, const Error& error) {
  state_->deliveries.on_start_failed(state_->board.queues.at(instance), error);
  state_->handles.end_waits(instance);
  state_->hand_over();
}

bool Dispatcher::on_client(std::uint64_t client, std::string_view kind, std::string_view request_id,
                           const JsonObject& params) {
  const bool known = state_->take_client(client, kind, request_id, params);
  state_->hand_over();
  return known;
}

void Dispatcher::on_client_gone(std::uint64_t client) {
  state_->handles.on_client_gone(client);
}

std::optional<Deadline> Dispatcher::next_timer() const {
  return state_->board.timers.next();
}

void Dispatcher::on_timer(Deadline now) {
  for (const Timer& timer : state_->board.timers.take_due(now))
    state_->on_timer(timer);
  state_->hand_over();
}

void Dispatcher::quiesce() {
  state_->board.quiesced = true;
}

void Dispatcher::resume() {
  state_->board.quiesced = false;
  state_->deliveries.pump_all();
  state_->hand_over();
}

bool Dispatcher::working(const InstanceName& instance) const {
  const Instance* found = std::as_const(state_->board.queues).find(instance);
  return found != nullptr && found->working();
}

std::size_t Dispatcher::working_count() const {
  return state_->board.queues.working();
}

std::size_t Dispatcher::queued(const InstanceName& instance) const {
  const Instance* found = std::as_const(state_->board.queues).find(instance);
  return found == nullptr ? 0 : found->waiting.size() + found->injections.size();
}

bool Dispatcher::idle() const {
  return state_->board.queues.open() == 0;
}

std::vector<InstanceName> Dispatcher::take_good_turns() {
  return state_->deliveries.take_good_turns();
}

Result<void> Dispatcher::forget(const InstanceName& instance) {
  const Result<void> forgotten = state_->forget(instance);
  state_->hand_over();
  return forgotten;
}

bool Dispatcher::knows(const InstanceName& instance) const {
  return std::as_const(state_->board.queues).find(instance) != nullptr;
}

std::vector<store::InstanceRecord> Dispatcher::instances() const {
  return state_->roster.records();
}

std::int64_t Dispatcher::pending_handles() const {
  const Result<std::int64_t> count = state_->board.journal.pending_handles();
  return count.ok() ? *count : 0;
}

}  // namespace goondan::orchestrator
