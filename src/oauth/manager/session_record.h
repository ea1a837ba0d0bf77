// `AuthSessionRecord` (S3 §12.5.5): somebody has been asked for consent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oauth/manager.h"
#include "oauth/manager/record_json.h"

namespace goondan::oauth {

enum class SessionStatus { Pending, Completed, Failed, Expired };
std::string_view status_name(SessionStatus status);

// Authorization code.
struct CodePart {
  Secret verifier = {};
  std::string challenge = {};
  Secret state = {};
  Secret nonce = {};
  std::string redirect_uri = {};
  std::string issuer = {};  // that a callback must name; empty: not known
  enum class IssuerParameter { Optional, Promised };
  IssuerParameter issuer_parameter = IssuerParameter::Optional;
  // Set before the code is sent: whoever finds it set, with the session's lock, knows that another
  // has died meanwhile. The code is not sent again.
  enum class Use { None, Begun } use = Use::None;
};

struct DevicePart {
  Secret device_code = {};
  std::string user_code = {};
  std::string verification_uri = {};
  std::int64_t interval = 5;
  std::int64_t next_poll_at = 0;
};

struct SessionRecord {
  std::string id = {};
  std::string app = {};
  std::string provider = {};
  std::string client = {};  // who asks; see `client_of`
  OAuthAppResource::SubjectMode subject_mode = OAuthAppResource::SubjectMode::Global;
  std::string subject = {};
  Scopes scopes = {};
  CodePart code = {};
  std::optional<DevicePart> device = {};  // none: authorization code
  std::string authorization_url = {};
  SessionStatus status = SessionStatus::Pending;
  std::string problem = {};  // why it has failed
  std::int64_t created_at = 0;
  std::int64_t expires_at = 0;
  std::optional<Resume> resume = {};
  enum class Delivery { Open, Done } delivery = Delivery::Open;
  Scopes scopes_granted = {};

  [[nodiscard]] Secret to_text() const;
  static Result<SessionRecord> from_text(const Secret& text);

  // Over, with what is no longer needed forgotten. The state stays, so that a callback that comes
  // again is known.
  void end(SessionStatus how, std::string why = {});
  // The agent that waits has not been told.
  [[nodiscard]] bool undelivered() const;
  [[nodiscard]] OAuthAppResource::Flow flow() const;
};

std::string_view subject_mode_name(OAuthAppResource::SubjectMode mode);

Json resume_json(const Resume& resume);
Resume resume_from(const JsonObject& object);
// Whether both wake the same agent instance, or both nobody.
bool same_target(const std::optional<Resume>& one, const std::optional<Resume>& other);

}  // namespace goondan::oauth
