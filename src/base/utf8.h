// UTF-8 as the project needs it: counting, cutting and repairing by code point.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace goondan::utf8 {

// The length in bytes of the well-formed sequence that `text` begins with; 0 if it begins with
// none (also for an empty text). Overlong forms, surrogates and values past U+10FFFF are
// ill-formed.
std::size_t sequence_length(std::string_view text);

bool valid(std::string_view text);

// The number of code points; each ill-formed byte counts as one.
std::size_t length(std::string_view text);

// The first `count` code points, never splitting one.
std::string_view prefix(std::string_view text, std::size_t count);

// `text` with every ill-formed byte replaced by U+FFFD.
std::string repaired(std::string_view text);

// Appends `code_point`, which must be a Unicode scalar value.
void append(std::string& out, char32_t code_point);

}  // namespace goondan::utf8
