// Percent-encoding and dot segments, as the WHATWG URL standard has them for http and https.
// Internal to `url.cc` and `url_host.cc`.
#pragma once

#include <string>
#include <string_view>

namespace goondan::net {

enum class UrlPart { Path, Query, Fragment };

// `text` with every byte that may not stand in `part` as `%XX`; a `%` that is there stays.
std::string percent_encoded(std::string_view text, UrlPart part);

// Each `%XX` as its byte; a `%` without two hexadecimal digits stays, which no host may have.
std::string percent_decoded(std::string_view text);

// An encoded path, which begins with `/`, without `.` and `..`, also when written as `%2e`.
std::string without_dot_segments(std::string_view path);

// The value of a hexadecimal digit, -1 for other characters.
int hex_value(char c);

char lower_ascii(char c);

}  // namespace goondan::net
