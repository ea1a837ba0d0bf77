#include "v1alpha1/surroundings.h"

#include "base/json_fields.h"

namespace goondan::v1alpha1 {
namespace {

Json calls_of_dialect(std::span<const ToolCall> calls) {
  JsonArray all;
  all.reserve(calls.size());
  for (const ToolCall& call : calls) {
    // Arguments that are no object are answered before any handler sees them.
    Json arguments = call.input.is_object() ? call.input : Json(JsonObject());
    all.push_back(
        JsonObject{{"id", call.id}, {"name", call.name}, {"arguments", std::move(arguments)}});
  }
  return all;
}

// `{status, output?, handle?, error?}` of a tool's message.
Json result_of_dialect(const JsonObject& data) {
  const Json output = any_field(data, "output");
  const std::string status = text_field(data, "status");
  if (status == "ok" || status.empty() || !output.is_object())
    return JsonObject{{"status", "ok"}, {"output", output}};
  JsonObject result = output.get_object();
  result["status"] = status;
  return result;
}

bool is_step_of(const Message& message, const std::string& prefix) {
  return text_field(object_or_empty(message.source), "stepId").starts_with(prefix);
}

Json turn_of_dialect(const SurroundingsInput& input) {
  JsonArray messages;
  JsonObject results;
  for (const Message& message : input.messages) {
    messages.push_back(llm_message(message));
    if (message.role() == Role::Tool)
      results[message.tool_call_id()] = result_of_dialect(object_or_empty(message.data));
  }
  JsonObject turn{{"id", input.turn_id},
                  {"instanceId", input.instance_id},
                  {"agentName", input.agent_name},
                  {"messages", std::move(messages)},
                  {"toolResults", std::move(results)},
                  {"metadata", input.metadata}};
  if (!input.origin.is_null()) turn["origin"] = input.origin;
  if (!input.auth.is_null()) turn["auth"] = input.auth;
  return turn;
}

Json step_of_dialect(const SurroundingsInput& input) {
  JsonObject step{{"id", input.step_id},
                  {"index", input.step_index},
                  {"turnId", input.turn_id},
                  {"pendingToolCalls", calls_of_dialect(input.calls)}};
  if (input.answer != nullptr) {
    step["llmResult"] = JsonObject{{"message", llm_message(*input.answer)},
                                   {"toolCalls", calls_of_dialect(input.answer->tool_calls())}};
  }
  return step;
}

Json catalog_of_dialect(const ToolCatalog& catalog) {
  JsonArray items;
  items.reserve(catalog.size());
  for (const ToolCatalog::EntryPtr& entry : catalog.entries()) {
    Json item = entry->item().to_json();
    for (const std::string_view key : {"tool", "export"})
      item.get_object().emplace(key, nullptr);  // unless it is there
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

Json llm_message(const Message& message) {
  const JsonObject& data = object_or_empty(message.data);
  const Json role = any_field(data, "role");
  if (message.role() == Role::Tool) {
    return JsonObject{{"role", role},
                      {"toolCallId", message.tool_call_id()},
                      {"toolName", text_field(data, "toolName")},
                      {"output", any_field(data, "output")}};
  }
  JsonObject made{{"role", role}};
  const std::string text = message.text();
  if (message.role() != Role::Assistant || !text.empty()) made["content"] = text;
  const std::vector<ToolCall> calls = message.tool_calls();
  if (!calls.empty()) made["toolCalls"] = calls_of_dialect(calls);
  return made;
}

std::span<const Message> messages_of_turn(std::span<const Message> conversation,
                                          std::string_view turn_id) {
  const std::string prefix = std::string(turn_id) + "-step-";
  std::size_t begin = 0;
  while (begin < conversation.size() && !is_step_of(conversation[begin], prefix))
    ++begin;
  const auto is_said = [](const Message& message) {
    return message.role() == Role::User || message.role() == Role::System;
  };
  while (begin > 0 && is_said(conversation[begin - 1]))
    --begin;
  return conversation.subspan(begin);
}

Json make_surroundings(const SurroundingsInput& input) {
  return JsonObject{{"turn", turn_of_dialect(input)},
                    {"step", step_of_dialect(input)},
                    {"toolCatalog", catalog_of_dialect(input.catalog)}};
}

}  // namespace goondan::v1alpha1
