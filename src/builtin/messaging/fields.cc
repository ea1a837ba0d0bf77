#include "builtin/messaging/fields.h"

#include <algorithm>
#include <cmath>

#include "base/white_space.h"
#include "builtin/arguments.h"

namespace goondan::builtin::messaging {
namespace {

const Json* member(const Json& answer, std::string_view key) {
  const JsonObject* object = answer.if_object();
  return object == nullptr ? nullptr : object->if_contains(key);
}

void add_emoji(std::vector<std::string>& emojis, std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && std::ranges::find(emojis, text) == emojis.end()) emojis.emplace_back(text);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  return unicode::trim_end(unicode::trim_start(text));
}

std::optional<std::string_view> trimmed_argument(const JsonObject& input,
                                                 std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const std::string_view text = trimmed(text_argument(input, key).value_or(""));
    if (!text.empty()) return text;
  }
  return std::nullopt;
}

Result<std::string> needed_argument(const JsonObject& input,
                                    std::initializer_list<std::string_view> keys) {
  const std::optional<std::string_view> text = trimmed_argument(input, keys);
  if (!text) return invalid_argument(*keys.begin(), "must be a non-empty string");
  return std::string(*text);
}

Result<std::string> needed_text(const JsonObject& input, std::string_view key) {
  const std::string_view text = text_argument(input, key).value_or("");
  if (text.empty()) return invalid_argument(key, "must be a non-empty string");
  return std::string(text);
}

void copy_flag(const JsonObject& input, std::string_view key, JsonObject& body,
               std::string_view name) {
  if (const std::optional<bool> flag = flag_argument(input, key)) body[name] = *flag;
}

void copy_trimmed(const JsonObject& input, std::string_view key, JsonObject& body,
                  std::string_view name) {
  if (const auto text = trimmed_argument(input, {key})) body[name] = *text;
}

Result<std::int64_t> read_number(const JsonObject& input, std::string_view key, NumberRange range,
                                 std::int64_t fallback) {
  const std::optional<double> given = number_argument(input, key);
  if (!given) return fallback;
  const double number = std::trunc(*given);
  if (!(number >= static_cast<double>(range.least) && number <= static_cast<double>(range.most))) {
    return invalid_argument(key, "must be between " + std::to_string(range.least) + " and " +
                                     std::to_string(range.most));
  }
  return static_cast<std::int64_t>(number);
}

std::vector<std::string> read_emojis(const JsonObject& input) {
  std::vector<std::string> emojis;
  add_emoji(emojis, text_argument(input, "emoji").value_or(""));
  const JsonArray* more = array_argument(input, "emojis");
  if (more == nullptr) return emojis;
  for (const Json& emoji : *more) {
    if (emoji.is_string()) add_emoji(emojis, emoji.get_string());
  }
  return emojis;
}

Json string_or_null(const Json& answer, std::string_view key) {
  const Json* value = member(answer, key);
  return value != nullptr && value->is_string() ? *value : Json(nullptr);
}

Json number_or_null(const Json& answer, std::string_view key) {
  const Json* value = member(answer, key);
  return value != nullptr && value->is_number() ? *value : Json(nullptr);
}

std::string string_or(const Json& answer, std::string_view key, std::string_view fallback) {
  const Json* value = member(answer, key);
  const bool given = value != nullptr && value->is_string() && !value->get_string().empty();
  return std::string(given ? std::string_view(value->get_string()) : fallback);
}

std::string normalised_name(std::string_view text) {
  std::string name;
  for (const char c : trimmed(text)) {
    const bool joint = c == ' ' || c == '\t' || c == '_';
    if (joint && name.ends_with('-')) continue;
    name += joint ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

}  // namespace goondan::builtin::messaging
