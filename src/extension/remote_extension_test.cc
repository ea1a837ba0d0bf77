#include "extension/remote_extension.h"

#include <deque>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "extension/outcome_json.h"

namespace goondan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The other side, played by the test: one function for each method.
class FakePeer final : public Peer {
 public:
  using Play = std::function<Result<Json>(const PeerCall&)>;

  Result<Json> call(const PeerCall& call) override {
    const auto play = plays.find(std::string(call.method));
    return play == plays.end() ? Result<Json>(Json(nullptr)) : play->second(call);
  }
  Result<void> add_setup(Setup setup) override {
    setups.push_back(setup);
    return setup(*this);
  }
  void listen(std::shared_ptr<PeerListener> listener) override {
    listeners.push_back(std::move(listener));
  }
  Result<void> restart() {
    for (const Setup& setup : setups)
      GDN_TRY(setup(*this));
    return {};
  }

  std::map<std::string, Play> plays;
  std::vector<Setup> setups;
  std::vector<std::shared_ptr<PeerListener>> listeners;
};

class MemoryState final : public ExtensionState {
 public:
  [[nodiscard]] Json get() const override { return value; }
  Result<void> set(Json state) override {
    value = std::move(state);
    return {};
  }
  Json value = nullptr;
};

class MemoryConversation final : public ConversationView {
 public:
  [[nodiscard]] const std::vector<Message>& messages() const override { return all; }
  Result<void> append(Message message) override {
    all.push_back(std::move(message));
    return {};
  }
  Result<void> replace(const std::string&, Message) override { return {}; }
  Result<void> remove(const std::string& id) override {
    std::erase_if(all, [&](const Message& one) { return one.id == id; });
    return {};
  }
  Result<void> truncate() override {
    all.clear();
    return {};
  }
  std::vector<Message> all;
};

Json layer_reply(std::string_view next, Json outcome, JsonObject metadata = {}) {
  return JsonObject{
      {"next", next}, {"outcome", std::move(outcome)}, {"metadata", std::move(metadata)}};
}

class RemoteExtensionTest : public ::testing::Test {
 protected:
  // Registers one layer of this kind; `layer` is what it does.
  Result<void> add_layer(std::string kind, FakePeer::Play layer) {
    peer->plays["register"] = [kind](const PeerCall& call) -> Result<Json> {
      call.on_notify("pipeline.register",
                     JsonObject{{"extension", "ext"}, {"layer", 0}, {"kind", kind}});
      return Json(nullptr);
    };
    peer->plays["layer"] = std::move(layer);
    return remote->add({.site = site, .config = {{"x", 1}}, .module = "m"});
  }

  ToolCallResult run_call(JsonObject input = {{"x", 1}}) {
    return ToolExecutor(registry, {.pipeline = std::shared_ptr<const ToolCallPipeline>(
                                       std::shared_ptr<void>(), &layers.tool_call)})
        .run(ToolCatalog(registry), {.id = "c1", .name = "a__b", .input = std::move(input)});
  }

  StepResult run_step(StepResult inner = {.should_continue = true}) {
    const TurnMessage input{.id = "m1", .input = "hello"};
    const std::string turn = "t1";
    const std::string trace = "tr1";
    StepContext context{.input = input,
                        .turn_id = turn,
                        .trace_id = trace,
                        .step_index = 1,
                        .conversation = conversation,
                        .catalog = ToolCatalog(registry)};
    const auto failed = [](StepContext&, Error error) {
      return StepResult{.status = StepResult::Status::Failed, .error = std::move(error)};
    };
    const auto core = [&](StepContext& seen) {
      offered = seen.catalog;
      return inner;
    };
    return layers.step.run(context, core, failed);
  }

  void SetUp() override {
    const auto echo = [](ToolContext&, const JsonObject& input) -> Result<Json> {
      return Json(input);
    };
    ASSERT_TRUE(registry
                    .add({.item = {.name = "a__b",
                                   .description = "first",
                                   .parameters = Json(JsonObject{{"type", "object"}}),
                                   .source = {.name = "a"}},
                          .handler = echo,
                          .thread = HandlerThread::Caller})
                    .ok());
  }

  std::shared_ptr<FakePeer> peer = std::make_shared<FakePeer>();
  EventBus events;
  AgentFacts facts{.agent_name = "helper", .instance_key = "k"};
  ExtensionLayers layers;
  ToolRegistry registry;
  MemoryState state;
  MemoryConversation conversation;
  ToolCatalog offered;
  std::vector<std::string> logged;
  ExtensionSite site{.name = "ext",
                     .agent = facts,
                     .layers = layers,
                     .registry = registry,
                     .state = state,
                     .events = events,
                     .log = [this](LogLevel, std::string_view text) { logged.emplace_back(text); },
                     .runtime = nullptr};
  std::shared_ptr<RemoteExtensions> remote = RemoteExtensions::make(peer, events);
};

// REQ: MW-1
TEST_F(RemoteExtensionTest, ALayerAroundACallChangesArgumentsAndResult) {
  ASSERT_TRUE(add_layer("toolCall", [](const PeerCall& call) -> Result<Json> {
                const JsonObject& context = *object_field(object_or_empty(call.params), "context");
                EXPECT_EQ(text_field(context, "toolName"), "a__b");
                EXPECT_EQ(text_field(context, "agentName"), "helper");
                const Json answer =
                    call.on_request("next", JsonObject{{"args", JsonObject{{"x", 2}}},
                                                       {"metadata", JsonObject{{"m", 1}}}})
                        .value();
                Json outcome = any_field(object_or_empty(answer), "outcome");
                outcome.get_object()["output"].get_object()["seen"] = true;
                return layer_reply("ran", outcome);
              }).ok());
  const ToolCallResult result = run_call();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(to_text(*result.output), R"({"x":2,"seen":true})");
  EXPECT_EQ(result.tool_call_id, "c1");
}

// REQ: MW-6
TEST_F(RemoteExtensionTest, EveryMisuseOfALayerIsADefinedError) {
  struct Case {
    std::string name;
    FakePeer::Play play;
    std::string code;
    std::string message;
  };
  const std::vector<Case> cases{
      {"throws", [](const PeerCall&) -> Result<Json> { return tool_error("boom"); }, "E_MIDDLEWARE",
       "middleware 'ext' failed: boom"},
      {"forgets next", [](const PeerCall&) -> Result<Json> { return layer_reply("none", nullptr); },
       "E_MIDDLEWARE_NEXT_MISSING", "without calling next()"},
      {"dies",
       [](const PeerCall&) -> Result<Json> {
         return Error{.code = ErrorCode::ExtensionCrash, .message = "exit code 3"};
       },
       "E_EXT_CRASH", "exit code 3"},
      {"dies after next",
       [](const PeerCall& call) -> Result<Json> {
         EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
         return Error{.code = ErrorCode::ExtensionCrash, .message = "SIGKILL"};
       },
       "E_EXT_CRASH", "SIGKILL"},
      {"returns rubbish",
       [](const PeerCall&) -> Result<Json> { return layer_reply("instead", Json(3)); },
       "E_MIDDLEWARE", "returned a plain value, not an object"},
      {"replies with rubbish", [](const PeerCall&) -> Result<Json> { return Json("?"); },
       "E_MIDDLEWARE_NEXT_MISSING", "without calling next()"},
      {"makes arguments of a text",
       [](const PeerCall& call) -> Result<Json> {
         const Result<Json> answer = call.on_request("next", JsonObject{{"args", "all"}});
         return answer.ok() ? answer : Result<Json>(answer.error());
       },
       "E_MIDDLEWARE", "are no object"},
      {"is pending without a handle",
       [](const PeerCall&) -> Result<Json> {
         return layer_reply("instead", JsonObject{{"status", "pending"}});
       },
       "E_TOOL_BAD_REPLY", "no `handle`"},
      {"fails without a reason",
       [](const PeerCall&) -> Result<Json> {
         return layer_reply("instead", JsonObject{{"status", "error"}, {"error", nullptr}});
       },
       "E_TOOL", "but not why"},
      {"fails with a text",
       [](const PeerCall&) -> Result<Json> {
         return layer_reply("instead", JsonObject{{"status", "error"}, {"error", "no paper"}});
       },
       "E_TOOL", "no paper"},
      {"fails with a book",
       [](const PeerCall&) -> Result<Json> {
         const std::string book(100'000, 'x');
         return layer_reply(
             "instead", JsonObject{{"status", "error"}, {"error", JsonObject{{"message", book}}}});
       },
       "E_TOOL", "x... (truncated)"},
      {"throws a book",
       [](const PeerCall&) -> Result<Json> { return tool_error(std::string(100'000, 'x')); },
       "E_MIDDLEWARE", "x... (truncated)"},
      {"calls next twice",
       [](const PeerCall& call) -> Result<Json> {
         EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
         const Json again = call.on_request("next", JsonObject{}).value();
         return layer_reply("ran", any_field(object_or_empty(again), "outcome"));
       },
       "E_MIDDLEWARE_NEXT_TWICE", "called next() twice"}};
  ASSERT_TRUE(add_layer("toolCall", {}).ok());
  for (const Case& one : cases) {
    peer->plays["layer"] = one.play;
    const ToolCallResult result = run_call();
    ASSERT_TRUE(result.error.has_value()) << one.name;
    EXPECT_EQ(result.error->code_text(), one.code) << one.name;
    EXPECT_THAT(result.error->message, HasSubstr(one.message)) << one.name;
    EXPECT_LE(result.error->message.size(), kDefaultErrorMessageLimit) << one.name;
  }
}

TEST_F(RemoteExtensionTest, ALayerMayAnswerInPlaceOfTheTool) {
  ASSERT_TRUE(add_layer("toolCall", [](const PeerCall&) -> Result<Json> {
                return layer_reply("instead", JsonObject{{"status", "ok"}, {"output", "cached"}});
              }).ok());
  EXPECT_EQ(run_call().output, Json("cached"));
}

// REQ: CAT-3
TEST_F(RemoteExtensionTest, AStepLayerChangesExactlyWhatIsOffered) {
  ASSERT_TRUE(
      add_layer("step", [](const PeerCall& call) -> Result<Json> {
        const JsonObject& context = *object_field(object_or_empty(call.params), "context");
        JsonArray catalog = *array_field(context, "toolCatalog");
        JsonObject renamed = catalog[0].get_object();
        renamed["name"] = "shell__run";
        renamed["description"] = "another";
        const Json answer =
            call.on_request("next", JsonObject{{"toolCatalog", JsonArray{renamed}}}).value();
        return layer_reply("ran", nullptr);
      }).ok());
  const StepResult result = run_step();
  EXPECT_TRUE(result.should_continue);
  ASSERT_EQ(offered.size(), 1U);
  EXPECT_EQ(offered.find("a__b"), nullptr);
  ASSERT_NE(offered.find("shell__run"), nullptr);
  EXPECT_EQ(offered.find("shell__run")->item().description, "another");
  const ToolExecutor executor(registry);
  const ToolCall renamed{.id = "1", .name = "shell__run", .input = {{"x", 7}}};
  EXPECT_EQ(to_text(*executor.run(offered, renamed).output), R"({"x":7})");
  const ToolCallResult old = executor.run(offered, {.id = "2", .name = "a__b"});
  EXPECT_EQ(old.error->code, ErrorCode::ToolNotInCatalog);
}

// REQ: MW-2
TEST_F(RemoteExtensionTest, AStepLayerChangesTheConversationAndWhetherTheTurnGoesOn) {
  ASSERT_TRUE(add_layer("step", [](const PeerCall& call) -> Result<Json> {
                const Json message = Message::user("remember").to_json();
                EXPECT_TRUE(call.on_request("conversation",
                                            JsonObject{{"change", "append"}, {"message", message}})
                                .ok());
                EXPECT_FALSE(call.on_request("conversation", JsonObject{{"change", "explode"},
                                                                        {"message", message}})
                                 .ok());
                EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
                return layer_reply("ran", JsonObject{{"shouldContinue", false}});
              }).ok());
  EXPECT_FALSE(run_step().should_continue);
  ASSERT_EQ(conversation.all.size(), 1U);
  EXPECT_EQ(conversation.all[0].text(), "remember");
}

TEST_F(RemoteExtensionTest, AStepLayerMayFailAStepAndSaveOne) {
  Json outcome = JsonObject{{"status", "completed"}, {"shouldContinue", true}};
  ASSERT_TRUE(add_layer("step", [&outcome](const PeerCall& call) -> Result<Json> {
                EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
                return layer_reply("ran", outcome);
              }).ok());
  const StepResult broken{.status = StepResult::Status::Failed, .error = Error{.message = "no"}};
  const StepResult saved = run_step(broken);
  EXPECT_EQ(saved.status, StepResult::Status::Completed);
  EXPECT_TRUE(saved.should_continue);
  EXPECT_FALSE(saved.error.has_value());
  outcome = JsonObject{{"status", "failed"}, {"error", "enough"}};
  EXPECT_EQ(run_step().error->message, "enough");
  outcome = JsonObject{{"status", "failed"}};
  EXPECT_EQ(run_step(broken).error->message, "no");
  EXPECT_THAT(run_step().error->message, HasSubstr("not why"));
}

// REQ: MW-6
TEST_F(RemoteExtensionTest, AStepLayerThatReturnsNoObjectFailsTheStep) {
  Json outcome;
  ASSERT_TRUE(add_layer("step", [&outcome](const PeerCall& call) -> Result<Json> {
                EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
                return layer_reply("ran", outcome);
              }).ok());
  for (const Json& returned : {Json(JsonArray{1}), Json(JsonArray{}), Json("done"), Json(false)}) {
    outcome = returned;
    const StepResult result = run_step();
    EXPECT_EQ(result.status, StepResult::Status::Failed) << to_text(returned);
    ASSERT_TRUE(result.error.has_value()) << to_text(returned);
    EXPECT_EQ(result.error->code, ErrorCode::Middleware) << to_text(returned);
    EXPECT_THAT(result.error->message, HasSubstr("not an object")) << to_text(returned);
  }
}

TEST_F(RemoteExtensionTest, ParametersInACatalogStayWhatTheyAreOrAreRefused) {
  Json parameters = true;
  ASSERT_TRUE(add_layer("step", [&parameters](const PeerCall& call) -> Result<Json> {
                const Json item = JsonObject{{"name", "a__b"}, {"parameters", parameters}};
                return call.on_request("next", JsonObject{{"toolCatalog", JsonArray{item}}}).ok()
                           ? Result<Json>(layer_reply("ran", nullptr))
                           : Result<Json>(tool_error("refused"));
              }).ok());
  EXPECT_EQ(run_step().status, StepResult::Status::Completed);
  EXPECT_EQ(offered.find("a__b")->item().parameters, Json(true));
  parameters = "anything";
  EXPECT_EQ(run_step().status, StepResult::Status::Failed);
}

TEST_F(RemoteExtensionTest, ACatalogThatIsNoneFailsTheStep) {
  ASSERT_TRUE(add_layer("step", [](const PeerCall& call) -> Result<Json> {
                const Result<Json> answer =
                    call.on_request("next", JsonObject{{"toolCatalog", "all of them"}});
                return answer.ok() ? Result<Json>(layer_reply("ran", nullptr))
                                   : Result<Json>(answer.error());
              }).ok());
  const StepResult result = run_step();
  EXPECT_EQ(result.status, StepResult::Status::Failed);
  EXPECT_THAT(result.error->message, HasSubstr("not a list"));
}

// REQ: CAT-4 MW-4
TEST_F(RemoteExtensionTest, AToolThatIsRegisteredCanBeCalled) {
  peer->plays["register"] = [](const PeerCall& call) -> Result<Json> {
    const Json item = JsonObject{{"name", "weather__get"}, {"description", "the weather"}};
    EXPECT_TRUE(call.on_request("tools.register",
                                JsonObject{{"extension", "ext"}, {"tool", 4}, {"item", item}})
                    .ok());
    return Json(nullptr);
  };
  peer->plays["extensionTool"] = [](const PeerCall& call) -> Result<Json> {
    const JsonObject& params = object_or_empty(call.params);
    EXPECT_EQ(integer_field(params, "tool"), 4);
    return any_field(params, "input");
  };
  ASSERT_TRUE(remote->add({.site = site}).ok());
  const ToolCallResult result = ToolExecutor(registry).run(
      ToolCatalog(registry), {.id = "1", .name = "weather__get", .input = {{"city", "서울"}}});
  EXPECT_EQ(to_text(*result.output), R"({"city":"서울"})");
  EXPECT_EQ(registry.find("weather__get")->catalog_entry->item().source, site.source());
}

// REQ: MW-5
TEST_F(RemoteExtensionTest, StateEventsAndLogReachTheirPlaces) {
  peer->plays["register"] = [](const PeerCall& call) -> Result<Json> {
    EXPECT_TRUE(call.on_request("state.set", JsonObject{{"extension", "ext"}, {"state", 5}}).ok());
    call.on_notify("log", JsonObject{{"level", "warn"}, {"text", "careful"}});
    return Json(nullptr);
  };
  ASSERT_TRUE(remote->add({.site = site}).ok());
  EXPECT_EQ(state.value, Json(5));
  EXPECT_THAT(logged, ElementsAre("careful"));
  std::vector<std::string> heard;
  events.on("news", [&](const Json& payload) { heard.push_back(to_text(payload)); });
  for (const auto& listener : peer->listeners) {
    listener->on_notify(
        "events.emit",
        JsonObject{{"extension", "ext"}, {"name", "news"}, {"payload", JsonArray{1}}});
  }
  EXPECT_THAT(heard, ElementsAre("[1]"));
}

// REQ: MW-5
TEST_F(RemoteExtensionTest, AListenerOnTheOtherSideMaySpeakAndKeepSomething) {
  std::promise<void> taken;
  peer->plays["event"] = [&](const PeerCall& call) -> Result<Json> {
    call.on_notify("log", JsonObject{{"extension", "ext"}, {"level", "info"}, {"text", "heard"}});
    EXPECT_TRUE(call.on_request("state.set", JsonObject{{"extension", "ext"}, {"state", 7}}).ok());
    taken.set_value();
    return Json(nullptr);
  };
  ASSERT_TRUE(remote->add({.site = site}).ok());
  events.emit("news", Json(1));
  taken.get_future().wait();
  EXPECT_THAT(logged, ElementsAre("heard"));
  EXPECT_EQ(state.value, Json(7));
}

TEST_F(RemoteExtensionTest, PrioritiesBeyondAllOthersStayThere) {
  std::vector<std::int64_t> order;
  peer->plays["register"] = [](const PeerCall& call) -> Result<Json> {
    for (const std::int64_t priority :
         {std::int64_t{1} << 40, std::int64_t{5}, -(std::int64_t{1} << 40)})
      call.on_notify("pipeline.register", JsonObject{{"kind", "toolCall"}, {"priority", priority}});
    return Json(nullptr);
  };
  peer->plays["layer"] = [&order](const PeerCall& call) -> Result<Json> {
    order.push_back(*integer_field(object_or_empty(call.params), "layer"));
    EXPECT_TRUE(call.on_request("next", JsonObject{}).ok());
    return layer_reply("ran", nullptr);
  };
  ASSERT_TRUE(remote->add({.site = site}).ok());
  EXPECT_TRUE(run_call().ok());
  EXPECT_THAT(order, ElementsAre(2, 1, 0));
}

TEST_F(RemoteExtensionTest, AFailingRegistrationNamesTheExtensionAndItsMessage) {
  peer->plays["register"] = [](const PeerCall&) -> Result<Json> { return tool_error("no key"); };
  const Result<void> added = remote->add({.site = site});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, ErrorCode::ExtensionInit);
  EXPECT_THAT(added.error().message, HasSubstr("'ext' could not be registered: no key"));
}

TEST_F(RemoteExtensionTest, OtherLayersAfterARestartAreRefused) {
  ASSERT_TRUE(add_layer("toolCall", {}).ok());
  EXPECT_TRUE(peer->restart().ok());
  peer->plays["register"] = [](const PeerCall&) -> Result<Json> { return Json(nullptr); };
  EXPECT_FALSE(peer->restart().ok());
}

TEST(OutcomeJson, AResultSurvivesTheWayThereAndBack) {
  const ToolCall call{.id = "c", .name = "a__b"};
  const std::vector<ToolCallResult> results{
      ToolCallResult::success(call, JsonArray{1, nullptr}),
      ToolCallResult::failure(call, {.code = ErrorCode::Limit, .message = "too much"}),
      ToolCallResult::pending(call, "h1", Json("later"))};
  for (const ToolCallResult& result : results)
    EXPECT_EQ(result_from_json(call, result.to_json()).value(), result);
}

}  // namespace
}  // namespace goondan
