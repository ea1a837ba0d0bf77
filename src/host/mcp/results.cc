#include "host/mcp/results.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/base64.h"
#include "base/json_fields.h"
#include "host/mcp/clean_text.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxRepeatBytes = std::size_t{4} << 20;  // longer texts are not compared

bool is_text(const Json& block) {
  const JsonObject& object = object_or_empty(block);
  const Json* text = object.if_contains("text");
  return text_field(object, "type") == "text" && text != nullptr && text->is_string();
}

std::string joined_texts(const JsonArray& content) {
  std::string all;
  bool first = true;
  for (const Json& block : content) {
    if (!is_text(block)) continue;
    if (!first) all += '\n';
    first = false;
    all += block.at("text").get_string();
  }
  return all;
}

// Puts `{mimeType, bytes, path}` in the place of base64 text under `key`.
void move_to_file(JsonObject& object, std::string_view key, McpResultFiles& files) {
  const Json* encoded = object.if_contains(key);
  if (encoded == nullptr || !encoded->is_string()) return;
  const std::optional<std::string> bytes = base64_decode(encoded->get_string());
  object.erase(key);
  if (!bytes) {
    object["problem"] = "the server sent no valid base64";
    return;
  }
  object["bytes"] = bytes->size();
  const Result<std::string> path = files.write(*bytes, text_field(object, "mimeType"));
  if (path.ok()) {
    object["path"] = *path;
  } else {
    object["problem"] = "not kept: " + path.error().message;
  }
}

void describe_block(Json& block, McpResultFiles& files) {
  JsonObject* object = block.if_object();
  if (object == nullptr) return;
  object->erase("_meta");
  const std::string type = text_field(*object, "type");
  if (type == "image" || type == "audio") move_to_file(*object, "data", files);
  if (type != "resource") return;
  Json* resource = object->if_contains("resource");
  if (resource == nullptr || !resource->is_object()) return;
  resource->get_object().erase("_meta");
  move_to_file(resource->get_object(), "blob", files);
}

// What a text may be that says nothing which the value does not: its JSON, or one of its strings.
class Repetitions {
 public:
  explicit Repetitions(const Json& value) : value_(value) {
    for (const auto& field : object_or_empty(value))
      if (const JsonString* text = field.value().if_string()) texts_.insert(*text);
  }

  [[nodiscard]] bool has(const Json& block) const {
    if (!is_text(block)) return false;
    const JsonString& text = block.at("text").get_string();
    if (text.size() > kMaxRepeatBytes) return false;
    if (texts_.contains(text)) return true;
    const Result<Json> parsed = parse_json(text);
    return parsed.ok() && *parsed == value_;
  }

 private:
  const Json& value_;
  std::set<std::string_view> texts_;
};

// A server must not make a call pending: that is for our own handlers, which know the handle.
bool asks_for_pending(const Json& value) {
  return object_or_empty(value).contains("__async");
}

Json shaped(JsonArray content, const std::optional<Json>& structured) {
  if (structured) {
    const Repetitions repetitions(*structured);
    JsonArray rest;
    for (Json& block : content)
      if (!repetitions.has(block)) rest.push_back(std::move(block));
    if (rest.empty() && !asks_for_pending(*structured)) return *structured;
    JsonObject both{{"structuredContent", *structured}};
    if (!rest.empty()) both["content"] = std::move(rest);
    return both;
  }
  if (std::all_of(content.begin(), content.end(), is_text)) {
    return Json(JsonString(joined_texts(content)));
  }
  return JsonObject{{"content", std::move(content)}};
}

Error tool_failure(const JsonArray& content, const Json* structured) {
  std::string text = joined_texts(content);
  if (text.empty() && structured != nullptr) text = to_text(*structured);
  if (text.empty()) text = "the tool failed and did not say why";
  return {.code = ErrorCode::McpTool, .message = clean_text(text).text};
}

}  // namespace

Result<McpOutput> mcp_output(const Json& call_result, McpResultFiles& files) {
  const JsonObject& result = object_or_empty(call_result);
  const Json* structured = result.if_contains("structuredContent");
  const JsonArray* content = array_field(result, "content");
  if (content == nullptr && structured == nullptr) {
    return Error{.code = ErrorCode::Mcp,
                 .message = "the server's answer to the call holds no content",
                 .suggestion = "The server does not follow the protocol; tell its authors."};
  }
  JsonArray blocks = content == nullptr ? JsonArray{} : *content;
  if (true_field(result, "isError")) return tool_failure(blocks, structured);
  McpOutput output;
  for (Json& block : blocks) {
    describe_block(block, files);
    output.removed += clean_json(block);
  }
  // Cleaned before anything is concluded from it: what is hidden in a key may make it another one.
  std::optional<Json> value;
  if (structured != nullptr) output.removed += clean_json(value.emplace(*structured));
  output.value = shaped(std::move(blocks), value);
  return output;
}

}  // namespace goondan
