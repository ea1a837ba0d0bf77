#include "resource/readers.h"

namespace goondan {
namespace {

std::optional<std::chrono::seconds> seconds(MappingReader& reader, std::string_view name) {
  const std::optional<std::size_t> count = reader.positive(name);
  if (!count) return std::nullopt;
  return std::chrono::seconds(*count);
}

void read_lifecycle(const Place& place, SwarmResource& swarm, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  swarm.ttl = seconds(reader, "ttlSeconds");
  swarm.gc_grace = seconds(reader, "gcGraceSeconds");
  if (swarm.meta.dialect == Dialect::V1Alpha1) reader.allow({"autoPauseIdleSeconds"});
  reader.finish(Unknown::Error);
}

void read_policy(const Place& place, SwarmResource& swarm, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  swarm.max_steps_per_turn = reader.positive("maxStepsPerTurn").value_or(kDefaultMaxStepsPerTurn);
  if (const std::optional<Place> lifecycle = reader.find("lifecycle")) {
    read_lifecycle(*lifecycle, swarm, context);
  }
  if (const std::optional<Place> shutdown = reader.find("shutdown")) {
    MappingReader inner(*shutdown, context.diagnostics);
    swarm.shutdown_grace = seconds(inner, "gracePeriodSeconds").value_or(kDefaultShutdownGrace);
    inner.finish(Unknown::Error);
  }
  swarm.policy = read_grants(reader, context);
  if (swarm.meta.dialect == Dialect::V1Alpha1) reader.allow({"queueMode"});
  reader.finish(Unknown::Error);
}

void read_agents(MappingReader& spec, SwarmResource& swarm, ReadContext& context) {
  const std::optional<Place> agents = spec.require("agents", "List them: `- ref: Agent/<name>`.");
  if (!agents) return;
  const std::vector<Place> items = read_items(*agents, context.diagnostics);
  for (const Place& item : items) {
    std::optional<ObjectRef> ref =
        read_reference(item, Kind::Agent, context.references, context.diagnostics);
    if (ref) swarm.agents.push_back(std::move(*ref));
  }
  if (items.empty() && agents->node->kind == yaml::NodeKind::Sequence) {
    context.diagnostics.error(agents->spot(), ErrorCode::ConfigSchemaInvalid,
                              "a swarm needs at least one agent",
                              "List them: `- ref: Agent/<name>`.");
  }
}

void read_entry_agent(MappingReader& spec, SwarmResource& swarm, ReadContext& context) {
  std::optional<Place> entry;
  if (swarm.meta.dialect == Dialect::V1Alpha1) entry = spec.find("entrypoint");
  if (entry) {
    spec.allow({"entryAgent"});
  } else {
    entry = spec.require("entryAgent", "Write `entryAgent: Agent/<name>`.");
  }
  if (!entry) return;
  std::optional<ObjectRef> ref =
      read_reference(*entry, Kind::Agent, context.references, context.diagnostics);
  if (ref) swarm.entry_agent = std::move(*ref);
}

}  // namespace

SwarmResource read_swarm(ResourceMeta meta, const Place& spec, ReadContext& context) {
  SwarmResource swarm{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  read_entry_agent(reader, swarm, context);
  read_agents(reader, swarm, context);
  swarm.instance_key = swarm.meta.name;
  if (reader.find("instanceKey")) {
    swarm.instance_key = reader.require_text("instanceKey", "Remove it to use the swarm's name.")
                             .value_or(swarm.meta.name);
  }
  if (const std::optional<Place> policy = reader.find("policy")) {
    read_policy(*policy, swarm, context);
  }
  reader.finish(unknown_fields(swarm.meta.dialect));
  return swarm;
}

}  // namespace goondan
