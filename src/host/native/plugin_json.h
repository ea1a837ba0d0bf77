// JSON as it crosses the border of a plugin: its limits, and errors in it. Compiled into the
// library and into what plugins link. Pure functions.
#pragma once

#include <optional>

#include <goondan/error.h>
#include <goondan/json.h>

namespace goondan {

// One input or one reply. A little less than what a frame can carry.
inline constexpr JsonLimits kPluginJsonLimits{.max_bytes = std::size_t{60} << 20, .max_depth = 64};

// The calls of an extension: conversations, with values as deep as a tool's in their messages.
inline constexpr JsonLimits kExtensionJsonLimits{.max_bytes = kPluginJsonLimits.max_bytes,
                                                 .max_depth = 128};

// `{message, code, name, suggestion?, helpUrl?}`
Json error_to_json(const Error& error);

// The error behind such an object; an unknown code becomes the error's own (`custom_code`), a
// missing one `E_TOOL`. Fields other than the message are cut to a sane length. Nothing if it is no
// object with a text `message`.
std::optional<Error> error_from_json(const Json& json);

}  // namespace goondan
