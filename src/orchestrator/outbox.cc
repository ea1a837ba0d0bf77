#include "orchestrator/outbox.h"

#include <utility>

#include "base/json_fields.h"

namespace goondan::orchestrator {

void Outbox::want(const Instance& instance) {
  actions_.emplace_back(
      Want{.name = instance.name, .cwd = instance.record ? instance.record->cwd : std::string()});
}

void Outbox::deliver(const Instance& instance, ipc::Message message) {
  actions_.emplace_back(Deliver{
      .name = instance.name, .generation = instance.generation, .message = std::move(message)});
}

void Outbox::deliver_event(const Instance& instance, JsonObject payload) {
  deliver(instance, {.type = ipc::MessageType::Event,
                     .from = "orchestrator",
                     .to = instance.name.text(),
                     .payload = std::move(payload)});
}

void Outbox::reply_agent(const InstanceName& name, Generation generation,
                         std::string_view request_id, Result<Json> answer) {
  JsonObject payload{{"kind", "reply"}, {"requestId", request_id}};
  if (answer.ok()) {
    payload["result"] = *std::move(answer);
  } else {
    payload["error"] = error_json(answer.error());
  }
  actions_.emplace_back(Deliver{.name = name,
                                .generation = generation,
                                .message = {.type = ipc::MessageType::Event,
                                            .from = "orchestrator",
                                            .to = name.text(),
                                            .payload = std::move(payload)}});
}

void Outbox::reply_client(std::uint64_t client, std::string_view request_id, Result<Json> answer) {
  actions_.emplace_back(
      Reply{.client = client, .request_id = std::string(request_id), .answer = std::move(answer)});
}

void Outbox::observe(JsonObject observation) {
  actions_.emplace_back(Observe{.observation = std::move(observation)});
}

void Outbox::problem(const InstanceName& name, std::string_view message_id, const Error& error) {
  observe({{"type", "runtime.problem"},
           {"agentName", name.agent},
           {"instanceKey", name.key},
           {"id", message_id},
           {"error", error_json(error)}});
}

void Outbox::restart(std::string reason) {
  actions_.emplace_back(Restart{.reason = std::move(reason)});
}

void Outbox::bundle_changed(const Instance& instance, std::string request_id) {
  actions_.emplace_back(BundleChanged{.name = instance.name,
                                      .generation = instance.generation,
                                      .request_id = std::move(request_id)});
}

void Outbox::flush() {
  if (flushing_) return;  // called back from `Processes`: the outer call goes on
  flushing_ = true;
  while (!actions_.empty()) {
    Action action = std::move(actions_.front());
    actions_.pop_front();
    std::visit([this](auto& one) { run(one); }, action);
  }
  flushing_ = false;
}

void Outbox::run(Want& want) {
  const Instance* instance = queues_.find(want.name);
  if (instance != nullptr && instance->presence == Presence::Absent) {
    processes_.want(want.name, want.cwd);
  }
}

void Outbox::run(Deliver& deliver) {
  const Instance* instance = queues_.find(deliver.name);
  if (instance != nullptr && instance->alive(deliver.generation)) {
    processes_.deliver(deliver.name, std::move(deliver.message));
  }
}

void Outbox::run(Reply& reply) {
  processes_.reply(reply.client, reply.request_id, std::move(reply.answer));
}

void Outbox::run(Observe& observe) {
  processes_.observe(std::move(observe.observation));
}

void Outbox::run(Restart& restart) {
  processes_.restart(restart.reason);
}

void Outbox::run(BundleChanged& changed) {
  processes_.bundle_changed([this, to = std::move(changed)](const Result<void>& loaded) {
    Result<Json> answer = Json(JsonObject{{"loaded", true}});
    if (!loaded.ok()) answer = loaded.error();
    reply_agent(to.name, to.generation, to.request_id, std::move(answer));
    flush();
  });
}

}  // namespace goondan::orchestrator
