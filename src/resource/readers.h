// One reader for each kind: from the `spec` of a document to its struct. Each reports everything
// that is wrong with it and returns what could be read.
#pragma once

#include <goondan/resources.h>

#include "resource/mapping_reader.h"
#include "resource/place.h"
#include "resource/reading.h"

namespace goondan {

PackageResource read_package(ResourceMeta meta, const Place& spec, ReadContext& context);
ModelResource read_model(ResourceMeta meta, const Place& spec, ReadContext& context);
AgentResource read_agent(ResourceMeta meta, const Place& spec, ReadContext& context);
SwarmResource read_swarm(ResourceMeta meta, const Place& spec, ReadContext& context);
ToolResource read_tool(ResourceMeta meta, const Place& spec, ReadContext& context);
ExtensionResource read_extension(ResourceMeta meta, const Place& spec, ReadContext& context);
ConnectorResource read_connector(ResourceMeta meta, const Place& spec, ReadContext& context);
ConnectionResource read_connection(ResourceMeta meta, const Place& spec, ReadContext& context);
OAuthAppResource read_oauth_app(ResourceMeta meta, const Place& spec, ReadContext& context);

// What an operator grants (`http`, `files`, `env`, `tools`, `changesets`), from a reader of
// `policy`. The caller finishes the reader: an unknown field there is an error.
Policy read_grants(MappingReader& policy, ReadContext& context);

// `{enabled?, allowed?: {files?}}`
ChangesetPolicy read_changesets(const Place& place, ReadContext& context);

// A value source, or nothing after reporting what is wrong with it.
std::optional<ValueSource> read_value_source(const Place& place, ReadContext& context);

// `isolation`: where native code runs.
Isolation read_isolation(MappingReader& spec, ReadContext& context);

// The first dialect's specifications have fields that only their document keeps.
Unknown unknown_fields(Dialect dialect);

}  // namespace goondan
