// Reading arguments and answers the way messaging services need it: trimmed, with aliases, and
// null for what an answer does not say.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::builtin::messaging {

std::string_view trimmed(std::string_view text);

// The first of `keys` that holds more than white space, trimmed.
std::optional<std::string_view> trimmed_argument(const JsonObject& input,
                                                 std::initializer_list<std::string_view> keys);

// The same; `E_TOOL_INVALID_ARGS` naming the first key if there is none.
Result<std::string> needed_argument(const JsonObject& input,
                                    std::initializer_list<std::string_view> keys);

// The text under `key`, as it is. `E_TOOL_INVALID_ARGS` if it is empty or missing.
Result<std::string> needed_text(const JsonObject& input, std::string_view key);

// Puts an argument that was given into the request under the service's name for it.
void copy_flag(const JsonObject& input, std::string_view key, JsonObject& body,
               std::string_view name);
void copy_trimmed(const JsonObject& input, std::string_view key, JsonObject& body,
                  std::string_view name);

// The number under `key`, `fallback` if there is none, cut to an integer that must lie between.
struct NumberRange {
  std::int64_t least;
  std::int64_t most;
};

Result<std::int64_t> read_number(const JsonObject& input, std::string_view key, NumberRange range,
                                 std::int64_t fallback);

// `emoji`, then `emojis`: trimmed, blanks dropped, each once.
std::vector<std::string> read_emojis(const JsonObject& input);

// The member of an answer if it is of that kind, null otherwise.
Json string_or_null(const Json& answer, std::string_view key);
Json number_or_null(const Json& answer, std::string_view key);

// The member if it is a string that is not empty, `fallback` otherwise.
std::string string_or(const Json& answer, std::string_view key, std::string_view fallback);

// `"...", lower case, spaces and underscores as one hyphen`: how names of modes are compared.
std::string normalised_name(std::string_view text);

}  // namespace goondan::builtin::messaging
