// Values that may come from the environment.
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/resources.h>

#include "resource/source_text.h"

namespace goondan {
namespace {

constexpr std::string_view kForms =
    "Write `value: text`, `valueFrom: {env: NAME}` or "
    "`valueFrom: {secretRef: {ref: Secret/name, key: key}}`.";
constexpr std::string_view kSecretKind = "Secret/";

Error invalid(std::string message) {
  return {.code = ErrorCode::ConfigSchemaInvalid,
          .message = std::move(message),
          .suggestion = std::string(kForms)};
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// The text under `key`, which must be there and not blank.
Result<std::string> text_of(const JsonObject& object, std::string_view key) {
  const Json* value = object.if_contains(key);
  if (value == nullptr || !value->is_string() || blank(value->get_string())) {
    return invalid(in_backticks(key) + " must be text and not empty");
  }
  return std::string(value->get_string());
}

Result<ValueSource> parse_secret(const Json& value) {
  if (!value.is_object()) return invalid("`secretRef` must be a mapping");
  const JsonObject& object = value.get_object();
  const std::string ref = GDN_TRY(text_of(object, "ref"));
  const std::string_view name =
      std::string_view(ref).substr(ref.starts_with(kSecretKind) ? kSecretKind.size() : ref.size());
  if (blank(name) || name.find('/') != std::string_view::npos) {
    return invalid("`secretRef.ref` must be `Secret/<name>`, not " + in_backticks(ref));
  }
  ValueSource source{.secret_name = std::string(name)};
  if (object.contains("key")) source.secret_key = GDN_TRY(text_of(object, "key"));
  return source;
}

Result<ValueSource> parse_from(const Json& value) {
  if (!value.is_object()) return invalid("`valueFrom` must be a mapping");
  const JsonObject& object = value.get_object();
  const bool env = object.contains("env");
  const bool secret = object.contains("secretRef");
  if (env && secret) return invalid("`valueFrom` has both `env` and `secretRef`; one is allowed");
  if (secret) return parse_secret(object.at("secretRef"));
  if (!env) return invalid("`valueFrom` needs `env` or `secretRef`");
  ValueSource source;
  source.env = GDN_TRY(text_of(object, "env"));
  return source;
}

// Upper case, runs of anything but letters and digits as one `_`, none at the edges.
std::string variable_part(std::string_view text) {
  std::string part;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 0x80) {
      part += static_cast<char>(std::toupper(byte));
    } else if (!part.empty() && part.back() != '_') {
      part += '_';
    }
  }
  if (part.ends_with('_')) part.pop_back();
  return part;
}

std::vector<std::string> secret_variables(std::string_view name, std::string_view key,
                                          std::string_view field) {
  std::vector<std::string> variables;
  for (const std::string_view prefix : {"GOONDAN_SECRET_", "SECRET_"}) {
    const std::string base = std::string(prefix) + variable_part(name);
    for (const std::string_view last : {key.empty() ? field : key, field}) {
      const std::string part = variable_part(last);
      const std::string variable = part.empty() ? std::string() : base + "_" + part;
      const bool repeated = !variables.empty() && variables.back() == variable;
      if (!variable.empty() && !repeated) variables.push_back(variable);
    }
    variables.push_back(base);
  }
  return variables;
}

const std::string* find_set(const ValueSource::Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() || blank(found->second) ? nullptr : &found->second;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Result<ValueSource> ValueSource::parse(const Json& value) {
  if (!value.is_object()) return invalid("a value source must be a mapping");
  const JsonObject& object = value.get_object();
  const bool direct = object.contains("value");
  const bool indirect = object.contains("valueFrom");
  if (direct && indirect) return invalid("`value` and `valueFrom` are both given; one is allowed");
  if (indirect) return parse_from(object.at("valueFrom"));
  if (!direct) return invalid("neither `value` nor `valueFrom` is given");
  const Json& text = object.at("value");
  if (!text.is_string()) return invalid("`value` must be text");
  return ValueSource{.value = std::string(text.get_string())};
}

Result<std::optional<std::string>> ValueSource::resolve(const Environment& environment,
                                                        Required required,
                                                        std::string_view field) const {
  if (value) return value;
  std::vector<std::string> variables;
  if (env) variables.push_back(*env);
  if (secret_name) variables = secret_variables(*secret_name, secret_key, field);
  for (const std::string& variable : variables) {
    if (const std::string* text = find_set(environment, variable)) return std::optional(*text);
  }
  if (required == Required::No) return std::optional<std::string>{};
  return Error{
      .code = ErrorCode::ConfigValueMissing,
      .message = env ? "the environment variable " + in_backticks(*env) + " is not set"
                     : "the secret " + in_backticks(secret_name.value_or("")) + " is not set",
      .suggestion = variables.size() == 1 ? "Set " + variables.front() +
                                                ", in the environment or in .env of the bundle."
                                          : "Set one of: " + joined(variables) + "."};
}

}  // namespace goondan
