#include "oauth/manager/session_record.h"

#include <array>
#include <tuple>

#include "base/json_fields.h"
#include "oauth/manager/grant_record.h"

namespace goondan::oauth {

std::string_view status_name(SessionStatus status) {
  constexpr std::array<std::string_view, 4> kNames{"pending", "completed", "failed", "expired"};
  return kNames.at(static_cast<std::size_t>(status));
}

std::string_view subject_mode_name(OAuthAppResource::SubjectMode mode) {
  return mode == OAuthAppResource::SubjectMode::User ? "user" : "global";
}

void SessionRecord::end(SessionStatus how, std::string why) {
  status = how;
  problem = std::move(why);
  code.verifier = Secret();
  code.nonce = Secret();
  if (device) device->device_code = Secret();
}

bool SessionRecord::undelivered() const {
  return status == SessionStatus::Completed && resume.has_value() && delivery == Delivery::Open;
}

OAuthAppResource::Flow SessionRecord::flow() const {
  return device ? OAuthAppResource::Flow::DeviceCode : OAuthAppResource::Flow::AuthorizationCode;
}

Json resume_json(const Resume& resume) {
  return JsonObject{{"workspace", resume.workspace},
                    {"swarmRef", JsonObject{{"kind", "Swarm"}, {"name", resume.swarm}}},
                    {"instanceKey", resume.instance_key},
                    {"agentName", resume.agent_name},
                    {"origin", resume.origin},
                    {"auth", resume.auth}};
}

Resume resume_from(const JsonObject& object) {
  const JsonObject* swarm = object_field(object, "swarmRef");
  return {.workspace = text_field(object, "workspace"),
          .swarm = swarm == nullptr ? std::string() : text_field(*swarm, "name"),
          .instance_key = text_field(object, "instanceKey"),
          .agent_name = text_field(object, "agentName"),
          .origin = any_field(object, "origin"),
          .auth = any_field(object, "auth")};
}

bool same_target(const std::optional<Resume>& one, const std::optional<Resume>& other) {
  if (!one || !other) return !one && !other;
  return std::tie(one->workspace, one->swarm, one->instance_key, one->agent_name) ==
         std::tie(other->workspace, other->swarm, other->instance_key, other->agent_name);
}

}  // namespace goondan::oauth
