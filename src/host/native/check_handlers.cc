#include "host/native/check_handlers.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"

namespace goondan {
namespace {

bool contains(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// ", the nearest is 'x'"; empty if nothing is near.
std::string hint(std::string_view name, std::span<const std::string> candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view near = nearest(name, views);
  return near.empty() ? std::string() : "; the nearest is " + in_quotes(near);
}

Error missing(std::string_view tool, const std::string& name, std::span<const std::string> handlers,
              HandlerHome home) {
  if (home == HandlerHome::Script) {
    return {.code = ErrorCode::PluginHandlerMissing,
            .message = "tool " + in_quotes(tool) + " declares the export " + in_quotes(name) +
                       ", but its module's `handlers` has no function of that name" +
                       hint(name, handlers),
            .suggestion = "Add `" + name + "` to `handlers`, or remove the export."};
  }
  return {.code = ErrorCode::PluginHandlerMissing,
          .message = "tool " + in_quotes(tool) + " declares the export " + in_quotes(name) +
                     ", but its plugin has no handler of that name" + hint(name, handlers),
          .suggestion = "Add {\"" + name + "\", function} to GDN_PLUGIN, or remove the export."};
}

Error undeclared(std::string_view tool, const std::string& name,
                 std::span<const std::string> declared, HandlerHome home) {
  return {.code = ErrorCode::PluginHandlerUndeclared,
          .message = (home == HandlerHome::Script ? "the module of tool " : "the plugin of tool ") +
                     in_quotes(tool) + " has a handler " + in_quotes(name) +
                     ", but the tool declares no export of that name" + hint(name, declared),
          .suggestion = "Add `- name: " + name + "` to spec.exports, or remove the handler."};
}

}  // namespace

Result<void> check_handlers(std::string_view tool, std::span<const std::string> declared,
                            std::span<const std::string> handlers, HandlerHome home) {
  for (const std::string& name : declared) {
    if (!contains(handlers, name)) return missing(tool, name, handlers, home);
  }
  for (const std::string& name : handlers) {
    if (!contains(declared, name)) return undeclared(tool, name, declared, home);
  }
  return {};
}

}  // namespace goondan
