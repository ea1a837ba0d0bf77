// Scopes as texts that providers write, and what of them counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goondan::oauth {

std::string joined_scopes(const std::vector<std::string>& scopes, char separator);

// Of `asked`, those that `granted` names: parts between spaces, or between commas, as some write.
// What was not asked for is left out, so that an answer never widens what an application may do.
std::vector<std::string> granted_scopes(std::string_view granted,
                                        const std::vector<std::string>& asked);

}  // namespace goondan::oauth
