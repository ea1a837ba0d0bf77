#include "model/openai_request.h"

#include <array>

#include "base/json_fields.h"
#include "model/conversation.h"
#include "model/request_fields.h"

namespace goondan {
namespace {

JsonArray tools_json(const ToolCatalog& catalog, const WireNames& names) {
  JsonArray tools;
  for (const auto& entry : catalog.entries()) {
    JsonObject function{{"name", names.to_wire(entry->name())}};
    if (entry->item().description) function["description"] = *entry->item().description;
    function["parameters"] = tool_parameters(entry->item());
    function["strict"] = false;
    tools.push_back(JsonObject{{"type", "function"}, {"function", std::move(function)}});
  }
  return tools;
}

std::string joined_text(const WireTurn& turn) {
  std::string text;
  for (const WirePart& part : turn.parts) {
    if (part.kind != WirePart::Kind::Text) continue;
    if (!text.empty()) text += "\n\n";
    text += part.text;
  }
  return text;
}

// What came with a call and has to go back with it, e.g. the signature of a thought.
void add_extras(JsonObject& call, const WireTurn& turn, const std::string& original_id) {
  for (const WirePart& part : turn.parts) {
    const JsonObject& block = object_or_empty(part.block);
    if (text_field(block, "type") != "call-extra") continue;
    if (text_field(block, "toolCallId") != original_id) continue;
    call["extra_content"] = any_field(block, "extra_content");
  }
}

JsonArray calls_json(const WireTurn& turn) {
  JsonArray calls;
  for (const WireCall& call : turn.calls) {
    JsonObject json{{"id", call.id},
                    {"type", "function"},
                    {"function", {{"name", call.name}, {"arguments", to_text(call.input)}}}};
    add_extras(json, turn, call.original_id);
    calls.push_back(std::move(json));
  }
  return calls;
}

void add_reasoning(JsonObject& message, const WireTurn& turn) {
  std::string reasoning;
  for (const WirePart& part : turn.parts) {
    reasoning += text_field(object_or_empty(part.block), "reasoning_content");
  }
  if (!reasoning.empty()) message["reasoning_content"] = reasoning;
}

void add_assistant(JsonArray& messages, const WireTurn& turn, const OpenAiSettings& settings) {
  const std::string text = joined_text(turn);
  JsonObject message{{"role", "assistant"}};
  message["content"] = text.empty() ? Json(nullptr) : Json(JsonString(text));
  if (settings.reasoning == ModelOptions::Reasoning::SendBack) add_reasoning(message, turn);
  if (!turn.calls.empty()) message["tool_calls"] = calls_json(turn);
  messages.push_back(std::move(message));
  for (const WireCall& call : turn.calls) {
    messages.push_back(
        JsonObject{{"role", "tool"}, {"tool_call_id", call.id}, {"content", call.result}});
  }
}

JsonArray messages_json(const WireConversation& conversation, const OpenAiSettings& settings) {
  JsonArray messages;
  std::string system;
  for (const std::string& text : conversation.system) {
    system += (system.empty() ? "" : "\n\n") + text;
  }
  if (!system.empty()) messages.push_back(JsonObject{{"role", "system"}, {"content", system}});
  for (const WireTurn& turn : conversation.turns) {
    if (turn.side == WireTurn::Side::Assistant) {
      add_assistant(messages, turn, settings);
    } else {
      messages.push_back(JsonObject{{"role", "user"}, {"content", joined_text(turn)}});
    }
  }
  return messages;
}

}  // namespace

Result<std::string> openai_body(const OpenAiSettings& settings, const ModelRequest& request,
                                const WireNames& names) {
  const WireConversation conversation =
      wire_conversation(request.system, request.messages, names, kOpenAiProvider);
  JsonObject body{{"model", settings.model}, {"messages", messages_json(conversation, settings)}};
  if (request.tools.size() > 0) {
    body["tools"] = tools_json(request.tools, names);
    body["parallel_tool_calls"] = true;
  }
  body["stream"] = true;
  body["stream_options"] = JsonObject{{"include_usage", true}};
  const std::array<FieldName, 4> fields{{{"maxTokens", settings.max_tokens_field},
                                         {"topP", "top_p"},
                                         {"stopSequences", "stop"},
                                         {"reasoningEffort", "reasoning_effort"}}};
  GDN_TRY(add_fields(body, settings.fields, fields, "`options.request`"));
  GDN_TRY(add_fields(body, request.params, fields, "`modelConfig.params` of the agent"));
  return to_text(body);
}

}  // namespace goondan
