#include "cli/bundle_choice.h"

#include <algorithm>
#include <iterator>

#include "builtin/load.h"
#include "tool/declared.h"

namespace goondan::cli {

bool has_bundle(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "goondan.yaml", ignored) ||
         std::filesystem::exists(folder / "goondan.yml", ignored);
}

Result<std::optional<Bundle>> choose_bundle(const std::optional<std::string>& given) {
  if (!given && !has_bundle(".")) return std::optional<Bundle>();
  return std::optional<Bundle>(GDN_TRY(Bundle::load(given.value_or("."))));
}

Result<ToolCatalog> callable_tools(const std::optional<Bundle>& bundle) {
  std::vector<ToolResource> tools = bundle ? bundle->tools() : std::vector<ToolResource>{};
  std::ranges::copy(builtin_tools(), std::back_inserter(tools));
  return declared_catalog(tools);
}

}  // namespace goondan::cli
