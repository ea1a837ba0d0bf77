// Slack's Web API: `POST <base>/<method>` with a bearer token and a JSON body, answered with
// `{ok, ...}` or `{ok: false, error}`, both with status 200. Part of the tool `slack`.
#pragma once

#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/messaging/api_call.h"

namespace goondan::builtin::slack {

extern const messaging::Service kSlack;

// Calls a method and returns the whole answer.
Result<Json> call(const messaging::Caller& caller, std::string_view method, const JsonObject& body);

net::Header authorization(const messaging::Token& token);

}  // namespace goondan::builtin::slack
