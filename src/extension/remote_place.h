// What all kinds of remote layers do alike; for their own sources only.
#pragma once

#include <memory>
#include <string>

#include "base/json_fields.h"
#include "extension/remote_layers.h"

namespace goondan {

// Which layer of which extension.
struct LayerPlace {
  std::shared_ptr<const RemoteParts> parts;
  std::int64_t number = 0;

  [[nodiscard]] Json params(std::string_view kind, JsonObject context) const {
    return JsonObject{{"extension", parts->site.name},
                      {"layer", number},
                      {"kind", kind},
                      {"context", std::move(context)}};
  }
};

inline JsonObject common_context(const AgentFacts& agent, const std::string& turn_id,
                                 const std::string& trace_id, const JsonObject& metadata) {
  return {{"agentName", agent.agent_name},
          {"instanceKey", agent.instance_key},
          {"turnId", turn_id},
          {"traceId", trace_id},
          {"metadata", metadata}};
}

inline Json messages_json(const ConversationView& conversation) {
  JsonArray all;
  all.reserve(conversation.messages().size());
  for (const Message& message : conversation.messages())
    all.push_back(message.to_json());
  return all;
}

// `messages`: the conversation as it is now; null around calls, which have none.
inline Json next_answer(Json outcome, const JsonObject& metadata, Json messages = nullptr) {
  JsonObject answer{{"outcome", std::move(outcome)}, {"metadata", metadata}};
  if (!messages.is_null()) answer["messages"] = std::move(messages);
  return answer;
}

inline void take_metadata(JsonObject& metadata, const JsonObject& params) {
  if (const JsonObject* given = object_field(params, "metadata")) metadata = *given;
}

ToolCallResult run_remote_tool_call(const LayerPlace& place, ToolCallContext& context,
                                    ToolCallPipeline::Next& next);

}  // namespace goondan
