#include "mcp/json_rpc.h"

#include <algorithm>
#include <charconv>

#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan::mcp {
namespace {

bool is_blank(char character) {
  return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

// Where the string literal that begins at `begin` ends: behind its quote, or the end of `line`.
std::size_t end_of_string(std::string_view line, std::size_t begin) {
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    if (line[at] == '\\') {
      ++at;
    } else if (line[at] == '"') {
      return at + 1;
    }
  }
  return line.size();
}

// The whole number that `text` begins with behind a colon.
std::optional<std::int64_t> number_behind_colon(std::string_view text) {
  text = without_blanks(text);
  if (!text.starts_with(':')) return {};
  text = without_blanks(text.substr(1));
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return {};
  const bool whole =
      end == text.data() + text.size() || *end == ',' || *end == '}' || is_blank(*end);
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

JsonObject make_request(std::int64_t id, std::string_view method, JsonObject params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

JsonObject make_notification(std::string_view method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

JsonObject make_result(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

JsonObject make_error(const Json& id, std::int64_t code, std::string_view message) {
  return {
      {"jsonrpc", "2.0"}, {"id", id}, {"error", JsonObject{{"code", code}, {"message", message}}}};
}

MessageKind kind_of(const Json& message) {
  const JsonObject* object = message.if_object();
  if (object == nullptr || text_field(*object, "jsonrpc") != "2.0") return MessageKind::Nonsense;
  const Json* id = object->if_contains("id");
  const Json* method = object->if_contains("method");
  if (method != nullptr) {
    if (!method->is_string()) return MessageKind::Nonsense;
    if (id == nullptr) return MessageKind::Notification;
    return id->is_string() || id->is_number() ? MessageKind::Request : MessageKind::Nonsense;
  }
  const bool result = object->contains("result");
  const bool error = object_field(*object, "error") != nullptr;
  return result != error ? MessageKind::Response : MessageKind::Nonsense;
}

std::optional<std::int64_t> response_id(const JsonObject& response) {
  return integer_field(response, "id");
}

std::optional<std::int64_t> guess_id(std::string_view line) {
  int depth = 0;
  for (std::size_t at = 0; at < line.size();) {
    const char character = line[at];
    if (character != '"') {
      if (character == '{' || character == '[') ++depth;
      if (character == '}' || character == ']') --depth;
      ++at;
      continue;
    }
    const std::size_t end = end_of_string(line, at);
    if (depth == 1 && line.substr(at, end - at) == "\"id\"") {
      if (const auto number = number_behind_colon(line.substr(end))) return number;
    }
    at = end;
  }
  return {};
}

RpcError read_error(const JsonObject& response) {
  const JsonObject* error = object_field(response, "error");
  if (error == nullptr) return {};
  return {.code = integer_field(*error, "code").value_or(0),
          .message = clean_text(text_field(*error, "message")),
          .data = any_field(*error, "data")};
}

std::string clean_text(std::string_view text, std::size_t limit) {
  const std::string_view kept = utf8::prefix(text, limit);
  std::string clean = utf8::repaired(kept);
  std::ranges::replace_if(
      clean, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }, ' ');
  if (kept.size() < text.size()) clean += "…";
  return clean;
}

}  // namespace goondan::mcp
