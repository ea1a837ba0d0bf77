#include "builtin/telegram/arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"

namespace goondan::builtin::telegram {
namespace {

// Beyond it a number in JSON may not be the one that was meant.
constexpr double kLargestExact = 9007199254740992.0;

bool is_whole(double number) {
  return std::trunc(number) == number && std::abs(number) <= kLargestExact;
}

// 0 if the value is no positive integer.
std::int64_t positive_integer(const Json& value) {
  if (const std::int64_t* number = value.if_int64()) return std::max<std::int64_t>(*number, 0);
  if (value.is_double() && is_whole(value.get_double()) && value.get_double() > 0)
    return static_cast<std::int64_t>(value.get_double());
  if (!value.is_string()) return 0;
  const std::string_view digits = messaging::trimmed(value.get_string());
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.begin(), digits.end(), number);
  const bool all = read.ec == std::errc() && read.ptr == digits.end();
  return all ? std::max<std::int64_t>(number, 0) : 0;
}

// A name as it is given, and Telegram's.
using ParseMode = std::pair<std::string_view, std::string_view>;

constexpr std::array kParseModes{ParseMode{"markdown", "Markdown"},
                                 ParseMode{"markdownv2", "MarkdownV2"},
                                 ParseMode{"markdown-v2", "MarkdownV2"}, ParseMode{"html", "HTML"}};

constexpr std::array<std::string_view, 11> kActions{
    "typing",        "upload-photo",      "record-video",     "upload-video",
    "record-voice",  "upload-voice",      "upload-document",  "choose-sticker",
    "find-location", "record-video-note", "upload-video-note"};

Error unsupported(std::string_view key, std::string_view given, std::string_view choices) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = "Unsupported " + std::string(key) + " '" + std::string(given) +
                     "'. Use one of: " + std::string(choices)};
}

}  // namespace

Result<std::string> read_chat_id(const JsonObject& input) {
  const Json* value = input.if_contains("chatId");
  if (value != nullptr && (value->is_int64() || value->is_uint64())) return to_text(*value);
  if (value != nullptr && value->is_double() && is_whole(value->get_double()))
    return std::to_string(static_cast<std::int64_t>(value->get_double()));
  const auto text = messaging::trimmed_argument(input, {"chatId"});
  if (!text) return invalid_argument("chatId", "must be a non-empty string or integer");
  return std::string(*text);
}

Result<std::optional<std::int64_t>> read_message_id(const JsonObject& input, std::string_view key) {
  const Json* value = input.if_contains(key);
  if (value == nullptr) return std::optional<std::int64_t>();
  const std::int64_t number = positive_integer(*value);
  if (number == 0) return invalid_argument(key, "must be a positive integer");
  return std::optional(number);
}

Result<std::int64_t> needed_message_id(const JsonObject& input, std::string_view key) {
  const std::optional<std::int64_t> number = GDN_TRY(read_message_id(input, key));
  if (!number) return invalid_argument(key, "must be a positive integer");
  return *number;
}

Result<std::string_view> read_parse_mode(const JsonObject& input) {
  const std::string_view given = text_argument(input, "parseMode").value_or("");
  const std::string name = messaging::normalised_name(given);
  if (name.empty()) return std::string_view();
  const auto* const mode = std::ranges::find(kParseModes, name, &ParseMode::first);
  if (mode == kParseModes.end())
    return unsupported("parseMode", given, "markdown, markdownv2, markdown-v2, html");
  return mode->second;
}

Result<std::string> read_chat_action(const JsonObject& input) {
  const std::string_view given =
      messaging::trimmed_argument(input, {"action", "status"}).value_or(kActions[0]);
  std::string name = messaging::normalised_name(given);
  if (std::ranges::find(kActions, name) == kActions.end()) {
    std::string choices;
    for (const std::string_view action : kActions)
      choices.append(choices.empty() ? "" : ", ").append(action);
    return unsupported("action", given, choices);
  }
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace goondan::builtin::telegram
