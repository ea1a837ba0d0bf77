#include "model/model_options.h"

#include <array>

#include "base/json_fields.h"
#include "base/nearest.h"

namespace goondan {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 8> kNames{"maxRetries",    "retryWaitMs",    "timeoutMs",
                                                 "idleTimeoutMs", "maxTokensField", "reasoning",
                                                 "headers",       "request"};
constexpr std::int64_t kMaxMilliseconds = 86'400'000;  // a day

Error invalid(std::string_view name, std::string_view must) {
  return {.code = ErrorCode::ModelConfig,
          .message = "`options." + std::string(name) + "` must be " + std::string(must)};
}

Error unknown(std::string_view name) {
  const std::string_view meant = nearest(name, kNames);
  std::string known;
  for (const std::string_view one : kNames) {
    known += (known.empty() ? "" : ", ") + std::string(one);
  }
  return {.code = ErrorCode::ModelConfig,
          .message = "`options` has no field `" + std::string(name) + "`",
          .suggestion = (meant.empty() ? "" : "Did you mean `" + std::string(meant) + "`? ") +
                        "Known are " + known +
                        "; fields for the provider go into `options.request`."};
}

Result<void> read_number(const JsonObject& options, std::string_view name, std::int64_t least,
                         std::int64_t most, std::int64_t& number) {
  if (!options.contains(name)) return {};
  const std::optional<std::int64_t> found = integer_field(options, name);
  if (!found || *found < least || *found > most) {
    return invalid(name,
                   "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  number = *found;
  return {};
}

Result<void> read_time(const JsonObject& options, std::string_view name, milliseconds& time) {
  std::int64_t count = time.count();
  GDN_TRY(read_number(options, name, 1, kMaxMilliseconds, count));
  time = milliseconds(count);
  return {};
}

Result<void> read_word(const JsonObject& options, std::string_view name,
                       std::span<const std::string_view> words, std::string& word) {
  if (!options.contains(name)) return {};
  word = text_field(options, name);
  if (std::ranges::find(words, word) != words.end()) return {};
  return invalid(name, "`" + std::string(words[0]) + "` or `" + std::string(words[1]) + "`");
}

Result<void> read_headers(const JsonObject& options, std::vector<net::Header>& headers) {
  if (!options.contains("headers")) return {};
  const JsonObject* object = object_field(options, "headers");
  if (object == nullptr) return invalid("headers", "a mapping of names to texts");
  for (const auto& [name, value] : *object) {
    if (!value.is_string() || !net::is_token(name) || !net::is_field_value(value.get_string())) {
      return invalid("headers", "a mapping of header names to texts of one line");
    }
    headers.push_back({.name = std::string(name), .value = std::string(value.get_string())});
  }
  return {};
}

Result<void> read_texts(const JsonObject& object, ModelOptions& options) {
  constexpr std::array<std::string_view, 2> kFields{"max_tokens", "max_completion_tokens"};
  constexpr std::array<std::string_view, 2> kReasoning{"drop", "sendBack"};
  std::string reasoning;
  GDN_TRY(read_word(object, "maxTokensField", kFields, options.max_tokens_field));
  GDN_TRY(read_word(object, "reasoning", kReasoning, reasoning));
  if (reasoning == "sendBack") options.reasoning = ModelOptions::Reasoning::SendBack;
  return {};
}

}  // namespace

Result<ModelOptions> ModelOptions::parse(const JsonObject& object) {
  for (const auto& [name, value] : object) {
    if (std::ranges::find(kNames, std::string_view(name)) == kNames.end()) return unknown(name);
  }
  ModelOptions options;
  std::int64_t retries = options.max_retries;
  GDN_TRY(read_number(object, "maxRetries", 0, kMostRetries, retries));
  options.max_retries = static_cast<int>(retries);
  GDN_TRY(read_time(object, "retryWaitMs", options.retry_wait));
  GDN_TRY(read_time(object, "timeoutMs", options.timeout));
  GDN_TRY(read_time(object, "idleTimeoutMs", options.idle_timeout));
  GDN_TRY(read_texts(object, options));
  GDN_TRY(read_headers(object, options.headers));
  if (object.contains("request")) {
    const JsonObject* request = object_field(object, "request");
    if (request == nullptr) return invalid("request", "a mapping");
    options.request = *request;
  }
  return options;
}

}  // namespace goondan
