// Cutting texts and values to what a frame, a model or a screen can take.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/json.h>

namespace goondan::agent {

// The longest beginning of `text` in whole characters that has at most `bytes` bytes.
std::string_view byte_prefix(std::string_view text, std::size_t bytes);

// The same for the bytes that it takes inside a JSON text, escapes included.
std::string_view json_prefix(std::string_view text, std::size_t bytes);

// Whether lists and objects lie in each other more than `levels` deep.
bool deeper_than(const Json& value, std::size_t levels);

// What an observation shows of arguments or an output: the value itself if it is small, otherwise
// the beginning of its text.
inline constexpr std::size_t kObservedCharacters = 2'000;
Json observed_value(const Json& value);

// Texts in observations and outcomes are cut here, so that they fit into a frame.
inline constexpr std::size_t kMaxFrameTextBytes = 512 * 1024;
std::string frame_text(std::string_view text);
// The value itself if it is small and flat enough for a frame, otherwise its text, cut.
Json frame_value(const Json& value);

}  // namespace goondan::agent
