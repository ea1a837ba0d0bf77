#include "oauth/manager/record_json.h"

#include <cstring>

#include "base/json_fields.h"
#include "oauth/manager/time_text.h"

namespace goondan::oauth {
namespace {

void wipe_strings(Json& value) {
  if (value.is_string()) {
    ::explicit_bzero(value.get_string().data(), value.get_string().size());
  } else if (value.is_array()) {
    for (Json& item : value.get_array())
      wipe_strings(item);
  } else if (value.is_object()) {
    for (auto& member : value.get_object())
      wipe_strings(member.value());
  }
}

}  // namespace

JsonArray scopes_json(const Scopes& scopes) {
  JsonArray array;
  for (const std::string& scope : scopes)
    array.emplace_back(scope);
  return array;
}

Scopes scopes_field(const JsonObject& object, std::string_view key) {
  Scopes scopes;
  const JsonArray* array = array_field(object, key);
  if (array == nullptr) return scopes;
  for (const Json& item : *array) {
    if (item.is_string()) scopes.emplace_back(item.get_string());
  }
  return scopes;
}

JsonObject app_ref_json(std::string_view app) {
  return {{"kind", "OAuthApp"}, {"name", app}};
}

std::string app_ref_field(const JsonObject& spec) {
  const JsonObject* ref = object_field(spec, "oauthAppRef");
  return ref == nullptr ? std::string() : text_field(*ref, "name");
}

std::optional<std::int64_t> time_field(const JsonObject& object, std::string_view key) {
  return time_from(text_field(object, key));
}

Secret secret_field(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return Secret(std::string_view(value->get_string()));
}

Secret record_text(std::string_view kind, std::string_view name, JsonObject spec) {
  Json record = JsonObject{{"apiVersion", kRecordApiVersion},
                           {"kind", kind},
                           {"metadata", JsonObject{{"name", name}}},
                           {"spec", std::move(spec)}};
  std::string text = to_text(record);
  wipe_strings(record);
  return Secret::taken_from(text);
}

Result<OpenedRecord> OpenedRecord::open(const Secret& text, std::string_view kind) {
  Result<Json> parsed = parse_json(text.reveal());
  if (parsed.ok() && parsed->is_object()) {
    OpenedRecord record(*std::move(parsed));
    const JsonObject& object = record.value_.get_object();
    if (text_field(object, "kind") == kind && object_field(object, "spec") != nullptr) {
      return record;
    }
  }
  // The parser's own message could hold a piece of the text.
  return Error{.code = ErrorCode::StoreCorrupt,
               .message = "a stored record is no " + std::string(kind),
               .suggestion = "It may be of a newer version of gdn; `gdn auth logout` removes it."};
}

OpenedRecord::~OpenedRecord() {
  wipe_strings(value_);
}

std::string OpenedRecord::name() const {
  const JsonObject* metadata = object_field(value_.get_object(), "metadata");
  return metadata == nullptr ? std::string() : text_field(*metadata, "name");
}

const JsonObject& OpenedRecord::spec() const {
  return *object_field(value_.get_object(), "spec");
}

}  // namespace goondan::oauth
