#include <set>
#include <string>

#include "resource/entry.h"
#include "resource/readers.h"

namespace goondan {
namespace {

std::map<std::string, ConnectorResource::Property> read_properties(const Place& place,
                                                                   ReadContext& context) {
  std::map<std::string, ConnectorResource::Property> properties;
  if (!read_object(place, context.diagnostics)) return properties;
  for (std::size_t i = 0; i < place.node->children.size() / 2; ++i) {
    const Place member = place.member(i);
    MappingReader reader(member, context.diagnostics);
    const std::optional<std::string> type = reader.require_text("type");
    const bool optional = reader.flag("optional").value_or(false);
    reader.finish();
    if (type)
      properties.emplace(member.key->text,
                         ConnectorResource::Property{.type = *type, .optional = optional});
  }
  return properties;
}

void read_event(const Place& place, ConnectorResource& connector, std::set<std::string>& taken,
                ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  const std::optional<Place> name = reader.find("name");
  ConnectorResource::Event event{.name = reader.require_text("name").value_or("")};
  if (const std::optional<Place> properties = reader.find("properties")) {
    event.properties = read_properties(*properties, context);
  }
  reader.finish();
  const bool repeated = !event.name.empty() && !taken.insert(event.name).second;
  if (repeated && name) {
    context.diagnostics.error(
        name->spot(), ErrorCode::ConfigSchemaInvalid,
        "the connector already has an event named " + in_backticks(event.name),
        "Rename or remove one of the two.");
  }
  connector.events.push_back(std::move(event));
}

}  // namespace

ConnectorResource read_connector(ResourceMeta meta, const Place& spec, ReadContext& context) {
  ConnectorResource connector{.meta = std::move(meta)};
  const bool v1 = connector.meta.dialect == Dialect::V1;
  MappingReader reader(spec, context.diagnostics);
  const std::optional<Place> entry =
      v1 ? reader.require("entry", "Give the path of the connector's code.") : reader.find("entry");
  if (entry) {
    connector.entry = check_entry(*entry, context.files, context.diagnostics).value_or("");
  }
  constexpr std::string_view kExample = "Add `events:` with `- name: <name>` below it.";
  const std::optional<Place> events =
      v1 ? reader.require("events", kExample) : reader.find("events");
  if (events) {
    std::set<std::string> taken;
    for (const Place& item : read_items(*events, context.diagnostics)) {
      read_event(item, connector, taken, context);
    }
    if (connector.events.empty() && events->node->kind == yaml::NodeKind::Sequence) {
      context.diagnostics.error(events->spot(), ErrorCode::ConfigSchemaInvalid,
                                "a connector needs at least one event", std::string(kExample));
    }
  }
  reader.finish(unknown_fields(connector.meta.dialect));
  return connector;
}

}  // namespace goondan
