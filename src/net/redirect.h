// What a redirect makes of a request. Decides; sends nothing.
#pragma once

#include <optional>

#include <goondan/result.h>

#include "net/outgoing.h"
#include "net/response_reader.h"

namespace goondan::net {

// Whether the response asks to go elsewhere: 301, 302, 303, 307, 308 with a `Location`.
[[nodiscard]] bool is_redirect(const ResponseHead& head);

// The request that follows `head`'s redirect; its URL still has to be judged like any other.
//
// POST becomes GET on 301 and 302, everything but HEAD on 303. To another origin only a few
// harmless headers go along, and nothing that would be sent with a body or has an effect of its
// own. Fails with `E_HOST_NOT_ALLOWED` for that and for a way from https to http, with
// `E_URL_INVALID` if the location is no URL we can reach.
[[nodiscard]] Result<Outgoing> follow_redirect(const Outgoing& request, const ResponseHead& head);

}  // namespace goondan::net
