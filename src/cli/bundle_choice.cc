#include "cli/bundle_choice.h"

namespace goondan::cli {

Result<std::optional<Bundle>> choose_bundle(const std::optional<std::string>& given) {
  std::error_code ignored;
  if (!given && !std::filesystem::exists("goondan.yaml", ignored)) return std::optional<Bundle>();
  return std::optional<Bundle>(GDN_TRY(Bundle::load(given.value_or("."))));
}

}  // namespace goondan::cli
