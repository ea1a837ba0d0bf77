// How the things of a run are called in its views. All text from tools, models and bundles passes
// here before it is shown. Pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <goondan/error.h>
#include <goondan/json.h>

namespace goondan::cli {

// The most that is shown of one text on one line.
inline constexpr std::size_t kMaxShownCharacters = 2'000;

// Harmless: control characters and what turns the direction of writing escaped, tabs as spaces, no
// carriage returns. Keeps line breaks.
std::string clean_text(std::string_view text);
// The same on one line, at most `kMaxShownCharacters`: breaks and runs of blanks are one space.
std::string one_line(std::string_view text);

// `command="ls -l" count=3`: the arguments of a call on one line.
std::string arguments_text(const Json& arguments);

// "4 ms", "0.12 s", "3.4 s", "2 min 05 s"
std::string duration_text(std::chrono::milliseconds duration);
// "950", "12.3k", "4.1M"
std::string count_text(std::int64_t count);
// "1 call", "2 calls"
std::string counted(std::int64_t count, std::string_view what);

// "message [CODE]", on one line.
std::string error_line(const Error& error);

// Of `auth.required`: what the person must do. Not shortened: a link must be whole.
std::string consent_words(const JsonObject& observation);

// `writer`, or `writer@key` if the key is not the usual one.
std::string instance_text(std::string_view agent, std::string_view key, std::string_view usual_key);
// The same from `agent@key`.
std::string instance_text(std::string_view name, std::string_view usual_key);

}  // namespace goondan::cli
