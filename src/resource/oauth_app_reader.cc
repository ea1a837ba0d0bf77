#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "resource/readers.h"

namespace goondan {
namespace {

using Flow = OAuthAppResource::Flow;
using SubjectMode = OAuthAppResource::SubjectMode;

constexpr std::string_view kKnownProvider = "slack";  // its endpoints need not be written down

// What the authorization request says by itself; an option of this name would say it twice.
constexpr std::array<std::string_view, 14> kOwnParameters = {
    "client_id", "client_secret", "code_challenge", "code_challenge_method",
    "nonce",     "redirect_uri",  "request",        "request_uri",
    "resource",  "response_mode", "response_type",  "scope",
    "state",     "user_scope"};

void report_choice(const Place& place, std::string_view choices, ReadContext& context) {
  context.diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                            in_backticks(place.key->text) + " must be " + std::string(choices) +
                                ", not " + in_backticks(place.node->text));
}

void read_flow(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> flow = spec.find("flow");
  if (!flow || flow->node->text == "authorizationCode") return;
  app.flow = Flow::DeviceCode;
  if (flow->node->text != "deviceCode") {
    report_choice(*flow, "`authorizationCode` or `deviceCode`", context);
  }
}

void read_subject_mode(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> mode = spec.find("subjectMode");
  if (!mode || mode->node->text == "global") return;
  app.subject_mode = SubjectMode::User;
  if (mode->node->text != "user") report_choice(*mode, "`global` or `user`", context);
}

void read_client(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> client =
      spec.require("client", "Add `client: {clientId: {valueFrom: {env: NAME}}}`.");
  if (!client) return;
  MappingReader reader(*client, context.diagnostics);
  if (const std::optional<Place> id = reader.require("clientId")) {
    app.client_id = read_value_source(*id, context).value_or(ValueSource{});
  }
  if (const std::optional<Place> secret = reader.find("clientSecret")) {
    app.client_secret = read_value_source(*secret, context);
  }
  reader.finish();
}

// Without the issuer's metadata and without defaults, all that is used must be written down.
void require_endpoints(MappingReader& reader, const OAuthAppResource& app) {
  if (!app.issuer.empty() || app.provider == kKnownProvider) return;
  reader.require_text("tokenUrl");
  if (app.flow == Flow::AuthorizationCode) reader.require_text("authorizationUrl");
}

void read_issuer(MappingReader& spec, MappingReader* endpoints, OAuthAppResource& app,
                 ReadContext& context) {
  app.issuer = spec.text_or("issuer", "");
  const std::optional<Place> inner =
      endpoints == nullptr ? std::nullopt : endpoints->find("issuer");
  const std::optional<std::string> text =
      inner ? read_text(*inner, context.diagnostics) : std::nullopt;
  if (!text) return;
  if (!app.issuer.empty() && app.issuer != *text) {
    context.diagnostics.error(inner->spot(), ErrorCode::ConfigSchemaInvalid,
                              "`endpoints.issuer` is another issuer than `issuer`",
                              "Write it once.");
  }
  app.issuer = *text;
}

void read_endpoints(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> endpoints = spec.find("endpoints");
  if (!endpoints) {
    read_issuer(spec, nullptr, app, context);
    const bool needed = app.issuer.empty() && app.provider != kKnownProvider;
    if (needed) spec.require("endpoints", "Write them down, or name the `issuer`.");
    return;
  }
  app.endpoints = spec.text_map("endpoints");
  app.endpoints.erase("issuer");
  if (endpoints->node->kind != yaml::NodeKind::Mapping) return;
  MappingReader reader(*endpoints, context.diagnostics);
  read_issuer(spec, &reader, app, context);
  require_endpoints(reader, app);
  reader.allow({"authorizationUrl", "tokenUrl", "revokeUrl", "userInfoUrl",
                "deviceAuthorizationUrl", "jwksUrl"});
  reader.finish();
  if (app.endpoints.contains("jwksUrl") && app.issuer.empty()) {
    context.diagnostics.error(endpoints->key_spot(), ErrorCode::ConfigSchemaInvalid,
                              "`jwksUrl` needs the `issuer` whose id tokens its keys check",
                              "Add `issuer`.");
  }
}

void check_device_flow(MappingReader& spec, const OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> flow = spec.find("flow");
  if (!flow || flow->node->text != "deviceCode" || !app.issuer.empty()) return;
  if (app.endpoints.contains("deviceAuthorizationUrl")) return;
  context.diagnostics.error(flow->spot(), ErrorCode::ConfigSchemaInvalid,
                            "the flow `deviceCode` needs `endpoints.deviceAuthorizationUrl`",
                            "Add it, or the `issuer` whose metadata names it.");
}

// RFC 6749 §3.3: visible ASCII but `"` and `\`.
bool is_scope(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\\';
  });
}

void read_app_scopes(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const auto scopes = spec.require("scopes", "List what the application may ask for.");
  if (!scopes) return;
  app.scopes = read_texts(*scopes, context.diagnostics);
  if (scopes->node->kind != yaml::NodeKind::Sequence) return;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < scopes->node->children.size(); ++i) {
    const Place item = scopes->item(i);
    if (!item.node->is_text()) continue;
    if (!is_scope(item.node->text)) {
      context.diagnostics.error(item.spot(), ErrorCode::ConfigSchemaInvalid,
                                in_backticks(item.node->text) + " is no scope",
                                "A scope has no spaces, quotes or letters beyond ASCII.");
    } else if (!seen.insert(item.node->text).second) {
      context.diagnostics.error(item.spot(), ErrorCode::ConfigSchemaInvalid,
                                "the scope " + in_backticks(item.node->text) + " is listed twice");
    }
  }
}

void read_redirect(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  const std::optional<Place> redirect = spec.find("redirect");
  if (!redirect) return;
  MappingReader reader(*redirect, context.diagnostics);
  app.callback_path = reader.text_or("callbackPath", "");
  app.base_url = reader.text_or("baseUrl", "");
  const std::optional<Place> port = reader.find("port");
  const std::size_t number = port ? read_positive(*port, context.diagnostics).value_or(0) : 0;
  if (number > std::numeric_limits<std::uint16_t>::max()) {
    report_wrong_kind(*port, "a port", "", context.diagnostics);
  } else {
    app.redirect_port = static_cast<std::uint16_t>(number);
  }
  reader.finish();
}

void read_options(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  app.options = spec.object("options");
  const std::optional<Place> options = spec.find("options");
  if (!options || options->node->kind != yaml::NodeKind::Mapping) return;
  for (std::size_t i = 0; i < options->node->children.size() / 2; ++i) {
    const Place option = options->member(i);
    if (std::ranges::find(kOwnParameters, option.key->text) == kOwnParameters.end()) continue;
    context.diagnostics.warning(
        option.key_spot(), ErrorCode::ConfigSchemaInvalid,
        "the option " + in_backticks(option.key->text) + " has no effect: the request says it");
  }
}

}  // namespace

OAuthAppResource read_oauth_app(ResourceMeta meta, const Place& spec, ReadContext& context) {
  OAuthAppResource app{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  app.provider = reader.require_text("provider").value_or("");
  read_flow(reader, app, context);
  read_subject_mode(reader, app, context);
  read_client(reader, app, context);
  read_endpoints(reader, app, context);
  check_device_flow(reader, app, context);
  read_app_scopes(reader, app, context);
  read_redirect(reader, app, context);
  app.resource = reader.text_or("resource", "");
  read_options(reader, app, context);
  reader.finish();
  return app;
}

}  // namespace goondan
