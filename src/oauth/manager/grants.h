// What has been agreed to, and taking it back.
#pragma once

#include <string>
#include <vector>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

Result<std::vector<GrantInfo>> list_grants(Context& context);
Result<Manager::Logout> remove_grant(Context& context, const std::string& app,
                                     const std::string& subject, const Limit& limit);

}  // namespace goondan::oauth
