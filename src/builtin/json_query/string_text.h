// The strings of a document, given as they stand between their quotes. They have been passed by a
// scanner, so their escapes and their UTF-8 are right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace goondan::builtin::json_query {

bool has_escapes(std::string_view raw);

// What `raw` means. Half a surrogate pair means U+FFFD.
std::string unescaped(std::string_view raw);

// Whether `raw` means `text`.
bool means(std::string_view raw, std::string_view text);

// How many code points `raw` means.
std::size_t count_characters(std::string_view raw);

}  // namespace goondan::builtin::json_query
