// Whether and when a request to a model is made again. Decides; sends nothing and waits for
// nothing.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "net/header.h"

namespace goondan {

enum class Retry { No, Yes };

// No wait of ours is longer; a server may ask for more.
inline constexpr std::chrono::milliseconds kMaxRetryWait{30'000};
// More than a server may ask for is taken as this.
inline constexpr std::chrono::hours kMaxServerWait{24};

// Whether an answer with this status is worth another try: 408, 409, 429 and 5xx. `x-should-retry`
// overrules that, except for what can never succeed (400, 401, 402, 403, 404, 413, 422).
Retry retry_after_status(int status, const std::vector<net::Header>& headers);

// Whether a failure with this code is. What has limits of its own, or says that the request itself
// is wrong, is not.
Retry retry_after_error(ErrorCode code);

// How long the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
// Nothing if it does not say, or not understandably. `now`: for dates.
std::optional<std::chrono::milliseconds> server_wait(const std::vector<net::Header>& headers,
                                                     std::chrono::system_clock::time_point now);

// `Sun, 06 Nov 1994 08:49:37 GMT`
std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text);

// The wait before try `attempt + 1`: a random part (`random`: 0 to 1) of `first` doubled with each
// try, so that many who failed at once do not come back at once; and at least what the server asked
// for.
std::chrono::milliseconds retry_wait(int attempt, std::chrono::milliseconds first,
                                     std::optional<std::chrono::milliseconds> asked, double random);

}  // namespace goondan
