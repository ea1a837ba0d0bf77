// Reading the fields of a JSON object that may hold anything: a field that is absent or of another
// type is simply not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>

namespace goondan {

// The string under `key`; empty if there is none.
std::string text_field(const JsonObject& object, std::string_view key);
std::optional<std::int64_t> integer_field(const JsonObject& object, std::string_view key);
// Whether the field is there and true.
bool true_field(const JsonObject& object, std::string_view key);
const JsonObject* object_field(const JsonObject& object, std::string_view key);
const JsonArray* array_field(const JsonObject& object, std::string_view key);
// The value under `key`, or null.
Json any_field(const JsonObject& object, std::string_view key);

// The object in `value`; an empty one if it is none. Borrowed from `value`.
const JsonObject& object_or_empty(const Json& value);

// An error as it travels: `{code, name, message, suggestion?, helpUrl?}`, and back.
Json error_json(const Error& error);
Error error_from(const Json& value);

}  // namespace goondan
