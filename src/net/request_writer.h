// Checks a request and writes it as HTTP/1.1. Does no I/O.
#pragma once

#include <cstddef>
#include <string>

#include <goondan/result.h>

#include "net/outgoing.h"

namespace goondan::net {

inline constexpr std::size_t kMaxRequestHeadBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxRequestHeaders = 200;

// Whether the request may be sent as it is: a method and headers that are well-formed, none that
// belongs to the connection or would unlock a cloud's metadata service. Fails with
// `E_TOOL_INVALID_ARGS`.
[[nodiscard]] Result<void> check_request(const Outgoing& request);

// The head, with its blank line. `request` has passed `check_request`.
//
// An `Accept-Encoding` of the caller's is sent if we can decode all that it names. Otherwise ours
// stands in its place: whoever copies the headers of a browser wants a text that can be read.
[[nodiscard]] std::string write_head(const Outgoing& request);

}  // namespace goondan::net
