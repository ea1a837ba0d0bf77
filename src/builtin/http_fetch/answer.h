// From a response to the result of a call. Part of the tool `http-fetch`.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>

#include "base/redactor.h"
#include "net/http_client.h"

namespace goondan::builtin::http_fetch {

// Valid UTF-8 of a body's bytes: a byte order mark is dropped, a character that the cut at
// `maxBytes` has split goes whole, every other stray byte becomes U+FFFD. Of a secret that the cut
// went through nothing is shown.
std::string body_text(const net::Response& response, const Redactor& redactor);

// Each header once, under its name in lower case, repeats joined with ", ".
JsonObject header_object(const net::Response& response);

// What the server said about its status; the standard words where it said nothing.
std::string status_text(const net::Response& response);

}  // namespace goondan::builtin::http_fetch
