// For tests: an agent without a model. A registry, and the layers of the extensions that are added,
// run as an agent would run them.
#pragma once

#include <mutex>

#include "base/json_fields.h"
#include "extension/memory_conversation.h"

namespace goondan::test {

class Extensions : public testing::Test {
 protected:
  Result<void> try_add(std::string_view name, std::string_view config = "{}") {
    const RegisterExtension enlist = find_builtin_extension(name);
    if (enlist == nullptr) return Error{.code = ErrorCode::NotFound, .message = std::string(name)};
    ExtensionSite site{.name = std::string(name),
                       .agent = agent,
                       .layers = layers,
                       .registry = registry,
                       .state = state,
                       .events = events,
                       .log =
                           [this](LogLevel level, std::string_view text) {
                             const std::lock_guard lock(log_mutex);
                             logged.emplace_back(level, text);
                           },
                       .runtime = nullptr};
    return enlist(site, json(config).as_object());
  }
  void add(std::string_view name, std::string_view config = "{}") {
    const Result<void> added = try_add(name, config);
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  void add_tool(std::string name, std::string description, ToolHandler handler = {},
                Json parameters = JsonObject{{"type", "object"}}) {
    if (!handler) handler = [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(1); };
    ASSERT_TRUE(registry
                    .add_or_replace({.item = {.name = std::move(name),
                                              .description = std::move(description),
                                              .parameters = std::move(parameters),
                                              .source = {.name = "test"}},
                                     .handler = std::move(handler)})
                    .ok());
  }

  // Messages of a conversation, put there past the extensions.
  std::string said(std::string text, JsonObject metadata = {}) {
    Message message = Message::user(std::move(text), std::move(metadata));
    message.metadata["__goondanInbound"] = JsonObject{{"sourceKind", "user"}};
    return put(std::move(message));
  }
  std::string answered(std::string_view text, const std::vector<ToolCall>& calls = {}) {
    JsonArray parts;
    if (!text.empty()) parts.push_back(text_part(text));
    for (const ToolCall& call : calls)
      parts.push_back(tool_call_part(call));
    Message message = Message::user("");
    message.data = {{"role", "assistant"}, {"content", std::move(parts)}};
    message.source = {{"type", "assistant"}, {"stepId", turn_id + "-step-1"}};
    return put(std::move(message));
  }
  std::string returned(const ToolCall& call, Json output) {
    return put(Message::tool_result(ToolCallResult::success(call, std::move(output))));
  }
  std::string put(Message message) {
    std::string id = message.id;
    EXPECT_TRUE(conversation.append(std::move(message)).ok());
    return id;
  }

  // A turn that a user's message starts; `core` is what happens inside all layers.
  template <class Core>
  TurnOutcome turn(const std::string& text, const Core& core) {
    input.input = text;
    said(text);
    return resume(core);
  }
  TurnOutcome turn(const std::string& text) {
    return turn(text, [](TurnContext&) { return TurnOutcome{.response = "done"}; });
  }
  // The same without a message of its own, as after a restart.
  template <class Core>
  TurnOutcome resume(const Core& core) {
    TurnContext context{
        .input = input, .turn_id = turn_id, .trace_id = trace_id, .conversation = conversation};
    return layers.turn.run(context, core, [](TurnContext&, Error error) {
      return TurnOutcome{.status = TurnStatus::Error, .error = std::move(error)};
    });
  }

  template <class Core>
  StepResult step(const Core& core) {
    StepContext context{.input = input,
                        .turn_id = turn_id,
                        .trace_id = trace_id,
                        .step_index = 1,
                        .conversation = conversation,
                        .catalog = ToolCatalog(registry)};
    return layers.step.run(context, core, [](StepContext&, Error error) {
      return StepResult{.status = StepResult::Status::Failed, .error = std::move(error)};
    });
  }
  // What the model would be shown.
  std::vector<std::string> shown() {
    std::vector<std::string> names;
    step([&](StepContext& context) {
      catalog = context.catalog;
      for (const auto& entry : context.catalog.entries())
        names.push_back(entry->name());
      return StepResult{};
    });
    return names;
  }

  // Runs calls as a step would, through the layers around calls. Tools that were added are callable
  // unless a step has shown less.
  std::vector<ToolCallResult> run(const std::vector<ToolCall>& calls) {
    ToolExecutor executor(
        registry,
        {.pipeline = std::make_shared<ToolCallPipeline>(layers.tool_call), .runtime = runtime});
    const auto scope = std::make_shared<const CallScope>(CallScope{.turn_id = turn_id});
    return executor.run_all(catalog ? *catalog : ToolCatalog(registry), calls, {.scope = scope});
  }
  ToolCallResult run(std::string name, Json arguments = JsonObject{}) {
    const std::string id = "call_" + std::to_string(++last_call);
    return run({ToolCall{.id = id, .name = std::move(name), .input = std::move(arguments)}})[0];
  }

  [[nodiscard]] std::vector<std::string> log_texts(LogLevel level) {
    const std::lock_guard lock(log_mutex);
    std::vector<std::string> texts;
    for (const auto& [at, text] : logged) {
      if (at == level) texts.push_back(text);
    }
    return texts;
  }

  AgentFacts agent{.agent_name = "writer",
                   .instance_key = "main",
                   .system_prompt = "Be kind.",
                   .swarm_name = "press",
                   .entry_agent = "editor",
                   .available_agents = {"editor", "reviewer", "writer"}};
  MemoryConversation conversation;
  MemoryState state;
  ToolRegistry registry;
  EventBus events;
  ExtensionLayers layers;
  TurnMessage input{.id = "m1",
                    .input = "hello",
                    .event_type = "user_input",
                    .source = {{"kind", "user"}, {"name", "cli"}}};
  std::string turn_id = "turn_1";
  std::string trace_id = "trace";
  std::optional<ToolCatalog> catalog;
  std::shared_ptr<CallRuntime> runtime;  // whom calls ask; null: nobody
  int last_call = 0;
  std::mutex log_mutex;
  std::vector<std::pair<LogLevel, std::string>> logged;
};

inline ToolCall call(std::string id, std::string name, Json input = JsonObject{}) {
  return {.id = std::move(id), .name = std::move(name), .input = std::move(input)};
}

}  // namespace goondan::test
