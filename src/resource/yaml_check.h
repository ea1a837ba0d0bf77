// Looks at the bytes of a file before the YAML parser does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace goondan::yaml {

// Why a text cannot be YAML at all, and where.
struct TextProblem {
  std::size_t offset = 0;
  std::string message;
  std::string suggestion;
};

// Refuses ill-formed UTF-8, control characters, and `%TAG` directives (tags of one's own are
// refused anyway, and many directives would cost the parser quadratic time).
std::optional<TextProblem> check_text(std::string_view text);

// The offset of the first line at or after `from` that begins a document (`---`). Such a line is
// a document marker wherever it stands, even inside a quoted text that was never closed, so it is
// a safe place to go on after a mistake.
std::optional<std::size_t> find_document_marker(std::string_view text, std::size_t from);

}  // namespace goondan::yaml
