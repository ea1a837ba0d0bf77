// What providers say when they do not answer, as errors of ours.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

// The code for an answer with this status, which is not 2xx.
ErrorCode code_of_status(int status);

// The error that an answer with `status` tells; `body` may be anything. The message goes on from
// the subject: "answered 429: ...".
Error status_error(int status, std::string_view body);

// The error in a stream that began well: `error` is what the provider has under that name, an
// object with `type`, `code`, `message`, or a text.
Error stream_error(const Json& error);

}  // namespace goondan
