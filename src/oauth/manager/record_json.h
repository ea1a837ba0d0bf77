// What the records of the store have in common as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "oauth/secret.h"

namespace goondan::oauth {

inline constexpr std::string_view kRecordApiVersion = "goondan.ai/v1";

using Scopes = std::vector<std::string>;

JsonArray scopes_json(const Scopes& scopes);
Scopes scopes_field(const JsonObject& object, std::string_view key);

JsonObject app_ref_json(std::string_view app);  // {kind: OAuthApp, name}
std::string app_ref_field(const JsonObject& spec);

std::optional<std::int64_t> time_field(const JsonObject& object, std::string_view key);
Secret secret_field(const JsonObject& object, std::string_view key);

// `{apiVersion, kind, metadata: {name}, spec}` as text. What `spec` holds is wiped.
Secret record_text(std::string_view kind, std::string_view name, JsonObject spec);

// A record that was read. Its strings are wiped at the end.
class OpenedRecord {
 public:
  // `E_STORE_CORRUPT` if it is no record of `kind`.
  static Result<OpenedRecord> open(const Secret& text, std::string_view kind);
  OpenedRecord(OpenedRecord&& other) noexcept = default;
  OpenedRecord& operator=(OpenedRecord&&) = delete;
  ~OpenedRecord();

  [[nodiscard]] std::string name() const;
  [[nodiscard]] const JsonObject& spec() const;

 private:
  explicit OpenedRecord(Json value) : value_(std::move(value)) {}
  Json value_;
};

}  // namespace goondan::oauth
