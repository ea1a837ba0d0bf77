#include "resource/readers.h"

namespace goondan {

std::optional<ValueSource> read_value_source(const Place& place, ReadContext& context) {
  Result<ValueSource> source = ValueSource::parse(place.node->to_json());
  if (source) return std::move(source).value();
  context.diagnostics.error(place.spot(), source.error().code, source.error().message,
                            source.error().suggestion);
  return std::nullopt;
}

Isolation read_isolation(MappingReader& spec, ReadContext& context) {
  const std::optional<Place> field = spec.find("isolation");
  if (!field || field->node->text == "worker") return Isolation::Worker;
  if (field->node->text == "inProcess") return Isolation::InProcess;
  context.diagnostics.error(
      field->spot(), ErrorCode::ConfigSchemaInvalid,
      "`isolation` must be `worker` or `inProcess`, not " + in_backticks(field->node->text));
  return Isolation::Worker;
}

Unknown unknown_fields(Dialect dialect) {
  return dialect == Dialect::V1Alpha1 ? Unknown::WarnOnSlips : Unknown::Warning;
}

}  // namespace goondan
