#include "resource/readers.h"

namespace goondan {
namespace {

void read_dependencies(MappingReader& spec, PackageResource& package, ReadContext& context) {
  const std::optional<Place> list = spec.find("dependencies");
  if (!list) return;
  for (const Place& item : read_items(*list, context.diagnostics)) {
    MappingReader reader(item, context.diagnostics);
    const std::optional<std::string> name = reader.require_text("name");
    const std::optional<std::string> version = reader.require_text("version");
    reader.finish();
    if (name && version) package.dependencies.emplace_back(*name, *version);
  }
  if (package.dependencies.empty()) return;
  context.diagnostics.warning(list->key_spot(), ErrorCode::ConfigSchemaInvalid,
                              "dependencies are not installed by this version",
                              "Copy what is needed into the bundle.");
}

}  // namespace

PackageResource read_package(ResourceMeta meta, const Place& spec, ReadContext& context) {
  PackageResource package{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  package.version = reader.text_or("version", "");
  package.description = reader.text_or("description", "");
  if (const std::optional<Place> access = reader.find("access")) {
    package.access = access->node->text;
    if (package.access != "public" && package.access != "restricted") {
      context.diagnostics.error(
          access->spot(), ErrorCode::ConfigSchemaInvalid,
          "`access` must be `public` or `restricted`, not " + in_backticks(package.access));
    }
  }
  read_dependencies(reader, package, context);
  if (const std::optional<Place> registry = reader.find("registry")) {
    MappingReader inner(*registry, context.diagnostics);
    package.registry_url = inner.text_or("url", "");
    inner.finish();
  }
  reader.finish();
  return package;
}

}  // namespace goondan
