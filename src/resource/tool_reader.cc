#include <set>
#include <string>

#include "resource/entry.h"
#include "resource/limits.h"
#include "resource/names.h"
#include "resource/parameters.h"
#include "resource/readers.h"

namespace goondan {
namespace {

// Fields of the first dialect that the current one dropped.
void warn_removed(MappingReader& reader, std::string_view name, std::string_view replaced_by,
                  ReadContext& context) {
  const std::optional<Place> field = reader.find(name);
  if (!field) return;
  context.diagnostics.warning(field->key_spot(), ErrorCode::ConfigRemovedField,
                              in_backticks(name) + " does not exist any more in `goondan.ai/v1`",
                              std::string(replaced_by));
}

constexpr std::string_view kAuthReplaced =
    "Remove it: in `goondan.ai/v1` tokens are an extension's business.";

void read_runtime(MappingReader& spec, const ToolResource& tool, ReadContext& context) {
  if (tool.meta.dialect == Dialect::V1) {
    warn_removed(spec, "runtime", "Remove it: the file's suffix says how the entry runs.", context);
    return;
  }
  constexpr std::string_view kExample = "Write `runtime: node`.";
  const std::optional<Place> runtime = spec.require("runtime", kExample);
  if (!runtime || runtime->node->text == "node") return;
  context.diagnostics.error(runtime->spot(), ErrorCode::ConfigSchemaInvalid,
                            "`runtime` must be `node`", std::string(kExample));
}

void read_auth(MappingReader& spec, ToolResource& tool, ReadContext& context) {
  if (tool.meta.dialect == Dialect::V1) {
    return warn_removed(spec, "auth", kAuthReplaced, context);
  }
  const std::optional<Place> auth = spec.find("auth");
  if (!auth) return;
  MappingReader reader(*auth, context.diagnostics);
  const std::optional<Place> app = reader.require("oauthAppRef");
  ToolAuth result{.oauth_app = {}, .scopes = reader.texts("scopes")};
  reader.finish();
  if (!app) return;
  std::optional<ObjectRef> ref =
      read_reference(*app, Kind::OAuthApp, context.references, context.diagnostics);
  if (!ref) return;
  result.oauth_app = std::move(*ref);
  tool.auth = std::move(result);
}

std::vector<std::string> read_export_scopes(MappingReader& reader, Dialect dialect,
                                            ReadContext& context) {
  if (dialect == Dialect::V1) {
    warn_removed(reader, "auth", kAuthReplaced, context);
    return {};
  }
  const std::optional<Place> auth = reader.find("auth");
  if (!auth) return {};
  MappingReader inner(*auth, context.diagnostics);
  std::vector<std::string> scopes = inner.texts("scopes");
  inner.finish();
  return scopes;
}

// The name, checked; `taken` are those of the exports before.
std::string read_export_name(MappingReader& reader, const ToolResource& tool,
                             std::set<std::string>& taken, ReadContext& context) {
  const std::optional<Place> place = reader.require("name");
  if (!place) return {};
  const std::optional<std::string> name = read_text(*place, context.diagnostics);
  if (!name) return {};
  check_export_name(*place, *name, tool.meta.dialect, context.diagnostics);
  if (!taken.insert(*name).second) {
    context.diagnostics.error(place->spot(), ErrorCode::ConfigSchemaInvalid,
                              "the tool already has an export named " + in_backticks(*name),
                              "Rename or remove one of the two.");
  }
  check_visible_name(*place, tool.visible_name({.name = *name}), context.diagnostics);
  return *name;
}

ToolExport read_export(const Place& place, const ToolResource& tool, std::set<std::string>& taken,
                       ReadContext& context) {
  MappingReader reader(place, context.diagnostics);
  ToolExport exported{.name = read_export_name(reader, tool, taken, context)};
  exported.description = reader.text("description");
  if (const std::optional<Place> parameters = reader.find("parameters")) {
    exported.parameters = parameters->node->to_json();
    check_parameters(*parameters, *exported.parameters, context.diagnostics);
  }
  exported.idempotent = reader.flag("idempotent").value_or(false);
  exported.scopes = read_export_scopes(reader, tool.meta.dialect, context);
  reader.finish();
  return exported;
}

void read_exports(MappingReader& spec, ToolResource& tool, ReadContext& context) {
  constexpr std::string_view kExample = "Add `exports:` with `- name: <name>` below it.";
  const std::optional<Place> exports = spec.require("exports", kExample);
  if (!exports) return;
  const std::vector<Place> items = read_items(*exports, context.diagnostics);
  if (items.size() > kMaxExports) {
    context.diagnostics.error(exports->key_spot(), ErrorCode::ConfigSchemaInvalid,
                              "the tool has " + std::to_string(items.size()) + " exports; " +
                                  std::to_string(kMaxExports) + " are allowed",
                              "Split it into several tools.");
    return;
  }
  std::set<std::string> taken;
  for (const Place& item : items)
    tool.exports.push_back(read_export(item, tool, taken, context));
  if (items.empty() && exports->node->kind == yaml::NodeKind::Sequence) {
    context.diagnostics.error(exports->spot(), ErrorCode::ConfigSchemaInvalid,
                              "a tool needs at least one export", std::string(kExample));
  }
}

}  // namespace

std::string ToolResource::visible_name(const ToolExport& exported) const {
  return meta.dialect == Dialect::V1Alpha1 ? exported.name : meta.name + "__" + exported.name;
}

ToolResource read_tool(ResourceMeta meta, const Place& spec, ReadContext& context) {
  ToolResource tool{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  read_runtime(reader, tool, context);
  if (const auto entry = reader.require("entry", "Give the path of the file with the handlers.")) {
    tool.entry = check_entry(*entry, context.files, context.diagnostics).value_or("");
    check_entry_kind(*entry, tool.entry, context.diagnostics);
  }
  tool.error_message_limit =
      reader.positive("errorMessageLimit").value_or(kDefaultErrorMessageLimit);
  tool.isolation = read_isolation(reader, context);
  read_auth(reader, tool, context);
  read_exports(reader, tool, context);
  reader.finish();
  return tool;
}

}  // namespace goondan
