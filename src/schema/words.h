// Values as they appear in messages: JSON text, but never long.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <goondan/json.h>

namespace goondan::schema {

inline constexpr std::size_t kMaxShownCodePoints = 60;  // of one value or name
inline constexpr std::size_t kMaxShownItems = 20;       // of a list of choices

// `text`, cut to `kMaxShownCodePoints` with `...` at the end if it is longer; valid UTF-8.
std::string short_plain(std::string_view text);

// `text` as a JSON string, cut inside the quotes.
std::string short_quoted(std::string_view text);

// The JSON text of `value`, cut.
std::string short_text(const Json& value);

// `["x", "y"]`, cut after `kMaxShownItems`.
std::string list_text(std::span<const Json> values);
std::string list_text(std::span<const std::string_view> names);

// `1 item`, `2 items`.
std::string counted(std::size_t count, std::string_view singular, std::string_view plural);

}  // namespace goondan::schema
