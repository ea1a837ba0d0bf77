#include "agent/oauth_rules.h"

#include <algorithm>

#include "base/json_fields.h"
#include "extension/shipped/oauth_config.h"

namespace goondan::agent {
namespace {

constexpr std::string_view kExtension = "oauth";

oauth::TokenError not_allowed(std::string message) {
  return {.code = "scopeNotAllowed", .message = std::move(message)};
}

oauth::TokenError not_declared(const std::string& name) {
  return {.code = "oauthAppNotAllowed",
          .message = "the tool '" + name +
                     "' is not one that the extension `oauth` of this agent gives tokens to"};
}

bool names_app(const Json& params) {
  const Json* ref = object_or_empty(params).if_contains("oauthAppRef");
  return ref != nullptr && !ref->is_null();
}

Json with_app(const Json& params, const std::string& app) {
  JsonObject filled = object_or_empty(params);
  filled["oauthAppRef"] = JsonObject{{"kind", "OAuthApp"}, {"name", app}};
  return filled;
}

}  // namespace

OAuthRules::OAuthRules(const AgentPlan& plan) {
  add_declared(plan);
  add_extension(plan);
  const auto first = [](const PlannedExtension& extension) {
    return extension.resource && extension.resource->meta.dialect == goondan::Dialect::V1Alpha1;
  };
  first_dialect_extensions_ = std::ranges::any_of(plan.extensions, first);
}

void OAuthRules::add_declared(const AgentPlan& plan) {
  for (const std::string& name : plan.bundle_tools) {
    const ToolResource* tool = plan.bundle.find_tool(name);
    if (tool == nullptr) continue;
    const bool first = tool->meta.dialect == goondan::Dialect::V1Alpha1;
    for (const ToolExport& exported : tool->exports) {
      Rule rule{.dialect = first ? Rule::Dialect::First : Rule::Dialect::Current};
      if (tool->auth) {
        rule.app = tool->auth->oauth_app.name;
        if (!exported.scopes.empty()) {
          rule.scopes = exported.scopes;
        } else if (!tool->auth->scopes.empty()) {
          rule.scopes = tool->auth->scopes;
        }
      }
      rules_[tool->visible_name(exported)] = std::move(rule);
    }
  }
}

void OAuthRules::add_extension(const AgentPlan& plan) {
  for (const PlannedExtension& extension : plan.extensions) {
    if (extension.resource || extension.name != kExtension) continue;
    const Result<shipped::OAuthConfig> config =
        shipped::read_oauth_config(extension.name, extension.config);
    if (!config.ok()) continue;  // the extension itself fails with it
    for (const shipped::OAuthToolRule& rule : config->tools) {
      rules_[rule.tool] = {
          .app = rule.app, .scopes = rule.scopes, .dialect = Rule::Dialect::Current};
    }
  }
}

const OAuthRules::Rule* OAuthRules::find(const std::string& name) const {
  const auto found = rules_.find(name);
  if (found != rules_.end()) return &found->second;
  return first_dialect_extensions_ ? &any_ : nullptr;
}

Result<OAuthRules::Asked> OAuthRules::check(const std::string& name, const Json& params) const {
  const Rule* rule = find(name);
  if (rule == nullptr) return Asked{.refused = not_declared(name)};
  const bool by_default = !names_app(params) && !rule->app.empty();
  oauth::TokenRequest request =
      GDN_TRY(oauth::TokenRequest::parse(by_default ? with_app(params, rule->app) : params));
  Asked asked{.request = std::move(request)};
  const bool same = asked.request.app == rule->app;
  if (rule->dialect == Rule::Dialect::Current && !same) {
    asked.refused = not_declared(name);
    return asked;
  }
  if (!same || !rule->scopes) return asked;
  if (!asked.request.scopes) asked.request.scopes = rule->scopes;
  if (!oauth::Manager::scopes_allowed(*asked.request.scopes, *rule->scopes)) {
    asked.refused = not_allowed("the tool '" + name +
                                "' asks for more than the scopes that it declares under `auth`");
  }
  return asked;
}

}  // namespace goondan::agent
