// What to do about an error that Slack reports. Part of the tool `slack`.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>

namespace goondan::builtin::slack {

// `problem` is Slack's code, such as `channel_not_found`. Empty if there is nothing to add to it.
std::string advice(std::string_view problem, const Json& answer);

}  // namespace goondan::builtin::slack
