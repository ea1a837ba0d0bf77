// What a person is told who must agree.
#pragma once

#include <string>

#include "oauth/manager/session_record.h"

namespace goondan::oauth {

std::string consent_message(const SessionRecord& session);

}  // namespace goondan::oauth
