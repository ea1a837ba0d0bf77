#include "oauth/manager/messages.h"

namespace goondan::oauth {

std::string consent_message(const SessionRecord& session) {
  const std::string begin = "Connecting to " + session.provider + " needs your consent. ";
  if (!session.device) return begin + "Open the link, agree, and the work goes on.";
  return begin + "Open " + session.device->verification_uri + ", enter the code " +
         session.device->user_code + ", agree, and the work goes on.";
}

}  // namespace goondan::oauth
