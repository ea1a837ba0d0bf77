#include "builtin/bash/environment.h"

#include <map>

#include "base/number_text.h"
#include "builtin/arguments.h"

namespace goondan::builtin::bash {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

// These make a program run other code before its own, which nobody who reads the command would see.
bool changes_what_runs(std::string_view name) {
  return name.starts_with("LD_") || name == "BASH_ENV" || name.starts_with("BASH_FUNC_");
}

Error bad_variable(std::string_view name, std::string_view problem) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = "env." + std::string(name) + " " + std::string(problem)};
}

Result<void> check_name(std::string_view name) {
  if (name.empty()) return invalid_argument("env", "has a variable without a name");
  if (name.find('\0') != std::string_view::npos || name.contains('='))
    return bad_variable(name, "cannot be a variable: its name holds '=' or a NUL character");
  if (changes_what_runs(name)) {
    Error error = bad_variable(name, "is not taken: it makes programs run code of another file");
    error.suggestion = "If it is meant, set it in the command itself, where it can be seen.";
    return error;
  }
  return {};
}

Result<std::string> value_text(std::string_view name, const Json& value) {
  if (!value.is_string() && !value.is_number() && !value.is_bool())
    return bad_variable(name, "must be a primitive string/number/boolean value");
  std::string text;
  if (value.is_number()) {
    append_number_text(text, value);
  } else {
    text = value.is_string() ? std::string(value.get_string()) : to_text(value);
  }
  if (text.find('\0') != std::string::npos) return bad_variable(name, "holds a NUL character");
  if (name.size() + 1 + text.size() >= kMaxTextBytes) {
    return bad_variable(name, "is " + std::to_string(text.size()) +
                                  " bytes long, more than the system takes; pass it in a file");
  }
  return text;
}

}  // namespace

Result<void> check_text(std::string_view key, std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return invalid_argument(key, "holds a NUL character, which no program can be given");
  if (text.size() < kMaxTextBytes) return {};
  Error error = invalid_argument(key, "is " + std::to_string(text.size()) +
                                          " bytes long; the system takes at most " +
                                          std::to_string(kMaxTextBytes - 1));
  error.suggestion = "Write it to a file first, and run or read that.";
  return error;
}

Result<std::vector<std::string>> command_environment(std::span<const std::string> base,
                                                     const JsonObject* given,
                                                     const std::string& folder) {
  Variables over{{"PWD", folder}};
  if (given != nullptr) {
    for (const auto& [name, value] : *given) {
      GDN_TRY(check_name(name));
      over[std::string(name)] = GDN_TRY(value_text(name, value));
    }
  }
  std::vector<std::string> all;
  for (const std::string& entry : base) {
    if (!over.contains(std::string_view(entry).substr(0, entry.find('=')))) all.push_back(entry);
  }
  for (const auto& [name, value] : over)
    all.push_back(std::string(name).append("=").append(value));
  return all;
}

}  // namespace goondan::builtin::bash
