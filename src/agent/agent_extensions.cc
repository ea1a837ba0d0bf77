#include "agent/agent_extensions.h"

#include "agent/server_secrets.h"
#include "base/log_level.h"
#include "base/redactor.h"
#include "host/native/native_extension.h"
#include "host/script/script_host.h"
#include "store/layout.h"

namespace goondan::agent {
namespace {

// What extensions say goes to whoever watches the agent.
auto log_to(EventSink& sink, const std::string& extension) {
  return [&sink, extension](LogLevel level, std::string_view text) {
    sink.observe({{"type", "extension.log"},
                  {"extension", extension},
                  {"level", level_name(level)},
                  {"text", text}});
  };
}

AgentFacts facts_of(const AgentExtensions::Parts& parts) {
  const AgentPlan& plan = parts.plan;
  return {.agent_name = plan.agent.meta.name,
          .instance_key = parts.instance_key,
          .workdir = parts.places.workdir,
          .bundle_root = plan.bundle.root().string(),
          .system_prompt = plan.system_prompt,
          .swarm_name = plan.swarm_name,
          .entry_agent = plan.entry_agent,
          .available_agents = plan.available_agents};
}

Error at_extension(const std::string& name, Error error) {
  if (error.message.find("'" + name + "'") == std::string::npos)
    error.message = "extension '" + name + "': " + error.message;
  return error;
}

}  // namespace

Result<std::unique_ptr<AgentExtensions>> AgentExtensions::start(const Parts& parts) {
  std::unique_ptr<AgentExtensions> made(new AgentExtensions);
  made->facts_ = facts_of(parts);
  // Tools of the first dialect have a say among the extensions, also without one of their own kind.
  if (parts.places.node_scripts)
    made->node_scripts_ = RemoteExtensions::make(parts.places.node_scripts, made->events_);
  for (const PlannedExtension& planned : parts.plan.extensions) {
    Result<void> added = made->add(parts, planned);
    if (!added.ok()) return at_extension(planned.name, std::move(added).error());
  }
  return made;
}

Result<void> AgentExtensions::add(const Parts& parts, const PlannedExtension& planned) {
  states_.push_back(GDN_TRY(StoredState::open(parts.store, planned.name)));
  ExtensionSite& site = sites_.emplace_back(ExtensionSite{.name = planned.name,
                                                          .agent = facts_,
                                                          .layers = layers_,
                                                          .registry = parts.registry,
                                                          .state = *states_.back(),
                                                          .events = events_,
                                                          .log = log_to(parts.sink, planned.name),
                                                          .runtime = parts.runtime});
  if (!planned.resource) return find_builtin_extension(planned.name)(site, planned.config);
  if (!planned.resource->entry.empty()) GDN_TRY(add_code(parts, planned, site));
  if (planned.resource->mcp_servers.empty()) return {};
  return add_servers(parts, planned, site);
}

Result<void> AgentExtensions::add_code(const Parts& parts, const PlannedExtension& planned,
                                       ExtensionSite& site) {
  const ExtensionResource& resource = *planned.resource;
  if (!is_script_entry(resource.entry)) {
    std::shared_ptr<Peer> peer =
        GDN_TRY(load_native_extension(parts.plan.bundle, resource, parts.stop));
    natives_.push_back(RemoteExtensions::make(std::move(peer), events_));
    return natives_.back()->add({.site = site, .config = planned.config});
  }
  const bool first = resource.meta.dialect == Dialect::V1Alpha1;
  const std::shared_ptr<Peer>& peer = first ? parts.places.node_scripts : parts.places.scripts;
  std::shared_ptr<RemoteExtensions>& remote = first ? node_scripts_ : scripts_;
  if (remote == nullptr) remote = RemoteExtensions::make(peer, events_);
  RemoteExtensions::Extension extension{.site = site, .config = planned.config};
  extension.module = GDN_TRY(
      load_script(*peer, parts.plan.bundle, resource.entry, "extension", resource.meta.dialect));
  if (first) {
    extension.first_dialect = {.place = parts.places.place, .document = resource.meta.document};
  }
  return remote->add(std::move(extension));
}

Result<void> AgentExtensions::add_servers(const Parts& parts, const PlannedExtension& planned,
                                          const ExtensionSite& site) {
  net::HostPolicy hosts = GDN_TRY(net::HostPolicy::parse(parts.plan.policy.http_allow));
  for (const McpServerResource& server : planned.resource->mcp_servers) {
    // Before it can say anything.
    for (const std::string& secret : server_secrets(server, parts.plan.environment))
      parts.plan.redactor->add_secret(secret);
  }
  servers_.push_back(GDN_TRY(McpTools::start({.extension = planned.name,
                                              .servers = planned.resource->mcp_servers,
                                              .bundle_root = parts.plan.bundle.root(),
                                              .pins = store::mcp_pins_file(parts.places.state_root),
                                              .environment = parts.plan.environment,
                                              .hosts = std::move(hosts),
                                              .workdir = parts.places.workdir,
                                              .log = site.log},
                                             parts.registry)));
  return {};
}

Result<void> AgentExtensions::before_step(const std::stop_token& stop) {
  const Deadline deadline = Clock::now() + kBeforeStepTime;
  for (const std::unique_ptr<McpTools>& servers : servers_)
    GDN_TRY(servers->before_step(deadline, stop));
  return {};
}

}  // namespace goondan::agent
