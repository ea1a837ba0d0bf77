#include "extension/remote_registration.h"

#include <algorithm>
#include <limits>

#include "base/json_fields.h"
#include "base/log_level.h"
#include "extension/remote_tools.h"
#include "host/peer/tool_peer_call.h"

namespace goondan {
namespace {

// What `register` of an extension may take.
constexpr std::chrono::seconds kRegisterTime{30};

Json agent_json(const AgentFacts& agent) {
  JsonArray available;
  JsonArray callable;
  for (const std::string& name : agent.available_agents) {
    available.emplace_back(name);
    if (name != agent.agent_name) callable.emplace_back(name);
  }
  JsonObject json{{"name", agent.agent_name},
                  {"instanceKey", agent.instance_key},
                  {"workdir", agent.workdir},
                  {"bundleRoot", agent.bundle_root},
                  {"swarm", JsonObject{{"swarmName", agent.swarm_name},
                                       {"entryAgent", agent.entry_agent},
                                       {"selfAgent", agent.agent_name},
                                       {"availableAgents", std::move(available)},
                                       {"callableAgents", std::move(callable)}}}};
  if (!agent.system_prompt.empty()) json["prompt"] = JsonObject{{"system", agent.system_prompt}};
  return json;
}

Error init_failed(const std::string& extension, const Error& error) {
  if (error.code == ErrorCode::ExtensionLoad || error.code == ErrorCode::HostUnavailable)
    return error;
  return {.code = ErrorCode::ExtensionInit,
          .message = "extension '" + extension + "' could not be registered: " + error.message,
          .suggestion = error.suggestion.empty()
                            ? "Correct the extension or its config; its log says more."
                            : error.suggestion};
}

// What is beyond all others stays there.
int priority_in(const JsonObject& params) {
  using Limits = std::numeric_limits<int>;
  const std::int64_t given = integer_field(params, "priority").value_or(0);
  return static_cast<int>(std::clamp<std::int64_t>(given, Limits::min(), Limits::max()));
}

std::string instance_id_of(const RemoteExtensions::Extension& extension) {
  if (!extension.first_dialect) return {};
  const Json instance = any_field(object_or_empty(extension.first_dialect->place), "instance");
  return text_field(object_or_empty(instance), "id");
}

JsonObject register_params(const RemoteExtensions::Extension& extension) {
  const ExtensionSite& site = extension.site;
  JsonObject params{{"extension", site.name},
                    {"module", extension.module},
                    {"config", extension.config},
                    {"state", site.state.get()},
                    {"agent", agent_json(site.agent)}};
  if (!extension.first_dialect) return params;
  params["dialect"] = "v1alpha1";
  params["place"] = extension.first_dialect->place;
  params["resource"] = extension.first_dialect->document;
  return params;
}

Error gone() {
  return {.code = ErrorCode::NotFound, .message = "the extension is gone"};
}

}  // namespace

Result<void> RemoteRegistration::start() {
  parts_ = std::make_shared<const RemoteParts>(
      RemoteParts{.peer = surroundings_.peer,
                  .site = given_.site,
                  .on_request =
                      [self = weak_from_this()](const std::string& method, const Json& params) {
                        const auto held = self.lock();
                        return held ? held->serve(method, params) : gone();
                      },
                  .on_notify =
                      [self = weak_from_this()](const std::string& method, const Json& params) {
                        if (const auto held = self.lock()) held->hear(method, params);
                      },
                  .dialect = given_.first_dialect ? Dialect::V1Alpha1 : Dialect::V1,
                  .instance_id = instance_id_of(given_)});
  Result<void> set_up =
      surroundings_.peer->add_setup([self = weak_from_this()](Peer& peer) -> Result<void> {
        const auto held = self.lock();
        return held ? held->call_register(peer) : Result<void>(gone());
      });
  if (!set_up.ok()) return init_failed(given_.site.name, set_up.error());
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    add_remote_layer(given_.site.layers, parts_, layers_[i].kind, static_cast<std::int64_t>(i),
                     layers_[i].priority);
  }
  started_ = true;
  return {};
}

void RemoteNames::add(const std::string& name, std::weak_ptr<RemoteRegistration> extension) {
  const std::scoped_lock lock(mutex_);
  all_.emplace_back(name, std::move(extension));
}

std::shared_ptr<RemoteRegistration> RemoteNames::named_in(const Json& params) const {
  const std::string name = text_field(object_or_empty(params), "extension");
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(all_, name, [](const auto& one) { return one.first; });
  return found == all_.end() ? nullptr : found->second.lock();
}

RemoteRegistration* RemoteRegistration::addressee(const Json& params,
                                                  std::shared_ptr<RemoteRegistration>& held) {
  held = surroundings_.names->named_in(params);
  return held ? held.get() : this;
}

Result<Json> RemoteRegistration::serve(const std::string& method, const Json& params) {
  std::shared_ptr<RemoteRegistration> held;
  RemoteRegistration* const target = addressee(params, held);
  if (target != this) return target->serve(method, params);
  const JsonObject& object = object_or_empty(params);
  if (method == "state.set") {
    GDN_TRY(given_.site.state.set(any_field(object, "state")));
    return Json(nullptr);
  }
  if (method == "tools.register") {
    GDN_TRY(add_remote_tool(parts_, any_field(object, "item"), any_field(object, "tool")));
    return Json(nullptr);
  }
  return Error{.code = ErrorCode::NotFound, .message = "nobody serves '" + method + "' here"};
}

void RemoteRegistration::hear(const std::string& method, const Json& params) {
  std::shared_ptr<RemoteRegistration> held;
  RemoteRegistration* const target = addressee(params, held);
  if (target != this) return target->hear(method, params);
  const JsonObject& object = object_or_empty(params);
  if (method == "log")
    given_.site.log(level_named(text_field(object, "level")), text_field(object, "text"));
  if (method == "events.emit")
    surroundings_.events.emit_from_peer(text_field(object, "name"), any_field(object, "payload"));
}

Result<void> RemoteRegistration::call_register(Peer& peer) {
  std::vector<LayerRecord> layers;
  PeerCall call{.method = "register",
                .params = register_params(given_),
                .deadline = Clock::now() + kRegisterTime};
  call.on_request = [this](const std::string& method, const Json& params) {
    return serve(method, params);
  };
  call.on_notify = [&](const std::string& method, const Json& params) {
    if (method != "pipeline.register") return hear(method, params);
    const JsonObject& object = object_or_empty(params);
    const auto kind = layer_kind(text_field(object, "kind"));
    if (kind) layers.push_back({.kind = *kind, .priority = priority_in(object)});
  };
  const Result<Json> reply = peer.call(call);
  if (!reply.ok()) return reply.error();
  const std::scoped_lock lock(mutex_);
  if (started_ && layers != layers_) {
    return Error{.code = ErrorCode::ExtensionInit,
                 .message = "extension '" + given_.site.name +
                            "' registered other middleware after its process was started again",
                 .suggestion = "Register the same middleware every time; restart the agent."};
  }
  layers_ = std::move(layers);
  return {};
}

}  // namespace goondan
