// Bytes written as letters and digits: hexadecimal and base64.
#pragma once

#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan::builtin::file_system {

std::string to_hex(std::string_view bytes);

// Two digits a byte, in either case. Errors are about the argument 'content'.
Result<std::string> from_hex(std::string_view text);

// Both alphabets, padding and line breaks optional. Errors are about the argument 'content'.
Result<std::string> from_base64(std::string_view text);

}  // namespace goondan::builtin::file_system
