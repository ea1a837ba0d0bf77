#include "extension/shipped/oauth_config.h"

#include <algorithm>

#include "extension/shipped/extension_config.h"

namespace goondan::shipped {
namespace {

Result<OAuthToolRule> read_tool_rule(const std::string& extension, const JsonObject& object) {
  ExtensionConfig reader(extension, object);
  OAuthToolRule rule{.tool = reader.text("tool", ""),
                     .app = reader.text("app", ""),
                     .argument = reader.text("argument", "token")};
  if (object.contains("scopes")) rule.scopes = reader.texts("scopes");
  constexpr std::string_view kForm =
      "Write e.g. `- {tool: slack__send, app: slack-bot, argument: token}` under config.tools.";
  if (rule.tool.empty()) reader.refuse("tool", "names no tool", std::string(kForm));
  if (rule.app.empty()) reader.refuse("app", "names no OAuthApp", std::string(kForm));
  if (rule.argument.empty()) reader.refuse("argument", "is empty", std::string(kForm));
  GDN_TRY(reader.finish());
  return rule;
}

}  // namespace

Result<OAuthConfig> read_oauth_config(const std::string& extension, const JsonObject& config) {
  ExtensionConfig reader(extension, config);
  OAuthConfig made{.apps = reader.texts("apps")};
  for (const JsonObject& object : reader.objects("tools")) {
    OAuthToolRule rule = GDN_TRY(read_tool_rule(extension, object));
    if (std::ranges::find(made.tools, rule.tool, &OAuthToolRule::tool) != made.tools.end())
      reader.refuse("tools", "names '" + rule.tool + "' twice", "Leave one of them out.");
    made.tools.push_back(std::move(rule));
  }
  GDN_TRY(reader.finish());
  return made;
}

}  // namespace goondan::shipped
