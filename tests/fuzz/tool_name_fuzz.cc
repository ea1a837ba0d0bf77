// Tool names from anywhere: what is built can be read back, what a provider gets can be mapped
// back.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <goondan/registry.h>

#include "tool/provider_names.h"

namespace {

using namespace goondan;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_build(std::string_view resource, std::string_view export_name) {
  const Result<std::string> built = ToolName::build(resource, export_name);
  if (!built.ok()) return;
  const auto parsed = ToolName::parse(*built);
  require(parsed.has_value() && parsed->resource == resource && parsed->export_name == export_name);
}

void add(ToolRegistry& registry, std::string_view name) {
  const Result<void> added = registry.add(
      {.item = {.name = std::string(name)},
       .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); }});
  require(added.ok() == (registry.find(name) != nullptr) ||
          added.error().code == ErrorCode::ToolDuplicate);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t half = text.find('\n');
  check_build(text.substr(0, half), half == std::string_view::npos ? "" : text.substr(half + 1));

  ToolRegistry registry;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    add(registry, rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  const ToolCatalog catalog(registry);
  const ProviderNames names(catalog);
  for (const auto& entry : catalog.entries()) {
    const std::string mapped = names.to_provider(entry->name());
    require(provider_accepts(mapped));
    require(names.from_provider(mapped) == entry->name());
  }
  require(truncate_error_message(text, 20).size() <= 20 * 4);
  return 0;
}
