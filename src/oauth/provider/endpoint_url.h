// The addresses that an application or a metadata document names, checked once.
#pragma once

#include <string_view>

#include <goondan/result.h>

#include "net/url.h"

namespace goondan::oauth {

// `localhost`, `127.0.0.0/8` or `::1`.
bool is_loopback(const net::Url& url);

enum class PlainHttp { ForLoopback, Never };

// An https URL without a fragment; http too for loopback, if that is said. `E_CONFIG` with `field`
// in its message.
Result<net::Url> parse_endpoint(std::string_view text, std::string_view field,
                                PlainHttp plain = PlainHttp::ForLoopback);

}  // namespace goondan::oauth
