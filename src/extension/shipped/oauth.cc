// oauth: tokens for tools of `goondan.ai/v1`, and tools with which a model sees what is connected.
//
// A tool that the configuration names gets its token as an argument that is not in the schema the
// model sees. Without a token the tool is not run: its result says which link the person must open.
#include <algorithm>
#include <map>
#include <optional>

#include "base/json_fields.h"
#include "extension/shipped/oauth_config.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

using OAuthRulesByTool = std::map<std::string, OAuthToolRule, std::less<>>;

Json token_params(const OAuthToolRule& rule) {
  JsonObject params{{"oauthAppRef", JsonObject{{"kind", "OAuthApp"}, {"name", rule.app}}}};
  if (rule.scopes) params["scopes"] = JsonArray(rule.scopes->begin(), rule.scopes->end());
  return params;
}

// What the model hears instead of the tool's own result.
ToolCallResult without_token(const ToolCall& call, const JsonObject& answer) {
  if (text_field(answer, "status") == "authorization_required") {
    JsonObject output = answer;
    output.erase("authSessionId");
    return ToolCallResult::success(call, std::move(output));
  }
  const JsonObject* error = object_field(answer, "error");
  const std::string code = error == nullptr ? "" : text_field(*error, "code");
  const std::string message = error == nullptr ? "" : text_field(*error, "message");
  return ToolCallResult::failure(
      call, {.code = ErrorCode::OAuth,
             .message = message.empty() ? "no token could be had" : message,
             .suggestion = code == "subjectUnavailable"
                               ? "Start the swarm with `gdn run --subject`, or let the connector "
                                 "say for whom the turn acts."
                               : "See `gdn auth status`."});
}

ToolCallResult run_with_token(const OAuthToolRule& rule, ToolCallContext& context,
                              ToolCallPipeline::Next& next) {
  const Result<Json> answer = context.tool.request("oauth.getAccessToken", token_params(rule));
  if (!answer.ok()) return next.instead(ToolCallResult::failure(context.call, answer.error()));
  const JsonObject& token = object_or_empty(*answer);
  if (text_field(token, "status") != "ready")
    return next.instead(without_token(context.call, token));
  context.args[rule.argument] = text_field(token, "accessToken");
  return next();
}

// The item as the model may see it: without the argument that it is not to set.
CatalogItem without_argument(CatalogItem item, const std::string& argument) {
  JsonObject* schema = item.parameters ? item.parameters->if_object() : nullptr;
  if (schema == nullptr) return item;
  if (Json* properties = schema->if_contains("properties"); properties && properties->is_object())
    properties->get_object().erase(argument);
  Json* required = schema->if_contains("required");
  if (required == nullptr || !required->is_array()) return item;
  JsonArray left;
  for (const Json& name : required->get_array()) {
    if (!name.is_string() || name.get_string() != argument) left.push_back(name);
  }
  *required = std::move(left);
  return item;
}

// Confined to the thread that runs turns.
class MaskedCatalog {
 public:
  explicit MaskedCatalog(std::shared_ptr<const OAuthRulesByTool> rules)
      : rules_(std::move(rules)) {}

  Result<ToolCatalog> of(const ToolCatalog& catalog) {
    // Steps mostly share one snapshot of the registry, which the copy in `seen_` keeps alive.
    if (seen_ && seen_->entries().data() == catalog.entries().data()) return made_;
    made_ = GDN_TRY(made_of(catalog));
    seen_ = catalog;
    return made_;
  }

 private:
  Result<ToolCatalog> made_of(const ToolCatalog& catalog) {
    const auto offered = [&](const auto& rule) { return catalog.contains(rule.first); };
    if (std::ranges::none_of(*rules_, offered)) return catalog;
    std::vector<ToolCatalog::EntryPtr> entries(catalog.entries().begin(), catalog.entries().end());
    for (ToolCatalog::EntryPtr& entry : entries) {
      const auto rule = rules_->find(entry->name());
      if (rule != rules_->end()) entry = GDN_TRY(masked(entry, rule->second.argument));
    }
    return ToolCatalog(entries);
  }

  // A schema is compiled once for as long as the entry stays the same.
  Result<ToolCatalog::EntryPtr> masked(const ToolCatalog::EntryPtr& entry,
                                       const std::string& argument) {
    auto& [from, to] = known_[entry->name()];
    if (from != entry) {
      to = GDN_TRY(CatalogEntry::make(without_argument(entry->item(), argument)));
      from = entry;
    }
    return to;
  }

  std::shared_ptr<const OAuthRulesByTool> rules_;
  std::map<std::string, std::pair<ToolCatalog::EntryPtr, ToolCatalog::EntryPtr>> known_;
  std::optional<ToolCatalog> seen_;  // the catalog that `made_` was made of
  ToolCatalog made_;
};

Json app_parameters(const OAuthConfig& config) {
  JsonObject app{{"type", "string"}, {"description", "The name of the OAuthApp."}};
  if (!config.apps.empty()) app["enum"] = JsonArray(config.apps.begin(), config.apps.end());
  return {{"type", "object"},
          {"properties", JsonObject{{"app", app}}},
          {"additionalProperties", false}};
}

Result<void> add_oauth_tool(ExtensionSite& site, const OAuthConfig& config, std::string_view name,
                            std::string_view method, std::string_view description) {
  Json parameters = app_parameters(config);
  if (method == "oauth.connect") parameters.get_object()["required"] = JsonArray{"app"};
  const auto handler = [method = std::string(method), apps = config.apps](
                           ToolContext& context, const JsonObject& input) -> Result<Json> {
    JsonObject params = input;
    params["apps"] = JsonArray(apps.begin(), apps.end());
    return context.request(method, params);
  };
  return site.registry.add_or_replace({.item = {.name = std::string(name),
                                                .description = std::string(description),
                                                .parameters = std::move(parameters),
                                                .source = site.source(),
                                                .idempotent = true},
                                       .handler = handler});
}

void add_token_layers(ExtensionSite& site, const OAuthConfig& config) {
  const auto rules = std::make_shared<OAuthRulesByTool>();
  for (const OAuthToolRule& rule : config.tools)
    rules->emplace(rule.tool, rule);
  site.layers.tool_call.add(
      site.name, [rules](ToolCallContext& context, ToolCallPipeline::Next& next) {
        const auto rule = rules->find(context.call.name);
        return rule == rules->end() ? next() : run_with_token(rule->second, context, next);
      });
  const auto masks = std::make_shared<MaskedCatalog>(rules);
  site.layers.step.add(
      site.name, [masks, log = site.log](StepContext& context, StepPipeline::Next& next) {
        Result<ToolCatalog> narrowed = masks->of(context.catalog);
        if (narrowed.ok()) {
          context.catalog = *std::move(narrowed);
        } else {
          log(LogLevel::Warn, "the arguments for tokens stay visible: " + narrowed.error().message);
        }
        return next();
      });
}

}  // namespace

Result<void> register_oauth(ExtensionSite& site, const JsonObject& config) {
  const OAuthConfig read = GDN_TRY(read_oauth_config(site.name, config));
  GDN_TRY(add_oauth_tool(site, read, "oauth__status", "oauth.status",
                         "Tells which outside services are connected for the person of this turn, "
                         "with what scopes, and which wait for consent."));
  GDN_TRY(
      add_oauth_tool(site, read, "oauth__connect", "oauth.connect",
                     "Begins to connect an outside service. Answers with a link that the person "
                     "must open; give it to them. You are told when they have agreed."));
  if (!read.tools.empty()) add_token_layers(site, read);
  return {};
}

}  // namespace goondan::shipped
