// What comes from the dispatcher, the zygotes and the agents.
#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "orchestrator/orchestrator.h"

namespace goondan::orchestrator {
namespace {

// What the orchestrator itself tells, an agent cannot.
bool may_observe(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  constexpr std::array<std::string_view, 9> kOwn{"runtime.",         "agent.",           "bundle.",
                                                 "zygote.",          "delegate.",        "handle.",
                                                 "message.accepted", "message.finished", "gap"};
  return !type.empty() && std::ranges::none_of(kOwn, [&type](std::string_view own) {
    return type.starts_with(own);
  });
}

}  // namespace

void Orchestrator::want(const InstanceName& instance, const std::string& cwd) {
  instances_.want(instance, cwd);
}

void Orchestrator::deliver(const InstanceName& instance, ipc::Message message) {
  instances_.deliver(instance, message);
}

void Orchestrator::reply(std::uint64_t client, std::string_view request_id, Result<Json> answer) {
  clients_.reply(client, request_id, answer);
}

void Orchestrator::observe(JsonObject observation) {
  if (!observations_) return;
  // Inputs and answers are in it as they came; what agents observe is masked already.
  Json masked(std::move(observation));
  redactor_.redact(masked);
  observations_->add(std::move(masked.get_object()));
}

void Orchestrator::restart(std::string_view reason) {
  loop_.defer([this, text = std::string(reason)] { restart_all(text, {}, {}); });
}

void Orchestrator::bundle_changed(std::function<void(const Result<void>&)> loaded) {
  loop_.defer([this, loaded = std::move(loaded)] {
    if (phase_ != Phase::Running) return loaded(stopping_error());
    zygotes_.load_candidate(
        [this, loaded](const LoadFailure* failure) { loaded(on_reload(failure)); });
  });
}

void Orchestrator::on_spawned(std::uint64_t spawn, pid_t pid) {
  zygote_backoff_.reset();
  instances_.on_spawned(spawn, pid);
}

void Orchestrator::on_spawn_failed(std::uint64_t spawn, const Error& error) {
  instances_.on_spawn_failed(spawn, error);
}

void Orchestrator::on_link_gone(std::uint64_t link) {
  instances_.on_link_gone(link);
}

void Orchestrator::on_agent_message(const InstanceName& instance, const ipc::Message& message) {
  const JsonObject& payload = object_or_empty(message.payload);
  const bool event = message.type == ipc::MessageType::Event;
  if (!event || text_field(payload, "kind") != "observe") {
    return dispatcher_->on_message(instance, message);
  }
  const JsonArray* const events = array_field(payload, "events");
  if (events == nullptr) return;
  for (const Json& value : *events) {
    if (!may_observe(object_or_empty(value))) continue;
    JsonObject observation = value.get_object();
    observation["agentName"] = instance.agent;
    observation["instanceKey"] = instance.key;
    observations_->add(std::move(observation));
  }
}

void Orchestrator::on_agent_ready(const InstanceName& instance) {
  dispatcher_->on_ready(instance);
}

void Orchestrator::on_agent_exit(const InstanceName& instance, Dispatcher::Ending ending) {
  sweep_ = true;
  dispatcher_->on_exit(instance, ending);
}

void Orchestrator::on_agent_start_failed(const InstanceName& instance, const Error& error) {
  sweep_ = true;
  dispatcher_->on_start_failed(instance, error);
}

void Orchestrator::on_agent_observed(JsonObject observation) {
  observe(std::move(observation));
}

void Orchestrator::on_client_gone(std::uint64_t client) {
  if (dispatcher_) dispatcher_->on_client_gone(client);
}

void Orchestrator::on_owner_gone() {
  stop("the owner is gone");
}

}  // namespace goondan::orchestrator
