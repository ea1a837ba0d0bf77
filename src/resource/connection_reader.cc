#include "resource/readers.h"

namespace goondan {
namespace {

std::map<std::string, ValueSource> read_sources(MappingReader& spec, std::string_view name,
                                                ReadContext& context) {
  std::map<std::string, ValueSource> sources;
  const std::optional<Place> field = spec.find(name);
  if (!field || !read_object(*field, context.diagnostics)) return sources;
  for (std::size_t i = 0; i < field->node->children.size() / 2; ++i) {
    const Place member = field->member(i);
    std::optional<ValueSource> source = read_value_source(member, context);
    if (source) sources.emplace(member.key->text, std::move(*source));
  }
  return sources;
}

// Numbers and flags are compared as they are written.
void read_match(const Place& place, ConnectionResource::Rule& rule, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  rule.event = reader.text("event");
  const std::optional<Place> properties = reader.find("properties");
  reader.finish();
  if (!properties || !read_object(*properties, context.diagnostics)) return;
  for (std::size_t i = 0; i < properties->node->children.size() / 2; ++i) {
    const Place member = properties->member(i);
    if (member.node->kind == yaml::NodeKind::Scalar) {
      rule.properties.emplace(member.key->text, member.node->text);
    } else {
      context.diagnostics.error(
          member.spot(), ErrorCode::ConfigSchemaInvalid,
          in_backticks(member.key->text) + " must be text, a number or a flag");
    }
  }
}

void read_route(const Place& place, ConnectionResource::Rule& rule, ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  if (const std::optional<Place> agent = reader.find("agentRef")) {
    rule.agent = read_reference(*agent, Kind::Agent, context.references, context.diagnostics);
  }
  rule.instance_key = reader.text("instanceKey");
  rule.instance_key_property = reader.text("instanceKeyProperty");
  rule.instance_key_prefix = reader.text_or("instanceKeyPrefix", "");
  reader.finish();
  if (!rule.instance_key || !rule.instance_key_property) return;
  context.diagnostics.error(place.key_spot(), ErrorCode::ConfigSchemaInvalid,
                            "`instanceKey` and `instanceKeyProperty` are both given; one is "
                            "allowed",
                            "Remove one of the two.");
}

ConnectionResource::Rule read_rule(const Place& place, Dialect dialect, ReadContext& context) {
  ConnectionResource::Rule rule;
  MappingReader reader(place, context.diagnostics);
  if (const std::optional<Place> match = reader.find("match")) read_match(*match, rule, context);
  if (const std::optional<Place> route = reader.find("route")) read_route(*route, rule, context);
  reader.finish(unknown_fields(dialect));
  return rule;
}

}  // namespace

ConnectionResource read_connection(ResourceMeta meta, const Place& spec, ReadContext& context) {
  ConnectionResource connection{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  if (const auto connector = reader.require("connectorRef", "Write `Connector/<name>`.")) {
    connection.connector =
        read_reference(*connector, Kind::Connector, context.references, context.diagnostics)
            .value_or(ObjectRef{});
  }
  if (const std::optional<Place> swarm = reader.find("swarmRef")) {
    connection.swarm = read_reference(*swarm, Kind::Swarm, context.references, context.diagnostics);
  }
  connection.config = read_sources(reader, "config", context);
  connection.secrets = read_sources(reader, "secrets", context);
  if (const std::optional<Place> ingress = reader.find("ingress")) {
    MappingReader inner(*ingress, context.diagnostics);
    for (const Place& item : inner.items("rules")) {
      connection.rules.push_back(read_rule(item, connection.meta.dialect, context));
    }
    inner.finish();
  }
  reader.finish(unknown_fields(connection.meta.dialect));
  return connection;
}

}  // namespace goondan
