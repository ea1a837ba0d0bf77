// Streams that end before they are through: how long to wait, and where to go on. Legacy era; the
// modern one has no such thing.
#pragma once

#include "mcp/http_endpoint.h"
#include "mcp/http_session.h"

namespace goondan::mcp {

// Between the end of a stream and the next try: what the server says within these bounds.
inline constexpr std::chrono::milliseconds kDefaultRetry{1000};
inline constexpr std::chrono::milliseconds kMinRetry{50};
inline constexpr std::chrono::milliseconds kMaxRetry{300'000};
// A request's stream is asked for its rest so many times without bringing anything new.
inline constexpr int kMaxFruitlessResumes = 5;

std::chrono::milliseconds retry_time(const HttpAnswer& answer);

// Waits, but not past a stop or the deadline. Whether the whole time passed.
bool wait_for_retry(std::chrono::milliseconds time, Deadline deadline, const std::stop_token& stop);

// Sends `call` and reads its answer; a stream that ends without the response goes on with a GET
// after its last event. Fails as `HttpEndpoint::exchange` does.
Result<void> fetch(HttpEndpoint& endpoint, const HttpSession& session, const HttpCall& call,
                   HttpAnswer& answer);

}  // namespace goondan::mcp
