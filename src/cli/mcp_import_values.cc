#include "cli/mcp_import_values.h"

#include <cctype>
#include <optional>

#include "base/redactor.h"

namespace goondan::cli {
namespace {

// `files` and `X-Api-Key` give `FILES_X_API_KEY`.
std::string variable_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool good = byte < 0x80 && std::isalnum(byte) != 0;
    if (good) name += static_cast<char>(std::toupper(byte));
    if (!good && !name.empty() && !name.ends_with('_')) name += '_';
  }
  return name;
}

// The name in a text that is just `${NAME}` or `${env:NAME}`.
std::optional<std::string> whole_variable(std::string_view text) {
  if (!text.starts_with("${") || !text.ends_with('}')) return std::nullopt;
  text = text.substr(2, text.size() - 3);
  if (text.starts_with("env:")) text.remove_prefix(4);
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  if (text.empty() || text.find_first_not_of(kAllowed) != std::string_view::npos)
    return std::nullopt;
  return std::string(text);
}

}  // namespace

bool looks_secret(const std::string& text) {
  return Redactor().finds_in(text);
}

bool holds_variable(const std::string& text) {
  return text.find("${") != std::string::npos;
}

std::map<std::string, ValueSource> McpValueImport::read(const JsonObject& values, McpValues kind) {
  std::map<std::string, ValueSource> sources;
  for (const auto& [key, value] : values) {
    const std::string name(key);
    const std::string text = value.is_string() ? std::string(value.get_string()) : to_text(value);
    if (std::optional<std::string> given = whole_variable(text)) {
      sources[name].env = std::move(*given);
    } else if (!text.empty() &&
               (names_a_secret(name) || looks_secret(text) || holds_variable(text))) {
      const std::string variable =
          kind == McpValues::Env ? name : variable_name(server) + "_" + variable_name(name);
      sources[name].env = variable;
      notes.push_back("'" + server + "': the value of " + name +
                      " was not copied; put it into .env as " + variable);
    } else {
      sources[name].value = text;
    }
  }
  return sources;
}

}  // namespace goondan::cli
