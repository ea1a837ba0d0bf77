// From the arguments of a call to the request that is sent. Part of the tool `http-fetch`.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "net/http_client.h"

namespace goondan::builtin::http_fetch {

inline constexpr std::chrono::milliseconds kDefaultTimeout{30'000};
inline constexpr std::chrono::milliseconds kMaxTimeout = std::chrono::hours(24);
inline constexpr std::size_t kDefaultMaxBytes = 500'000;
inline constexpr std::size_t kMostMaxBytes = 20'000'000;

struct Call {
  net::Request request;  // without its deadline
  std::chrono::milliseconds timeout = kDefaultTimeout;
};

// Looks at the arguments in a fixed order (`url`, `headers`, `timeoutMs`, `maxBytes`, `body`) and
// fails at the first that cannot be used, with `E_TOOL_INVALID_ARGS` or `E_URL_INVALID`.
Result<Call> read_call(std::string_view method, const JsonObject& input);

}  // namespace goondan::builtin::http_fetch
