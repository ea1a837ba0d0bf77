#include "agent/agent_main.h"

#include <unistd.h>

#include "agent/agent_changesets.h"
#include "agent/agent_extensions.h"
#include "agent/agent_oauth.h"
#include "agent/agent_tools.h"
#include "agent/reader.h"
#include "agent/script_log.h"
#include "agent/turn_loop.h"
#include "base/json_fields.h"
#include "host/script/script_host.h"
#include "store/layout.h"
#include "v1alpha1/place.h"

namespace goondan::agent {
namespace {

// For the process that had the instance before to let go of it.
constexpr std::chrono::seconds kStoreTime{10};

// Everything of a running agent, in the order in which it is made.
struct Agent {
  std::shared_ptr<const AgentPlan> plan;
  std::unique_ptr<store::InstanceStore> store = {};
  std::unique_ptr<ToolRegistry> registry = {};
  std::unique_ptr<AgentOAuth> oauth = {};            // null: no application
  std::unique_ptr<AgentChangesets> changesets = {};  // null: nothing asks for them
  std::shared_ptr<RuntimeClient> runtime = {};
  std::unique_ptr<AgentExtensions> extensions = {};
  std::unique_ptr<TurnRunner> runner = {};
};

// The name of the swarm's folder: the instance's is `<workspace>/instances/<agent>/<key>`.
std::string workspace_of(const AgentStart& start) {
  return start.folder.parent_path().parent_path().parent_path().filename().string();
}

// `<workspace>/<agent>@<key>`: unique among the swarms of a state root.
std::string instance_id(const AgentStart& start) {
  return workspace_of(start) + "/" + start.plan->agent.meta.name + "@" + start.instance_key;
}

TurnSettings settings_of(const AgentStart& start, const AgentPlaces& places) {
  const AgentPlan& plan = *start.plan;
  return {.agent_name = plan.agent.meta.name,
          .instance_key = start.instance_key,
          .workdir = places.workdir,
          .instance_id = instance_id(start),
          .dialects = places.node_scripts ? CodeDialects::Both : CodeDialects::V1Only,
          .system_prompt = plan.system_prompt,
          .model_params = plan.agent.model_params,
          .max_steps = plan.max_steps,
          .max_result_bytes = plan.policy.max_result_bytes.value_or(kDefaultMaxResultBytes)};
}

TurnParts turn_parts(const Agent& agent, TurnSettings settings, Outbox& outbox) {
  TurnParts parts{.settings = std::move(settings),
                  .store = *agent.store,
                  .model = *agent.plan->model,
                  .registry = *agent.registry,
                  .declared = agent.plan->declared,
                  .handle_tools = agent.plan->handle_tools,
                  .executor = executor_options(*agent.plan, agent.runtime),
                  .sink = outbox};
  AgentExtensions& extensions = *agent.extensions;
  const ExtensionLayers& layers = extensions.layers();
  parts.turn_pipeline = &layers.turn;
  parts.step_pipeline = &layers.step;
  // Owned by the extensions, which live as long as the agent.
  parts.executor.pipeline = std::shared_ptr<const ToolCallPipeline>(
      std::shared_ptr<const ToolCallPipeline>(), &layers.tool_call);
  if (extensions.has_servers()) {
    parts.before_step = [&extensions](const std::stop_token& stop) {
      return extensions.before_step(stop);
    };
  }
  if (agent.oauth) {
    parts.blocks = [&oauth = *agent.oauth](const TurnMessage& input) {
      return oauth.blocks(input);
    };
  }
  return parts;
}

std::shared_ptr<Peer> start_scripts(const AgentPlan& plan, ScriptProgram program, Outbox& outbox) {
  std::shared_ptr<Peer> scripts = make_script_host(
      {.bundle_root = plan.bundle.root(), .name = plan.agent.meta.name, .program = program});
  scripts->listen(std::make_shared<ScriptLog>(outbox));
  return scripts;
}

Result<AgentPlaces> make_places(const AgentStart& start, Outbox& outbox) {
  const AgentPlan& plan = *start.plan;
  std::string workdir = GDN_TRY(open_workdir(start.folder, start.cwd));
  AgentPlaces places{.workdir = std::move(workdir),
                     .state_root = start.state_root.string(),
                     .scripts = start_scripts(plan, ScriptProgram::Any, outbox)};
  if (may_change_bundle(plan))
    places.worktrees = store::changeset_folder(start.state_root, workspace_of(start)).string();
  if (!v1alpha1::uses_first_dialect(plan.bundle, plan.agent)) return places;
  places.node_scripts = start_scripts(plan, ScriptProgram::Node, outbox);
  places.place = v1alpha1::make_place({.bundle = plan.bundle,
                                       .swarm_name = plan.swarm_name,
                                       .agent_name = plan.agent.meta.name,
                                       .instance_id = instance_id(start),
                                       .instance_key = start.instance_key});
  return places;
}

// What answers for the runtime in this process.
Result<std::vector<RuntimeService*>> add_services(Agent& agent, const AgentStart& start,
                                                  const AgentPlaces& places, Outbox& outbox) {
  std::vector<RuntimeService*> services;
  agent.oauth = GDN_TRY(AgentOAuth::open({.plan = *start.plan,
                                          .state_root = start.state_root,
                                          .workspace = workspace_of(start),
                                          .instance_key = start.instance_key,
                                          .sink = outbox}));
  if (agent.oauth) services.push_back(agent.oauth.get());
  if (!places.worktrees.empty()) {
    agent.changesets = std::make_unique<AgentChangesets>(
        AgentChangesets::Parts{.plan = *start.plan, .worktrees = places.worktrees});
    services.push_back(agent.changesets.get());
  }
  return services;
}

Result<Agent> make_agent(const AgentStart& start, Link& link, Outbox& outbox,
                         const std::stop_token& stop) {
  Agent agent{.plan = start.plan};
  agent.store = GDN_TRY(store::InstanceStore::open(start.folder, Clock::now() + kStoreTime,
                                                   {.after_commit = start.after_commit}));
  const AgentPlaces places = GDN_TRY(make_places(start, outbox));
  agent.registry = GDN_TRY(load_tools(*start.plan, places, stop));
  TurnSettings settings = settings_of(start, places);
  std::vector<RuntimeService*> services = GDN_TRY(add_services(agent, start, places, outbox));
  agent.runtime = std::make_shared<RuntimeClient>(
      RuntimeClient::Parts{.link = link,
                           .outbox = outbox,
                           .store = *agent.store,
                           .workspaces = workspaces_of(*start.plan, places),
                           .max_result_bytes = settings.max_result_bytes,
                           .services = std::move(services)});
  if (agent.changesets) agent.changesets->attach(*agent.runtime);
  agent.extensions = GDN_TRY(AgentExtensions::start({.plan = *start.plan,
                                                     .places = places,
                                                     .instance_key = start.instance_key,
                                                     .store = *agent.store,
                                                     .registry = *agent.registry,
                                                     .sink = outbox,
                                                     .runtime = agent.runtime,
                                                     .stop = stop}));
  agent.runner = std::make_unique<TurnRunner>(turn_parts(agent, std::move(settings), outbox));
  return agent;
}

// The connection, and what goes over it.
struct Line {
  explicit Line(AgentStart& start)
      : name{.agent = start.plan->agent.meta.name, .instance_key = start.instance_key},
        link(std::move(start.socket), name.agent + "@" + name.instance_key),
        outbox(link, name, start.plan->redactor),
        reader(link, inbox) {}

  Outbox::Names name;
  Link link;
  Inbox inbox;
  Outbox outbox;
  Reader reader;
};

int say_goodbye(Line& line) {
  static_cast<void>(line.outbox.flush().ok());
  const Json payload = JsonObject{{"instanceKey", line.name.instance_key}};
  return line.link.send(ipc::MessageType::ShutdownAck, payload).ok() ? 0 : 1;
}

// Not before the orchestrator knows the process: what an earlier one has left may be told at once.
void begin_oauth(Line& line, const Agent& agent) {
  if (!agent.oauth) return;
  const Result<void> begun = agent.oauth->begin(*agent.runtime);
  if (begun.ok()) return;
  line.outbox.observe({{"type", "extension.log"},
                       {"extension", "oauth"},
                       {"level", "error"},
                       {"text", begun.error().message}});
}

int run_started(Line& line, Agent& agent) {
  const RunningAgent running{
      .store = *agent.store, .runtime = *agent.runtime, .runner = *agent.runner};
  line.reader.attach(running);
  line.inbox.note_injections();  // what a process before this one has left
  if (line.link.send_event("ready", {{"pid", ::getpid()}}).ok()) {
    begin_oauth(line, agent);
    take_turns({.inbox = line.inbox,
                .store = *agent.store,
                .runner = *agent.runner,
                .link = line.link,
                .outbox = line.outbox});
  }
  if (agent.oauth) agent.oauth->stop();
  const bool shut_down = line.reader.end() == Reader::End::Shutdown;
  const int code = shut_down ? say_goodbye(line) : 1;
  // Ends the processes that run commands, plugins, scripts and servers.
  agent.extensions->stop();
  agent.registry.reset();
  line.reader.stop();
  return code;
}

}  // namespace

int run_agent(AgentStart start) {
  // Never destroyed: a handler that was left behind may use them until the process ends.
  Line& line = *std::make_unique<Line>(start).release();
  Result<Agent> made = make_agent(start, line.link, line.outbox, line.reader.ending());
  if (!made.ok()) {
    if (line.reader.end() == Reader::End::Shutdown) return say_goodbye(line);
    static_cast<void>(
        line.link.send_event("start_failed", {{"error", error_json(made.error())}}).ok());
    return 1;
  }
  Agent& agent = *std::make_unique<Agent>(*std::move(made)).release();
  return run_started(line, agent);
}

}  // namespace goondan::agent
