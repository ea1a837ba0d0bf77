// Extensions of the first dialect: what they are told, and what they may change.
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <goondan/resources.h>

#include "base/json_fields.h"
#include "extension/memory_conversation.h"
#include "extension/outcome_json.h"
#include "extension/remote_extension.h"

namespace goondan {
namespace {

using ::testing::HasSubstr;

// The other side, played by the test: remembers what it was told.
class TellingPeer final : public Peer {
 public:
  Result<Json> call(const PeerCall& call) override {
    told[std::string(call.method)] = call.params;
    if (call.method == "register") {
      const JsonObject layer{{"extension", "ext"}, {"layer", 0}, {"kind", kind}};
      call.on_notify("pipeline.register", layer);
      return Json(nullptr);
    }
    if (call.method != "layer") return Json("done");
    if (!reply.is_null()) return reply;
    const Result<Json> ran = call.on_request("next", next);
    if (!ran.ok()) return ran;
    return JsonObject{{"next", "ran"}, {"outcome", nullptr}, {"metadata", JsonObject()}};
  }
  Result<void> add_setup(Setup setup) override { return setup(*this); }
  void listen(std::shared_ptr<PeerListener> heard) override { listener = std::move(heard); }

  std::string kind = "step";
  JsonObject next;
  Json reply = nullptr;              // of a layer that does not ask for `next`
  std::map<std::string, Json> told;  // by method
  std::shared_ptr<PeerListener> listener;
};

class FirstDialectExtension : public testing::Test {
 protected:
  void add(Dialect dialect, std::string kind = "step") {
    peer->kind = std::move(kind);
    RemoteExtensions::Extension extension{.site = site, .module = "m"};
    if (dialect == Dialect::V1Alpha1)
      extension.first_dialect = {.place = place, .document = JsonObject{{"kind", "Extension"}}};
    const Result<void> added = remote->add(std::move(extension));
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  StepResult run_step(JsonArray blocks = {}) {
    const TurnMessage input{.id = "m1", .origin = JsonObject{{"channel", "C1"}}};
    const std::string turn = "t1";
    const std::string trace = "tr1";
    StepContext context{.input = input,
                        .turn_id = turn,
                        .trace_id = trace,
                        .step_index = 3,
                        .conversation = conversation,
                        .catalog = ToolCatalog(registry),
                        .blocks = std::move(blocks)};
    const auto failed = [](StepContext&, Error error) {
      return StepResult{.status = StepResult::Status::Failed, .error = std::move(error)};
    };
    const auto core = [&](StepContext& seen) {
      shown = seen.blocks;
      offered = seen.catalog;
      return StepResult{};
    };
    return layers.step.run(context, core, failed);
  }

  [[nodiscard]] JsonObject context_of(const std::string& method) const {
    return *object_field(object_or_empty(peer->told.at(method)), "context");
  }

  ToolCallResult call(const std::string& name) {
    const auto scope = std::make_shared<const CallScope>(
        CallScope{.turn_id = "t1", .surroundings = JsonObject{{"turn", JsonObject{{"id", "t1"}}}}});
    return ToolExecutor(registry, {.pipeline = std::shared_ptr<const ToolCallPipeline>(
                                       std::shared_ptr<void>(), &layers.tool_call)})
        .run(ToolCatalog(registry), {.id = "c1", .name = name}, {.scope = scope});
  }

  Json place = JsonObject{{"instance", JsonObject{{"id", "helper@k"}, {"key", "k"}}}};
  std::shared_ptr<TellingPeer> peer = std::make_shared<TellingPeer>();
  EventBus events;
  AgentFacts facts{.agent_name = "helper", .instance_key = "k"};
  ExtensionLayers layers;
  ToolRegistry registry;
  test::MemoryState state;
  test::MemoryConversation conversation;
  JsonArray shown;
  ToolCatalog offered;
  ExtensionSite site{.name = "ext",
                     .agent = facts,
                     .layers = layers,
                     .registry = registry,
                     .state = state,
                     .events = events,
                     .log = [](LogLevel, std::string_view) {},
                     .runtime = nullptr};
  std::shared_ptr<RemoteExtensions> remote = RemoteExtensions::make(peer, events);
};

// REQ: CTX-3
TEST_F(FirstDialectExtension, IsToldItsPlaceAndItsResource) {
  add(Dialect::V1Alpha1);
  const JsonObject params = peer->told.at("register").as_object();
  EXPECT_EQ(params.at("dialect"), "v1alpha1");
  EXPECT_EQ(params.at("place"), place);
  EXPECT_EQ(params.at("resource").at("kind"), "Extension");
}

// REQ: MW-3
TEST_F(FirstDialectExtension, IsToldTheTurnAndTheStep) {
  ASSERT_TRUE(conversation.append(Message::user("hello")).ok());
  add(Dialect::V1Alpha1);
  run_step();
  const JsonObject context = context_of("layer");
  const Json& turn = context.at("v1alpha1").at("turn");
  EXPECT_EQ(turn.at("instanceId"), "helper@k");
  EXPECT_EQ(turn.at("messages").at(0).at("content"), "hello");
  EXPECT_EQ(turn.at("origin").at("channel"), "C1");
  EXPECT_EQ(context.at("v1alpha1").at("step").at("id"), "t1-step-3");
  EXPECT_EQ(context.at("blocks"), Json(JsonArray()));
}

// REQ: MW-3
TEST_F(FirstDialectExtension, ChangesTheBlocksOfAStep) {
  add(Dialect::V1Alpha1);
  peer->next = {{"blocks", JsonArray{JsonObject{{"type", "note"}}}}};
  run_step({JsonObject{{"type", "auth.pending"}}});
  EXPECT_EQ(to_text(context_of("layer").at("blocks")), R"([{"type":"auth.pending"}])");
  EXPECT_EQ(to_text(shown), R"([{"type":"note"}])");
}

TEST_F(FirstDialectExtension, LeavesTheBlocksOfWhichItSaysNothing) {
  add(Dialect::V1Alpha1);
  run_step({JsonObject{{"type", "auth.pending"}}});
  EXPECT_EQ(to_text(shown), R"([{"type":"auth.pending"}])");
}

// REQ: MW-3
TEST_F(FirstDialectExtension, MayBeDoneBeforeTheStepRuns) {
  add(Dialect::V1Alpha1);
  peer->reply = JsonObject{{"next", "pass"}, {"blocks", JsonArray{JsonObject{{"type", "note"}}}}};
  EXPECT_FALSE(run_step().error.has_value());
  EXPECT_EQ(to_text(shown), R"([{"type":"note"}])");
  peer->reply = JsonObject{{"next", "pass"}, {"blocks", "text"}};
  EXPECT_EQ(run_step().error.value().code, ErrorCode::Middleware);
}

// REQ: MW-6
TEST_F(FirstDialectExtension, FailsTheStepWithBlocksThatAreNone) {
  add(Dialect::V1Alpha1);
  for (const Json& blocks : {Json("text"), Json(JsonObject()), Json(JsonArray{1})}) {
    peer->next = {{"blocks", blocks}};
    const StepResult result = run_step();
    ASSERT_TRUE(result.error.has_value()) << to_text(blocks);
    EXPECT_EQ(result.error->code, ErrorCode::Middleware);
    EXPECT_THAT(result.error->message, HasSubstr("no list of objects"));
  }
}

// REQ: MW-3
TEST_F(FirstDialectExtension, IsToldWhatIsAroundACall) {
  ASSERT_TRUE(
      registry
          .add({.item = {.name = "calc.add", .source = {.name = "calc"}},
                .handler = [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(3); },
                .thread = HandlerThread::Caller})
          .ok());
  add(Dialect::V1Alpha1, "toolCall");
  EXPECT_EQ(call("calc.add").output, Json(3));
  EXPECT_EQ(context_of("layer").at("v1alpha1").at("turn").at("id"), "t1");
}

// REQ: MW-4, CAT-5, NAME-3
TEST_F(FirstDialectExtension, RegistersToolsWithNamesOfTheirOwn) {
  add(Dialect::V1Alpha1);
  const JsonObject item{{"name", "weather.get"}, {"description", "d"}};
  ASSERT_TRUE(
      peer->listener
          ->on_request("tools.register",
                       JsonObject{{"extension", "ext"}, {"tool", "weather.get"}, {"item", item}})
          .ok());
  const ToolCatalog catalog(registry);
  const CatalogEntry* entry = catalog.find("weather.get");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->item().tool, Json(nullptr));
  EXPECT_EQ(entry->item().export_spec, Json(nullptr));
  EXPECT_EQ(call("weather.get").output, Json("done"));
  EXPECT_EQ(context_of("extensionTool").at("v1alpha1").at("turn").at("id"), "t1");
}

// REQ: CAT-3
TEST_F(FirstDialectExtension, MayOfferAToolTwiceAndItIsThereOnce) {
  add(Dialect::V1Alpha1);
  const JsonObject item{{"name", "weather.get"}, {"description", "d"}};
  ASSERT_TRUE(
      peer->listener
          ->on_request("tools.register",
                       JsonObject{{"extension", "ext"}, {"tool", "weather.get"}, {"item", item}})
          .ok());
  JsonArray twice = catalog_json(ToolCatalog(registry)).as_array();
  twice.push_back(JsonObject{{"name", "weather.get"},
                             {"description", "d"},
                             {"source", JsonObject{{"type", "extension"}, {"name", "ext"}}}});
  peer->next = {{"toolCatalog", twice}};
  EXPECT_FALSE(run_step().error.has_value());
  EXPECT_EQ(offered.size(), 1U);
  EXPECT_EQ(call("weather.get").output, Json("done"));
}

// REQ: CTX-2
TEST_F(FirstDialectExtension, IsNotWhatExtensionsOfTodayAre) {
  add(Dialect::V1);
  run_step();
  EXPECT_FALSE(peer->told.at("register").as_object().contains("place"));
  EXPECT_FALSE(context_of("layer").contains("v1alpha1"));
  EXPECT_FALSE(context_of("layer").contains("blocks"));
  run_step({JsonObject{{"type", "auth.pending"}}});
  EXPECT_TRUE(context_of("layer").contains("blocks"));
}

// REQ: CTX-3
TEST_F(FirstDialectExtension, HearsWhatAToolSays) {
  add(Dialect::V1);
  std::promise<Json> heard;
  const std::uint64_t number =
      events.on("built", [&](const Json& payload) { heard.set_value(payload); });
  peer->listener->on_notify("events.emit", JsonObject{{"name", "built"}, {"payload", 5}});
  std::future<Json> payload = heard.get_future();
  ASSERT_EQ(payload.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_EQ(payload.get(), Json(5));
  events.off(number);
}

}  // namespace
}  // namespace goondan
