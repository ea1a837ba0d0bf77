#include "host/native/check_extension.h"

#include <algorithm>

#include <goondan/plugin_abi.h>

namespace goondan {
namespace {

bool is_extension(std::span<const std::string> exports) {
  return std::ranges::find(exports, GDN_EXTENSION_EXPORT) != exports.end();
}

}  // namespace

Result<void> check_extension(std::string_view extension, std::span<const std::string> exports) {
  if (is_extension(exports)) return {};
  const std::string holds =
      exports.empty() ? "is empty" : "holds tools, the first of them '" + exports.front() + "'";
  return Error{.code = ErrorCode::ExtensionLoad,
               .message = "extension '" + std::string(extension) +
                          "': its plugin is no extension, it " + holds,
               .suggestion =
                   "Write GDN_EXTENSION(setup) in place of GDN_PLUGIN, or use the plugin "
                   "as `kind: Tool`."};
}

Result<void> check_no_extension(std::string_view tool, std::span<const std::string> exports) {
  if (!is_extension(exports)) return {};
  return Error{.code = ErrorCode::PluginLoad,
               .message = "tool '" + std::string(tool) + "': its plugin is an extension",
               .suggestion =
                   "Use the plugin as `kind: Extension`, or write GDN_PLUGIN in place of "
                   "GDN_EXTENSION."};
}

}  // namespace goondan
