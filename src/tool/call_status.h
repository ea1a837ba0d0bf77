// The status of a call as it is written: `ok`, `error`, `pending`.
#pragma once

#include <string_view>

#include <goondan/tool.h>

namespace goondan {

std::string_view status_name(CallStatus status);

}  // namespace goondan
