#include <algorithm>
#include <set>
#include <string_view>

#include "resource/cross_checks.h"

namespace goondan {
namespace {

using Scopes = std::vector<std::string>;

const Scopes* app_scopes(const Reading& reading, std::string_view name) {
  for (const auto& app : reading.oauth_apps) {
    if (app.resource.meta.name == name) return &app.resource.scopes;
  }
  return nullptr;
}

std::string listed(const Scopes& scopes) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(scopes.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + in_backticks(scopes[i]);
  }
  return text.empty() ? "none" : text + (scopes.size() > kShown ? ", ..." : "");
}

// Reports the items of `holder.auth.scopes` that are not among `allowed`, which `owner` has.
void check_subset(const Place& holder, const Scopes& allowed, const std::string& owner,
                  Diagnostics& diagnostics) {
  const std::optional<Place> auth = holder.find("auth");
  const std::optional<Place> scopes = auth ? auth->find("scopes") : std::nullopt;
  if (!scopes || scopes->node->kind != yaml::NodeKind::Sequence) return;
  const std::set<std::string_view> known(allowed.begin(), allowed.end());
  for (std::size_t i = 0; i < scopes->node->children.size(); ++i) {
    const Place item = scopes->item(i);
    if (!item.node->is_text() || known.contains(item.node->text)) continue;
    diagnostics.error(
        item.spot(), ErrorCode::ConfigScopeNotAllowed,
        "the scope " + in_backticks(item.node->text) + " is not among those of " + owner,
        "Add it there, or remove it here. Allowed are: " + listed(allowed) + ".");
  }
}

void check_tool(const Located<ToolResource>& tool, const Reading& reading,
                Diagnostics& diagnostics) {
  const std::optional<Place> spec = tool.root.find("spec");
  if (!spec) return;
  const std::optional<ToolAuth>& auth = tool.resource.auth;
  const Scopes* of_app = auth ? app_scopes(reading, auth->oauth_app.name) : nullptr;
  if (of_app != nullptr) {
    check_subset(*spec, *of_app, auth->oauth_app.text(), diagnostics);
  }
  const std::optional<Place> exports = spec->find("exports");
  if (!exports || exports->node->kind != yaml::NodeKind::Sequence) return;
  // A tool that names no scopes has all of its application's.
  Scopes allowed;
  if (auth) allowed = auth->scopes;
  if (allowed.empty() && of_app != nullptr) allowed = *of_app;
  if (auth && allowed.empty()) return;
  for (std::size_t i = 0; i < exports->node->children.size(); ++i) {
    check_subset(exports->item(i), allowed, "its tool", diagnostics);
  }
}

}  // namespace

void check_scopes(const Reading& reading, Diagnostics& diagnostics) {
  for (const auto& tool : reading.tools) {
    if (tool.resource.meta.dialect == Dialect::V1Alpha1) check_tool(tool, reading, diagnostics);
  }
}

}  // namespace goondan
