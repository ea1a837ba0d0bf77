// The codings of HTTP bodies that we can undo: gzip and deflate. Does no I/O.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <goondan/result.h>

namespace goondan::net {

// A body coded more often than this is not decoded.
inline constexpr std::size_t kMaxContentCodings = 3;

enum class ContentCoding { Gzip, Deflate };

// The codings that a `Content-Encoding` header names, in the order in which they were applied;
// `identity` is none. Fails with `E_HTTP_RESPONSE`, which names it, if one cannot be undone, and if
// there are too many.
[[nodiscard]] Result<std::vector<ContentCoding>> content_codings(std::string_view header);

// Whether an answer in any of the codings that an `Accept-Encoding` header names can be decoded.
[[nodiscard]] bool can_decode_all(std::string_view accept_encoding);

}  // namespace goondan::net
