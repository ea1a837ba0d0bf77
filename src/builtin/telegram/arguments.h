// Reading the arguments that only Telegram has. Part of the tool `telegram`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::builtin::telegram {

// `chatId` as text: a string that is not blank, trimmed, or an integer.
Result<std::string> read_chat_id(const JsonObject& input);

// A positive integer, also as digits in a string. Nothing if `key` is not given.
Result<std::optional<std::int64_t>> read_message_id(const JsonObject& input, std::string_view key);

// The same for an argument that must be given.
Result<std::int64_t> needed_message_id(const JsonObject& input, std::string_view key);

// Telegram's name of the mode; empty if none is given.
Result<std::string_view> read_parse_mode(const JsonObject& input);

// Telegram's name of the action (`upload_photo`); `typing` if none is given.
Result<std::string> read_chat_action(const JsonObject& input);

}  // namespace goondan::builtin::telegram
