// Bytes as text and back, in the encodings that Node's buffers know by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan::builtin::file_system {

enum class Encoding { Utf8, Base64, Base64Url, Hex, Latin1, Ascii, Utf16le };

// By any of its names, in any case: `utf8`, `utf-8`, `base64`, `base64url`, `hex`, `latin1`,
// `binary`, `ascii`, `utf16le`, `utf-16le`, `ucs2`, `ucs-2`.
std::optional<Encoding> find_encoding(std::string_view name);

// The bytes as valid UTF-8. What is no character of the encoding becomes U+FFFD; `Ascii` leaves the
// highest bit out; a half character at the end of `Utf16le` is left out.
std::string decode(std::string_view bytes, Encoding encoding);

// The bytes that `text`, which is UTF-8, stands for. Fails, naming what is wrong, where the
// encoding cannot say it: nothing is dropped silently. Base64 is taken in both alphabets, with and
// without padding and line breaks.
Result<std::string> encode(std::string_view text, Encoding encoding);

}  // namespace goondan::builtin::file_system
