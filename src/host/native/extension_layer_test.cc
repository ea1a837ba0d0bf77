// The layers of native extensions, in a worker and in our own process: what the runtime sees.
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/native/extension_fixture.h"

namespace goondan {
namespace {

using test::Conversation;
using test::LoadedExtension;
using test::one_layer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class ExtensionLayer : public testing::TestWithParam<Isolation> {
 protected:
  LoadedExtension extension_{GetParam()};
  Conversation conversation_;
};

INSTANTIATE_TEST_SUITE_P(Both, ExtensionLayer,
                         testing::Values(Isolation::Worker, Isolation::InProcess),
                         [](const auto& isolation) {
                           return isolation.param == Isolation::Worker ? "Worker" : "InProcess";
                         });

TEST_P(ExtensionLayer, TellsWhichLayersItRegistered) {  // REQ: MW-1, MW-2
  ASSERT_TRUE(
      extension_
          .set_up(
              {{"layers",
                JsonArray{JsonObject{{"kind", "turn"}, {"does", "passes"}},
                          JsonObject{{"kind", "step"}, {"does", "passes"}},
                          JsonObject{{"kind", "toolCall"}, {"does", "passes"}, {"priority", -5}}}}},
              7)
          .ok());
  EXPECT_THAT(
      extension_.said(),
      ElementsAre(
          R"(log {"level":"info","text":"ext of a had 7","extension":"ext"})",
          R"(pipeline.register {"extension":"ext","layer":0,"kind":"turn","priority":0})",
          R"(pipeline.register {"extension":"ext","layer":1,"kind":"step","priority":0})",
          R"(pipeline.register {"extension":"ext","layer":2,"kind":"toolCall","priority":-5})"));
}

struct Row {
  std::string does;
  std::string reply;       // the reply's text, or
  std::string error = {};  // how the error's message begins
  std::string code = {};   // of the error
  std::vector<std::string> said = {};
};

TEST_P(ExtensionLayer, AnswersForALayerAsTheProtocolSays) {  // REQ: MW-1, MW-6
  const std::string next = R"(next {"args":{"x":1},"metadata":{}})";
  const std::vector<Row> rows{
      {"wraps",
       R"({"outcome":{"status":"ok","wrapped":{"seen":true}},"next":"ran","metadata":{"seen":true}})",
       "",
       "",
       {R"(next {"args":{"x":1},"metadata":{"seen":true}})"}},
      {"passes", R"({"outcome":{"status":"ok"},"next":"ran","metadata":{}})", "", "", {next}},
      {"saysNothingAfterNext", R"({"outcome":null,"next":"ran","metadata":{}})", "", "", {next}},
      {"neverCallsNext", R"({"outcome":null,"next":"none","metadata":{}})"},
      {"answersInstead", R"({"outcome":{"instead":true},"next":"instead","metadata":{}})"},
      {"callsNextTwice", "", "next() was called twice", "E_MIDDLEWARE_NEXT_TWICE", {next}},
      {"throws", "", "the layer is broken", "E_MIDDLEWARE"},
      {"throwsNumber", "", "Unknown", "E_MIDDLEWARE"},
      {"throwsAfterNext", "", "broken after next", "E_MIDDLEWARE", {next}},
      {"fails", "", "not today", "E_TODAY"},
      {"changesArgs",
       R"({"outcome":{"status":"ok"},"next":"ran","metadata":{}})",
       "",
       "",
       {R"(next {"args":{"x":1,"by":"t/c1"},"metadata":{}})"}},
      {"asks",
       R"({"outcome":null,"next":"none","metadata":{}})",
       "",
       "",
       {R"(runtime {"method":"agents.request","params":{"target":"other"}})"}},
      {"showsContext",
       R"({"outcome":{"toolName":"t","toolCallId":"c1","turnId":"1"},"next":"ran","metadata":{}})",
       "",
       "",
       {next}}};
  JsonArray layers;
  for (const Row& row : rows)
    layers.push_back(JsonObject{{"kind", "toolCall"}, {"does", row.does}});
  ASSERT_TRUE(extension_.set_up({{"layers", layers}}).ok());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JsonObject context{{"toolName", "t"},
                             {"toolCallId", "c1"},
                             {"args", JsonObject{{"x", 1}}},
                             {"turnId", "1"},
                             {"metadata", JsonObject()}};
    Conversation conversation;
    const Result<Json> reply = extension_.layer(static_cast<int>(i), context, conversation);
    EXPECT_EQ(reply.ok() ? to_text(*reply) : "", rows[i].reply) << rows[i].does;
    EXPECT_EQ(conversation.said, rows[i].said) << rows[i].does;
    if (reply.ok()) continue;
    EXPECT_THAT(reply.error().message, StartsWith(rows[i].error)) << rows[i].does;
    EXPECT_EQ(reply.error().code_text(), rows[i].code) << rows[i].does;
  }
}

TEST_P(ExtensionLayer, ChangesTheCatalogOfAStep) {  // REQ: MW-2, CAT-3
  ASSERT_TRUE(extension_.set_up(one_layer("step", "changesCatalog")).ok());
  const JsonArray catalog{JsonObject{{"name", "a"}},
                          JsonObject{{"name", "b"}, {"registeredName", "b"}}};
  ASSERT_TRUE(extension_.layer(0, {{"toolCatalog", catalog}}, conversation_).ok());
  EXPECT_THAT(
      conversation_.said,
      ElementsAre(
          R"(next {"toolCatalog":[{"name":"renamed","registeredName":"b"}],"metadata":{}})"));
}

TEST_P(ExtensionLayer, ChangesTheConversationOfATurn) {  // REQ: MW-2
  ASSERT_TRUE(extension_.set_up(one_layer("turn", "changesMessages")).ok());
  const JsonArray messages{JsonObject{{"id", "m1"}}, JsonObject{{"id", "m2"}}};
  conversation_.on_request = [](const std::string& method, const Json& params) -> Result<Json> {
    if (method == "next") return JsonObject{{"outcome", nullptr}};
    const Json* const message = params.as_object().if_contains("message");
    return message == nullptr ? Json(nullptr) : *message;
  };
  const Result<Json> reply = extension_.layer(0, {{"messages", messages}}, conversation_);
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(to_text(reply->as_object().at("outcome")),
            R"({"changed":[{"id":"m1","data":"other"},{"id":"new"}],"truncated":[]})");
  EXPECT_THAT(
      conversation_.said,
      ElementsAre(
          R"(conversation {"change":"append","message":{"id":"new"}})",
          R"(conversation {"change":"replace","targetId":"m1","message":{"id":"m1","data":"other"}})",
          R"(conversation {"change":"remove","targetId":"m2"})",
          R"(conversation {"change":"truncate"})", R"(next {"metadata":{}})"));
}

// A turn waits in next() while the step inside it runs, and that while a call does.
TEST_P(ExtensionLayer, LayersRunInsideOneAnother) {  // REQ: MW-2
  JsonArray layers;
  for (const std::string_view kind : {"turn", "step", "toolCall"})
    layers.push_back(JsonObject{{"kind", kind}, {"does", "passes"}});
  ASSERT_TRUE(extension_.set_up({{"layers", layers}}).ok());
  constexpr int kDeep = 40;
  std::function<Result<Json>(int)> run = [&](int depth) -> Result<Json> {
    if (depth == kDeep) return "core";
    Conversation conversation;
    conversation.on_request = [&](const std::string&, const Json&) -> Result<Json> {
      Json inner = GDN_TRY(run(depth + 1));
      return JsonObject{{"outcome", std::move(inner)}};
    };
    Json reply = GDN_TRY(extension_.layer(depth % 3, {}, conversation));
    return reply.as_object().at("outcome");
  };
  const Result<Json> outcome = run(0);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(to_text(*outcome), R"("core")");
}

TEST_P(ExtensionLayer, ManyLayersRunAtATime) {
  ASSERT_TRUE(extension_.set_up(one_layer("toolCall", "passes")).ok());
  constexpr int kThreads = 8;
  std::atomic<int> good = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        Conversation conversation;
        if (extension_.layer(0, {}, conversation).ok()) ++good;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(good, kThreads * 50);
}

TEST_P(ExtensionLayer, ALayerSeesTheStop) {
  ASSERT_TRUE(extension_.set_up(one_layer("step", "waitsForStop")).ok());
  std::stop_source source;
  conversation_.stop = source.get_token();
  const std::jthread stopper([&source] { source.request_stop(); });
  const Result<Json> reply = extension_.layer(0, {}, conversation_);
  // The worker's reply may come in the time it is given, or not be awaited.
  if (!reply.ok()) {
    EXPECT_EQ(reply.error().code, ErrorCode::ToolCancelled);
  }
  Conversation after;
  EXPECT_EQ(extension_.layer(7, {}, after).error().code, ErrorCode::ExtensionLoad) << "still there";
}

}  // namespace
}  // namespace goondan
