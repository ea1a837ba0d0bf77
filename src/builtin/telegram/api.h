// Telegram's Bot API: `POST <base>/bot<token>/<method>` with a JSON body, answered with
// `{ok, result}` or `{ok, error_code, description, parameters}`. Part of the tool `telegram`.
#pragma once

#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/messaging/api_call.h"

namespace goondan::builtin::telegram {

extern const messaging::Service kTelegram;

// Calls a method and returns its `result`. Errors never hold the token, which is in the URL.
Result<Json> call(const messaging::Caller& caller, std::string_view method, const JsonObject& body);

// The request for a file of the Bot API, and its URL with the token masked.
messaging::ApiRequest file_request(const messaging::Access& access, std::string_view file_path);

}  // namespace goondan::builtin::telegram
