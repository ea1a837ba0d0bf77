#include "extension/shipped/extension_config.h"

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "base/utf8.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxShownValue = 80;  // code points

std::string shown(const Json& value) {
  const std::string text = to_text(value);
  const std::string_view cut = utf8::prefix(text, kMaxShownValue);
  return std::string(cut) + (cut.size() < text.size() ? "..." : "");
}

std::optional<std::int64_t> whole_number(const Json& value) {
  if (const std::int64_t* number = value.if_int64()) return *number;
  const double* real = value.if_double();
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (real == nullptr || std::trunc(*real) != *real || std::abs(*real) > kExact) return {};
  return static_cast<std::int64_t>(*real);
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += (text.empty() ? "" : ", ") + std::string(word);
  }
  return text;
}

}  // namespace

const Json* ExtensionConfig::find(std::string_view key) {
  known_.push_back(key);
  const Json* value = config_.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

void ExtensionConfig::refuse(std::string_view key, std::string_view problem,
                             std::string suggestion) {
  if (problem_) return;
  problem_ = Error{.code = ErrorCode::ExtensionInit,
                   .message = "config." + std::string(key) + " of extension '" + extension_ + "' " +
                              std::string(problem),
                   .suggestion = std::move(suggestion)};
}

void ExtensionConfig::expect(std::string_view key, std::string_view what, const Json& found) {
  refuse(key, "must be " + std::string(what) + ", not " + shown(found),
         "Correct config." + std::string(key) + " where the agent lists '" + extension_ +
             "', or leave it out.");
}

std::int64_t ExtensionConfig::integer(std::string_view key, std::int64_t otherwise,
                                      IntegerRange range) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  const std::optional<std::int64_t> number = whole_number(*value);
  if (number && *number >= range.least && *number <= range.most) return *number;
  expect(key,
         "a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.most),
         *value);
  return otherwise;
}

std::size_t ExtensionConfig::size(std::string_view key, std::size_t otherwise, IntegerRange range) {
  return static_cast<std::size_t>(integer(key, static_cast<std::int64_t>(otherwise), range));
}

bool ExtensionConfig::flag(std::string_view key, bool otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_bool()) return value->get_bool();
  expect(key, "true or false", *value);
  return otherwise;
}

std::string ExtensionConfig::text(std::string_view key, std::string_view otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return std::string(otherwise);
  if (value->is_string()) return std::string(value->get_string());
  expect(key, "a text", *value);
  return std::string(otherwise);
}

std::size_t ExtensionConfig::choice(std::string_view key, std::span<const std::string_view> choices,
                                    std::size_t otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_string()) {
    const std::string_view said(value->get_string());
    const auto found = std::ranges::find(choices, said);
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  }
  expect(key, "one of " + joined(choices), *value);
  return otherwise;
}

std::vector<JsonObject> ExtensionConfig::objects(std::string_view key) {
  std::vector<JsonObject> objects;
  const Json* value = find(key);
  if (value == nullptr) return objects;
  const JsonArray* list = value->if_array();
  if (list == nullptr) expect(key, "a list", *value);
  for (const Json& one : list == nullptr ? JsonArray() : *list) {
    if (one.is_object()) {
      objects.push_back(one.get_object());
    } else {
      expect(key, "a list of objects", one);
    }
  }
  return objects;
}

std::vector<std::string> ExtensionConfig::texts(std::string_view key) {
  const Json* value = find(key);
  std::vector<std::string> made;
  if (value == nullptr) return made;
  if (!value->is_array()) {
    expect(key, "a list of texts", *value);
    return made;
  }
  for (const Json& one : value->get_array()) {
    if (!one.is_string() || one.get_string().empty()) {
      expect(key, "a list of texts that are not empty", *value);
      return {};
    }
    std::string text(one.get_string());
    if (std::ranges::find(made, text) == made.end()) made.push_back(std::move(text));
  }
  return made;
}

Result<void> ExtensionConfig::finish() {
  if (problem_) return *problem_;
  for (const auto& member : config_) {
    const std::string_view key(member.key());
    if (std::ranges::find(known_, key) != known_.end()) continue;
    const std::string_view meant = nearest(key, known_);
    std::string suggestion = meant.empty() ? "" : "Did you mean '" + std::string(meant) + "'? ";
    suggestion += known_.empty() ? "It takes no config." : "Its keys: " + joined(known_) + ".";
    return Error{
        .code = ErrorCode::ExtensionInit,
        .message = "config." + std::string(key) + " is not known to extension '" + extension_ + "'",
        .suggestion = std::move(suggestion)};
  }
  return {};
}

}  // namespace goondan::shipped
