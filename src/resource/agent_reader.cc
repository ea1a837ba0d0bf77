#include <map>
#include <string>

#include "resource/entry.h"
#include "resource/readers.h"

namespace goondan {
namespace {

void read_model_config(MappingReader& spec, AgentResource& agent, ReadContext& context) {
  const bool v1 = agent.meta.dialect == Dialect::V1;
  constexpr std::string_view kExample = "Write `modelConfig: {modelRef: Model/<name>}`.";
  const std::optional<Place> config =
      v1 ? spec.require("modelConfig", kExample) : spec.find("modelConfig");
  if (!config) return;
  MappingReader reader(*config, context.diagnostics);
  const std::optional<Place> model =
      v1 ? reader.require("modelRef", kExample) : reader.find("modelRef");
  if (model) {
    agent.model = read_reference(*model, Kind::Model, context.references, context.diagnostics);
  }
  agent.model_params = reader.object("params");
  reader.finish(unknown_fields(agent.meta.dialect));
}

void read_prompt(const Place& place, AgentResource& agent, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  agent.system_prompt = reader.text("system");
  if (const std::optional<Place> file = reader.find("systemRef")) {
    agent.system_ref = check_file(*file, context.files, context.diagnostics);
    if (agent.system_prompt) {
      context.diagnostics.error(file->key_spot(), ErrorCode::ConfigSchemaInvalid,
                                "`system` and `systemRef` are both given; one is allowed",
                                "Remove one of the two.");
    }
  }
  reader.finish(unknown_fields(agent.meta.dialect));
}

// Two references to one tool are one, at the place of the first and with the content of the last.
void read_tools(MappingReader& spec, AgentResource& agent, ReadContext& context) {
  std::map<std::string, std::size_t> places;
  for (const Place& item : spec.items("tools")) {
    std::optional<ObjectRef> ref =
        read_reference(item, Kind::Tool, context.references, context.diagnostics);
    if (!ref) continue;
    const auto [place, added] = places.try_emplace(ref->text(), agent.tools.size());
    if (added) {
      agent.tools.push_back(std::move(*ref));
    } else {
      agent.tools[place->second] = std::move(*ref);
    }
  }
}

void read_extensions(MappingReader& spec, AgentResource& agent, ReadContext& context) {
  for (const Place& item : spec.items("extensions")) {
    std::optional<ObjectRef> ref =
        read_reference(item, Kind::Extension, context.references, context.diagnostics);
    ExtensionUse use;
    if (const std::optional<Place> config = item.find("config")) {
      use.config = read_object(*config, context.diagnostics).value_or(JsonObject{});
    }
    if (!ref) continue;
    use.ref = std::move(*ref);
    agent.extensions.push_back(std::move(use));
  }
}

// In the first dialect they stand beside the policy.
void read_changesets_beside(MappingReader& spec, AgentResource& agent, ReadContext& context) {
  const std::optional<Place> changesets = spec.find("changesets");
  if (!changesets) return;
  if (agent.policy.changesets) {
    context.diagnostics.error(changesets->key_spot(), ErrorCode::ConfigSchemaInvalid,
                              "`changesets` and `policy.changesets` are both given; one is allowed",
                              "Remove one of the two.");
  }
  agent.policy.changesets = read_changesets(*changesets, context);
}

}  // namespace

AgentResource read_agent(ResourceMeta meta, const Place& spec, ReadContext& context) {
  AgentResource agent{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  read_model_config(reader, agent, context);
  std::optional<Place> prompt = reader.find("prompt");
  if (!prompt && agent.meta.dialect == Dialect::V1Alpha1) prompt = reader.find("prompts");
  if (prompt) read_prompt(*prompt, agent, context);
  read_tools(reader, agent, context);
  read_extensions(reader, agent, context);
  agent.required_tools = reader.texts("requiredTools");
  if (const std::optional<Place> policy = reader.find("policy")) {
    MappingReader grants(*policy, context.diagnostics);
    agent.policy = read_grants(grants, context);
    grants.finish(Unknown::Error);
  }
  if (agent.meta.dialect == Dialect::V1Alpha1) {
    read_changesets_beside(reader, agent, context);
    reader.allow({"prompts", "hooks"});
  }
  reader.finish(unknown_fields(agent.meta.dialect));
  return agent;
}

}  // namespace goondan
