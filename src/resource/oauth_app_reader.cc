#include "resource/readers.h"

namespace goondan {
namespace {

using Flow = OAuthAppResource::Flow;
using SubjectMode = OAuthAppResource::SubjectMode;

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

void read_endpoints(MappingReader& spec, OAuthAppResource& app, ReadContext& context) {
  app.endpoints = spec.text_map("endpoints");
  const std::optional<Place> endpoints = spec.require("endpoints");
  if (!endpoints || endpoints->node->kind != yaml::NodeKind::Mapping) return;
  MappingReader reader(*endpoints, context.diagnostics);
  reader.require_text("tokenUrl");
  if (app.flow == Flow::AuthorizationCode) reader.require_text("authorizationUrl");
  reader.allow({"authorizationUrl", "revokeUrl", "userInfoUrl", "deviceAuthorizationUrl"});
  reader.finish();
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
  if (const auto scopes = reader.require("scopes", "List what the application may ask for.")) {
    app.scopes = read_texts(*scopes, context.diagnostics);
  }
  if (const std::optional<Place> redirect = reader.find("redirect")) {
    MappingReader inner(*redirect, context.diagnostics);
    app.callback_path = inner.text_or("callbackPath", "");
    app.base_url = inner.text_or("baseUrl", "");
    inner.finish();
  }
  app.options = reader.object("options");
  reader.finish();
  return app;
}

}  // namespace goondan
