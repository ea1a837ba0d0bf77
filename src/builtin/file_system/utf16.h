// UTF-16, little-endian, to and from UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace goondan::builtin::file_system {

// The characters of valid UTF-8.
std::u32string code_points(std::string_view text);

// A surrogate without its partner becomes U+FFFD. What is no whole character at the end is left
// out.
std::string from_utf16le(std::string_view bytes);

std::string to_utf16le(std::string_view text);

}  // namespace goondan::builtin::file_system
