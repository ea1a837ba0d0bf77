#include <array>

#include "base/json_fields.h"
#include "oauth/manager/grant_record.h"
#include "oauth/manager/session_record.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

constexpr std::string_view kSessionKind = "AuthSessionRecord";

JsonObject code_flow_json(const CodePart& code) {
  JsonObject pkce{{"method", "S256"},
                  {"codeVerifier", code.verifier.reveal()},
                  {"codeChallenge", code.challenge}};
  const bool promised = code.issuer_parameter == CodePart::IssuerParameter::Promised;
  return {{"type", flow_name(OAuthAppResource::Flow::AuthorizationCode)},
          {"pkce", std::move(pkce)},
          {"state", code.state.reveal()},
          {"nonce", code.nonce.reveal()},
          {"issuer", code.issuer},
          {"issuerPromised", promised},
          {"exchangeBegun", code.use == CodePart::Use::Begun}};
}

CodePart code_flow_from(const JsonObject& flow) {
  CodePart code;
  if (const JsonObject* pkce = object_field(flow, "pkce")) {
    code.verifier = secret_field(*pkce, "codeVerifier");
    code.challenge = text_field(*pkce, "codeChallenge");
  }
  code.state = secret_field(flow, "state");
  code.nonce = secret_field(flow, "nonce");
  code.issuer = text_field(flow, "issuer");
  if (true_field(flow, "issuerPromised"))
    code.issuer_parameter = CodePart::IssuerParameter::Promised;
  if (true_field(flow, "exchangeBegun")) code.use = CodePart::Use::Begun;
  return code;
}

JsonObject device_json(const DevicePart& device) {
  return {{"deviceCode", device.device_code.reveal()},
          {"userCode", device.user_code},
          {"verificationUri", device.verification_uri},
          {"interval", device.interval},
          {"nextPollAt", time_text(device.next_poll_at)}};
}

DevicePart device_from(const JsonObject& object) {
  DevicePart device;
  device.device_code = secret_field(object, "deviceCode");
  device.user_code = text_field(object, "userCode");
  device.verification_uri = text_field(object, "verificationUri");
  device.interval = integer_field(object, "interval").value_or(device.interval);
  device.next_poll_at = time_field(object, "nextPollAt").value_or(0);
  return device;
}

SessionStatus status_from(std::string_view name) {
  for (const SessionStatus status :
       {SessionStatus::Pending, SessionStatus::Completed, SessionStatus::Expired}) {
    if (status_name(status) == name) return status;
  }
  return SessionStatus::Failed;
}

JsonObject session_spec(const SessionRecord& session) {
  return {{"provider", session.provider},
          {"oauthAppRef", app_ref_json(session.app)},
          {"client", session.client},
          {"subjectMode", subject_mode_name(session.subject_mode)},
          {"subject", session.subject},
          {"requestedScopes", scopes_json(session.scopes)},
          {"redirectUri", session.code.redirect_uri},
          {"authorizationUrl", session.authorization_url},
          {"status", status_name(session.status)},
          {"problem", session.problem},
          {"createdAt", time_text(session.created_at)},
          {"expiresAt", time_text(session.expires_at)},
          {"delivered", session.delivery == SessionRecord::Delivery::Done},
          {"scopesGranted", scopes_json(session.scopes_granted)}};
}

void read_session_spec(SessionRecord& session, const JsonObject& spec) {
  using Mode = OAuthAppResource::SubjectMode;
  session.provider = text_field(spec, "provider");
  session.app = app_ref_field(spec);
  session.client = text_field(spec, "client");
  session.subject_mode = text_field(spec, "subjectMode") == "user" ? Mode::User : Mode::Global;
  session.subject = text_field(spec, "subject");
  session.scopes = scopes_field(spec, "requestedScopes");
  session.authorization_url = text_field(spec, "authorizationUrl");
  session.status = status_from(text_field(spec, "status"));
  session.problem = text_field(spec, "problem");
  session.created_at = time_field(spec, "createdAt").value_or(0);
  session.expires_at = time_field(spec, "expiresAt").value_or(0);
  if (true_field(spec, "delivered")) session.delivery = SessionRecord::Delivery::Done;
  session.scopes_granted = scopes_field(spec, "scopesGranted");
}

}  // namespace

Secret SessionRecord::to_text() const {
  JsonObject spec = session_spec(*this);
  spec["flow"] = device ? JsonObject{{"type", flow_name(flow())}} : code_flow_json(code);
  if (device) spec["device"] = device_json(*device);
  if (resume) spec["resume"] = resume_json(*resume);
  return record_text(kSessionKind, id, std::move(spec));
}

Result<SessionRecord> SessionRecord::from_text(const Secret& text) {
  const OpenedRecord record = GDN_TRY(OpenedRecord::open(text, kSessionKind));
  const JsonObject& spec = record.spec();
  SessionRecord session;
  session.id = record.name();
  read_session_spec(session, spec);
  if (const JsonObject* flow = object_field(spec, "flow")) session.code = code_flow_from(*flow);
  session.code.redirect_uri = text_field(spec, "redirectUri");
  if (const JsonObject* device = object_field(spec, "device"))
    session.device = device_from(*device);
  if (const JsonObject* resume = object_field(spec, "resume"))
    session.resume = resume_from(*resume);
  return session;
}

}  // namespace goondan::oauth
