// For tests: a turn runner over a real store in a folder of its own, a model that says what it is
// told, and a sink that remembers.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <mutex>

#include <gtest/gtest.h>

#include "agent/turn_runner.h"
#include "base/json_fields.h"
#include "resource/test_folder.h"

namespace goondan::agent::test {

inline ModelReply text_reply(std::string text) {
  return {.text = std::move(text), .usage = {.input = 10, .output = 5}, .model = "fake-1"};
}

inline ModelReply calls_reply(std::vector<ToolCall> calls, std::string text = {}) {
  return {.text = std::move(text),
          .calls = std::move(calls),
          .finish = FinishReason::ToolCalls,
          .usage = {.input = 10, .output = 5}};
}

inline ToolCall call(std::string id, std::string name, Json input = JsonObject{}) {
  return {.id = std::move(id), .name = std::move(name), .input = std::move(input)};
}

class FakeModel : public Model {
 public:
  using Answer = std::function<Result<ModelReply>(const ModelRequest&, ModelObserver&)>;
  struct Seen {
    std::string system;
    std::vector<Message> messages;
    std::vector<std::string> tools;
  };

  void then(Answer answer) { answers_.push_back(std::move(answer)); }
  void then(ModelReply reply) {
    then([reply](const ModelRequest&, ModelObserver&) { return Result<ModelReply>(reply); });
  }
  void then(Error error) {
    then([error](const ModelRequest&, ModelObserver&) { return Result<ModelReply>(error); });
  }

  Result<ModelReply> reply(const ModelRequest& request, ModelObserver& observer) override {
    Seen seen{.system = std::string(request.system),
              .messages = {request.messages.begin(), request.messages.end()},
              .tools = {}};
    for (const auto& entry : request.tools.entries())
      seen.tools.push_back(entry->name());
    seen_.push_back(std::move(seen));
    if (answers_.empty()) return text_reply("done");
    const Answer answer = std::move(answers_.front());
    answers_.pop_front();
    return answer(request, observer);
  }
  [[nodiscard]] std::string provider() const override { return "fake"; }
  [[nodiscard]] std::string id() const override { return "fake-1"; }

  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }

 private:
  std::deque<Answer> answers_;
  std::vector<Seen> seen_;
};

class FakeSink : public EventSink {
 public:
  void observe(JsonObject observation) override {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(observation));
  }
  [[nodiscard]] std::vector<JsonObject> of(std::string_view type) const {
    const std::lock_guard lock(mutex_);
    std::vector<JsonObject> found;
    for (const JsonObject& one : all_) {
      if (text_field(one, "type") == type) found.push_back(one);
    }
    return found;
  }
  [[nodiscard]] std::vector<JsonObject> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  [[nodiscard]] std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const JsonObject& one : all())
      types.push_back(text_field(one, "type"));
    return types;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<JsonObject> all_;
};

// Answers `handles.open` as it is told to.
class FakeRuntime : public CallRuntime {
 public:
  Result<Json> request(const Caller&, std::string_view method, const Json& params) override {
    requests.emplace_back(std::string(method), params);
    if (refusal) return *refusal;
    return JsonObject{};
  }
  std::vector<std::pair<std::string, Json>> requests;
  std::optional<Error> refusal;
};

inline void add_tool(ToolRegistry& registry, std::string name, ToolHandler handler,
                     bool idempotent = false) {
  CatalogItem item{.name = std::move(name), .source = {.name = "test"}, .idempotent = idempotent};
  ASSERT_TRUE(registry.add({.item = std::move(item), .handler = std::move(handler)}).ok());
}

inline TurnMessage message(std::string id, std::string input = "hello") {
  return {.id = std::move(id),
          .input = std::move(input),
          .event_type = "user_input",
          .source = {{"kind", "user"}, {"name", "cli"}},
          .metadata = {{"colour", "blue"}}};
}

class Turns : public testing::Test {
 protected:
  Turns() {
    add_tool(registry, "echo__say",
             [](ToolContext&, const JsonObject& in) -> Result<Json> { return Json(in); });
    add_tool(registry, "echo__fail", [](ToolContext&, const JsonObject&) -> Result<Json> {
      return tool_error("it broke", "mend it");
    });
    open();
  }

  void open(store::OpenOptions options = {}) {
    runner.reset();
    store.reset();
    auto opened = store::InstanceStore::open(folder.path() / "instance",
                                             Clock::now() + std::chrono::seconds(60), options);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store = *std::move(opened);
  }

  // A runner over what has been set up; made on first use.
  TurnRunner& turns() {
    if (runner) return *runner;
    if (!catalog) catalog = ToolCatalog(registry);
    runner = std::make_unique<TurnRunner>(TurnParts{.settings = settings,
                                                    .store = *store,
                                                    .model = model,
                                                    .registry = registry,
                                                    .declared = *catalog,
                                                    .handle_tools = handle_tools,
                                                    .executor = executor,
                                                    .sink = sink,
                                                    .turn_pipeline = &turn_pipeline,
                                                    .step_pipeline = &step_pipeline});
    return *runner;
  }

  std::vector<Message> base() {
    std::vector<Message> messages;
    auto stored = store->base();
    EXPECT_TRUE(stored.ok());
    for (const store::StoredMessage& one : *stored) {
      auto json = parse_json(one.json);
      EXPECT_TRUE(json.ok());
      auto parsed = Message::from_json(*json);
      EXPECT_TRUE(parsed.ok());
      messages.push_back(*std::move(parsed));
    }
    return messages;
  }

  // The tool messages of the conversation.
  std::vector<Message> results() {
    std::vector<Message> all = base();
    std::erase_if(all, [](const Message& one) { return one.role() != Role::Tool; });
    return all;
  }

  goondan::test::TestFolder folder;
  ToolRegistry registry;
  std::unique_ptr<store::InstanceStore> store;
  FakeModel model;
  FakeSink sink;
  TurnSettings settings{
      .agent_name = "writer", .instance_key = "main", .workdir = "/w", .system_prompt = "Be kind."};
  std::optional<ToolCatalog> catalog;
  ToolCatalog handle_tools;
  ExecutorOptions executor;
  TurnPipeline turn_pipeline;
  StepPipeline step_pipeline;
  std::unique_ptr<TurnRunner> runner;
};

inline std::string error_code(const Message& tool_message) {
  const JsonObject& data = object_or_empty(tool_message.data);
  const Json output = any_field(data, "output");
  return text_field(object_or_empty(any_field(object_or_empty(output), "error")), "code");
}

}  // namespace goondan::agent::test
