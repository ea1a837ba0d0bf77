#include <re2/re2.h>

#include "base/json_fields.h"
#include "model/scripted_choice.h"
#include "model/scripted_result.h"

namespace goondan::scripted {
namespace {

Json output_of(const Message& message) {
  if (const JsonObject* pending = pending_of(message)) return any_field(*pending, "output");
  return any_field(object_or_empty(message.data), "output");
}

void add_result(JsonObject& scope, const Message& message) {
  scope["output"] = output_of(message);
  if (const JsonObject* pending = pending_of(message)) scope["handle"] = pending->at("handle");
  if (!tool_message_is_error(message)) return;
  if (const JsonObject* note = note_of(message, "error"))
    scope["error"] = any_field(*note, "error");
}

JsonObject captures(const re2::RE2& pattern, const std::string& text) {
  const auto count = static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1;
  std::vector<re2::StringPiece> groups(count);
  JsonObject found;
  if (!pattern.Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                     static_cast<int>(count))) {
    return found;
  }
  for (std::size_t i = 0; i < count; ++i)
    found[std::to_string(i)] = std::string(groups[i]);
  for (const auto& [name, index] : pattern.NamedCapturingGroups())
    found[name] = std::string(groups[static_cast<std::size_t>(index)]);
  return found;
}

const Message* last_result(std::span<const Message> messages) {
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i].role() == Role::Tool) return &messages[i];
  }
  return nullptr;
}

void add_conversation(JsonObject& scope, const ModelRequest& request, const Situation& situation) {
  JsonArray inputs;
  for (const Message& message : request.messages) {
    if (message.role() == Role::User) inputs.emplace_back(message.text());
  }
  if (!inputs.empty()) scope["input"] = inputs.back();
  scope["inputs"] = std::move(inputs);
  JsonArray outputs;
  for (const Message& message : situation.news) {
    if (message.role() == Role::Tool) outputs.push_back(output_of(message));
  }
  scope["outputs"] = std::move(outputs);
}

std::string tool_names(const ToolCatalog& tools) {
  std::string names;
  for (const auto& entry : tools.entries())
    names += (names.empty() ? "" : ", ") + entry->name();
  return names;
}

}  // namespace

JsonObject scope_of(const Choice& choice, const ModelRequest& request) {
  const Situation& situation = choice.situation;
  JsonObject scope{{"turn", situation.turn}, {"step", situation.step}};
  add_conversation(scope, request, situation);
  const bool about_result = choice.message != nullptr && choice.message->role() == Role::Tool;
  const Message* result = about_result ? choice.message : last_result(request.messages);
  if (result != nullptr) add_result(scope, *result);
  if (choice.message != nullptr && choice.reply->when.matches) {
    scope["match"] = captures(*choice.reply->when.matches, read_text_of(*choice.message));
  }
  scope["tools"] = tool_names(request.tools);
  return scope;
}

}  // namespace goondan::scripted
