// Takes out of foreign texts what a person would not see but a model reads, and what would steer a
// terminal: tag characters, zero-width and bidirectional controls, runs of variation selectors,
// control characters, escape sequences.
//
// What ordinary text needs stays: line ends and tabs, all scripts, joiners inside emoji and in the
// scripts that are written with them, one variation selector after a character that has variants.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/json.h>

namespace goondan {

inline constexpr std::size_t kMaxMcpDescription = 2048;  // bytes

struct CleanText {
  std::string text = {};
  std::size_t removed = 0;  // code points
};

// Always valid UTF-8.
CleanText clean_text(std::string_view text);

// Cleans every string in `value`, the keys too; returns how many code points were removed.
std::size_t clean_json(Json& value);

// Cleans only what a schema says to its readers: each `title`, `description` and `$comment`.
std::size_t clean_schema_texts(Json& schema);

// At most `max_bytes`, never splitting a character; a text that was cut says so at its end.
std::string cut_text(std::string text, std::size_t max_bytes);

// For log lines and messages: cleaned, in one line, at most `max_bytes`.
std::string one_line(std::string_view text, std::size_t max_bytes);

}  // namespace goondan
