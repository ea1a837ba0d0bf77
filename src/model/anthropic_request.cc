#include "model/anthropic_request.h"

#include <array>

#include "model/conversation.h"
#include "model/request_fields.h"

namespace goondan {
namespace {

constexpr std::array<FieldName, 4> kFields{{{"maxTokens", "max_tokens"},
                                            {"topP", "top_p"},
                                            {"topK", "top_k"},
                                            {"stopSequences", "stop_sequences"}}};

JsonObject text_block(const std::string& text) {
  return {{"type", "text"}, {"text", text}};
}

JsonArray tools_json(const ToolCatalog& catalog, const WireNames& names) {
  JsonArray tools;
  for (const auto& entry : catalog.entries()) {
    JsonObject tool{{"name", names.to_wire(entry->name())}};
    if (entry->item().description) tool["description"] = *entry->item().description;
    tool["input_schema"] = tool_parameters(entry->item());
    tools.push_back(std::move(tool));
  }
  return tools;
}

JsonObject result_block(const WireCall& call) {
  JsonObject block{{"type", "tool_result"}, {"tool_use_id", call.id}, {"content", call.result}};
  if (call.outcome == WireCall::Outcome::Error) block["is_error"] = true;
  return block;
}

Json block_of(const WirePart& part, const WireTurn& turn) {
  switch (part.kind) {
    case WirePart::Kind::Text:
      return text_block(part.text);
    case WirePart::Kind::Opaque:
      return part.block;
    case WirePart::Kind::Call:
      break;
  }
  const WireCall& call = turn.calls[part.call];
  return JsonObject{
      {"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", call.input}};
}

// The results of a turn's calls begin the user's next message; the conversation always has one of
// them, if only for the results.
class MessageList {
 public:
  void add(const WireTurn& turn) {
    JsonArray content = std::exchange(results_, {});
    if (turn.side == WireTurn::Side::Assistant && !content.empty()) {
      push("user", std::exchange(content, {}));
    }
    for (const WirePart& part : turn.parts) {
      content.push_back(block_of(part, turn));
    }
    push(turn.side == WireTurn::Side::User ? "user" : "assistant", std::move(content));
    for (const WireCall& call : turn.calls) {
      results_.push_back(result_block(call));
    }
  }

  JsonArray take() {
    if (!results_.empty()) push("user", std::move(results_));
    return std::move(messages_);
  }

 private:
  void push(std::string_view role, JsonArray content) {
    messages_.push_back(JsonObject{{"role", role}, {"content", std::move(content)}});
  }

  JsonArray messages_;
  JsonArray results_;  // that no message has yet
};

JsonArray messages_json(const WireConversation& conversation) {
  MessageList messages;
  for (const WireTurn& turn : conversation.turns) {
    messages.add(turn);
  }
  return messages.take();
}

}  // namespace

Result<std::string> anthropic_body(const AnthropicSettings& settings, const ModelRequest& request,
                                   const WireNames& names) {
  const WireConversation conversation =
      wire_conversation(request.system, request.messages, names, kAnthropicProvider);
  JsonObject body{{"model", settings.model}, {"max_tokens", kDefaultMaxTokens}};
  JsonArray system;
  for (const std::string& text : conversation.system) {
    system.push_back(text_block(text));
  }
  if (!system.empty()) body["system"] = std::move(system);
  body["messages"] = messages_json(conversation);
  if (request.tools.size() > 0) body["tools"] = tools_json(request.tools, names);
  body["stream"] = true;
  GDN_TRY(add_fields(body, settings.fields, kFields, "`options.request`"));
  GDN_TRY(add_fields(body, request.params, kFields, "`modelConfig.params` of the agent"));
  return to_text(body);
}

}  // namespace goondan
