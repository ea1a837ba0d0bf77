#include "resource/envelope.h"

#include <array>

#include "base/nearest.h"
#include "resource/mapping_reader.h"
#include "resource/names.h"

namespace goondan {
namespace {

constexpr std::string_view kApiVersion = "goondan.ai/v1";
constexpr std::string_view kFirstApiVersion = "agents.example.io/v1alpha1";
constexpr std::array kApiVersions{kApiVersion, kFirstApiVersion};

// The dialect, also of a likely slip, so that the rest of the document is still checked.
std::optional<Dialect> read_dialect(MappingReader& reader, Diagnostics& diagnostics) {
  const std::optional<Place> place = reader.find("apiVersion");
  if (!place) {
    diagnostics.error(reader.place().spot(), ErrorCode::ConfigUnsupportedApiVersion,
                      "`apiVersion` is missing", "Write `apiVersion: goondan.ai/v1`.");
    return Dialect::V1;
  }
  const std::string& text = place->node->text;
  if (text == kApiVersion) return Dialect::V1;
  if (text == kFirstApiVersion) return Dialect::V1Alpha1;
  const std::string_view like = nearest(text, kApiVersions);
  diagnostics.error(place->spot(), ErrorCode::ConfigUnsupportedApiVersion,
                    "the apiVersion " + in_backticks(text) + " is not supported",
                    like.empty() ? "Write `goondan.ai/v1` or `agents.example.io/v1alpha1`."
                                 : "Did you mean " + in_backticks(like) + "?");
  if (like.empty()) return std::nullopt;
  return like == kApiVersion ? Dialect::V1 : Dialect::V1Alpha1;
}

std::optional<Kind> read_kind(MappingReader& reader, Diagnostics& diagnostics) {
  const std::optional<Place> place = reader.find("kind");
  if (!place) {
    diagnostics.error(reader.place().spot(), ErrorCode::ConfigKindMissing,
                      "this document has no `kind`", "Say what it is, for example `kind: Tool`.");
    return std::nullopt;
  }
  const std::string& text = place->node->text;
  if (const std::optional<Kind> kind = find_kind(text)) return kind;
  const std::string_view like = nearest_kind(text);
  diagnostics.error(place->spot(), ErrorCode::ConfigUnknownKind,
                    "the kind " + in_backticks(text) + " is not known",
                    like.empty() ? "Known kinds: Package, Model, Agent, Swarm, Tool, Extension, "
                                   "Connector, Connection, OAuthApp."
                                 : "Did you mean " + in_backticks(like) + "?");
  return find_kind(like);
}

// The place of the name, once it is known to be text.
std::optional<Place> read_metadata(const Place& place, ResourceMeta& meta,
                                   Diagnostics& diagnostics) {
  MappingReader reader(place, diagnostics);
  std::optional<Place> name = reader.require("name");
  meta.labels = reader.text_map("labels");
  meta.annotations = reader.text_map("annotations");
  reader.finish();
  if (!name) return std::nullopt;
  const std::optional<std::string> text = read_text(*name, diagnostics);
  if (!text) return std::nullopt;
  meta.name = *text;
  check_resource_name(*name, meta, diagnostics);
  return name;
}

SourcePosition position_of(const SourceDocument& document) {
  const auto [line, column] = document.source->locate(document.root->begin);
  return {.file = document.source->name(),
          .document_index = document.index,
          .line = line,
          .column = column};
}

}  // namespace

std::optional<Envelope> read_envelope(const SourceDocument& document, Declarations& declarations,
                                      Diagnostics& diagnostics) {
  const Place root = Place::root(document);
  if (root.node->kind != yaml::NodeKind::Mapping) {
    diagnostics.error(
        root.spot(), ErrorCode::ConfigSchemaInvalid,
        "a document must be a mapping, not " + std::string(yaml::describe(*root.node)),
        "Begin it with `apiVersion`, `kind`, `metadata` and `spec`.");
    return std::nullopt;
  }
  if (!root.find("apiVersion") && !root.find("kind")) {
    diagnostics.error(root.spot(), ErrorCode::ConfigKindMissing,
                      "this document has no `kind` and no `apiVersion`",
                      "Begin it with `apiVersion: goondan.ai/v1` and, for example, `kind: Tool`.");
    return std::nullopt;
  }
  MappingReader reader(root, diagnostics);
  const std::optional<Dialect> dialect = read_dialect(reader, diagnostics);
  const std::optional<Kind> kind = read_kind(reader, diagnostics);
  const std::optional<Place> metadata = reader.require("metadata");
  reader.allow({"spec"});
  reader.finish();
  if (!kind) return std::nullopt;

  Envelope envelope{.meta = {.dialect = dialect.value_or(Dialect::V1),
                             .kind = *kind,
                             .position = position_of(document),
                             .document = root.node->to_json()}};
  if (metadata) {
    const std::optional<Place> name = read_metadata(*metadata, envelope.meta, diagnostics);
    if (name) declarations.add(*kind, envelope.meta.name, *name, diagnostics);
  }
  if (dialect)
    envelope.spec = *kind == Kind::Package ? reader.find("spec") : reader.require("spec");
  return envelope;
}

void declare_broken(const SourceDocument& document, Declarations& declarations) {
  const Place root = Place::root(document);
  const std::optional<Place> kind = root.find("kind");
  const std::optional<Place> metadata = root.find("metadata");
  if (!kind || !metadata) return;
  const std::optional<Kind> known = find_kind(kind->node->text);
  const std::optional<Place> name = metadata->find("name");
  Diagnostics unheard;
  if (known && name && name->node->is_text()) {
    declarations.add(*known, name->node->text, *name, unheard);
  }
}

}  // namespace goondan
