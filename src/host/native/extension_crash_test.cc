// What only a worker can survive: extensions that crash, exit, hang, or end while they are loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <goondan/registry.h>

#include "host/native/extension_fixture.h"
#include "host/native/extension_frames.h"
#include "host/native/load_native.h"
#include "host/native/running_calls.h"
#include "host/peer/peer_frames.h"

namespace goondan {
namespace {

using test::Conversation;
using test::LoadedExtension;
using test::one_layer;
using testing::HasSubstr;

Error layer_error(LoadedExtension& extension, int number) {
  Conversation conversation;
  return extension.layer(number, {}, conversation).error();
}

TEST(ExtensionCrash, IsAnErrorAndTheNextCallFindsItStartedAgain) {  // REQ: MW-6
  LoadedExtension extension(Isolation::Worker);
  JsonArray layers;
  for (const std::string_view does : {"aborts", "exits", "counts"})
    layers.push_back(JsonObject{{"kind", "toolCall"}, {"does", does}});
  ASSERT_TRUE(extension.set_up({{"layers", layers}}).ok());
  const Error aborted = layer_error(extension, 0);
  EXPECT_EQ(aborted.code, ErrorCode::ExtensionCrash);
  EXPECT_THAT(aborted.message, HasSubstr("SIGABRT"));
  const Error exited = layer_error(extension, 1);
  EXPECT_EQ(exited.code, ErrorCode::ExtensionCrash);
  EXPECT_THAT(exited.message, HasSubstr("3"));
  Conversation conversation;
  EXPECT_TRUE(extension.layer(2, {}, conversation).ok()) << "loaded and registered again";
}

TEST(ExtensionCrash, FailsTheCallsAroundTheOneThatCrashed) {
  LoadedExtension extension(Isolation::Worker);
  JsonArray layers{JsonObject{{"kind", "turn"}, {"does", "passes"}},
                   JsonObject{{"kind", "toolCall"}, {"does", "aborts"}}};
  ASSERT_TRUE(extension.set_up({{"layers", layers}}).ok());
  Conversation turn;
  std::optional<ErrorCode> inner;
  turn.on_request = [&](const std::string&, const Json&) -> Result<Json> {
    inner = layer_error(extension, 1).code;
    return nullptr;
  };
  const Result<Json> reply = extension.layer(0, {}, turn);
  EXPECT_EQ(inner, ErrorCode::ExtensionCrash);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::ExtensionCrash);
}

TEST(ExtensionCrash, InTheSetupFailsTheRegistration) {
  LoadedExtension extension(Isolation::Worker);
  EXPECT_EQ(extension.set_up({{"setup", "aborts"}}).error().code, ErrorCode::ExtensionCrash);
}

TEST(ExtensionCrash, WhileLoadingIsALoadError) {
  LoadedExtension extension(Isolation::Worker, "crashes_on_load");
  const Result<void> loaded = extension.load();
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::ExtensionLoad);
  EXPECT_THAT(loaded.error().message, HasSubstr("SIGSEGV"));
  EXPECT_THAT(loaded.error().suggestion, HasSubstr("static constructors"));
}

TEST(ExtensionCrash, ALayerThatHangsIsATimeoutAndHoldsUpNothingElse) {  // REQ: MW-6
  LoadedExtension extension(Isolation::Worker);
  JsonArray layers{JsonObject{{"kind", "toolCall"}, {"does", "hangs"}},
                   JsonObject{{"kind", "toolCall"}, {"does", "passes"}}};
  ASSERT_TRUE(extension.set_up({{"layers", layers}}).ok());
  Conversation hanging;
  hanging.deadline = Clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(extension.layer(0, {}, hanging).error().code, ErrorCode::ToolTimeout);
  Conversation conversation;
  EXPECT_TRUE(extension.layer(1, {}, conversation).ok());
}

TEST(ExtensionCrash, AWorkerWithNothingButAStuckCallInItIsReplaced) {
  LoadedExtension extension(Isolation::Worker);
  JsonArray layers{JsonObject{{"kind", "toolCall"}, {"does", "hangs"}},
                   JsonObject{{"kind", "toolCall"}, {"does", "passes"}}};
  ASSERT_TRUE(extension.set_up({{"layers", layers}}).ok());
  Conversation hanging;
  hanging.deadline = Clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(extension.layer(0, {}, hanging).error().code, ErrorCode::ToolTimeout);
  EXPECT_THAT(extension.listener().await("log"), HasSubstr("does not end; this process ends"));
  // The call that meets the end of the old one may fail with it; not the one after it.
  Conversation conversation;
  const Result<Json> meets_the_end = extension.layer(1, {}, conversation);
  EXPECT_TRUE(meets_the_end.ok() || extension.layer(1, {}, conversation).ok());
}

TEST(ExtensionCrash, AToolWhosePluginIsAnExtensionSaysSo) {
  ::setenv("GOONDAN_GDN", test::worker_path().c_str(), 1);
  const test::TemporaryFolder folder;
  std::filesystem::copy_file(test::plugin_path("extension"), folder.path() / "plugin.so");
  folder.write("goondan.yaml",
               "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: t }\n"
               "spec: { entry: ./plugin.so, exports: [{ name: a }] }\n");
  const Result<Bundle> bundle = Bundle::load(folder.path());
  ASSERT_TRUE(bundle.ok()) << bundle.error().message;
  for (const Isolation isolation : {Isolation::Worker, Isolation::InProcess}) {
    ToolResource tool = bundle->tools().front();
    tool.isolation = isolation;
    ToolRegistry registry;
    const Result<void> added = add_native_tool(registry, *bundle, tool);
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().message, "tool 't': its plugin is an extension");
    EXPECT_THAT(added.error().suggestion, HasSubstr("kind: Extension"));
  }
  ::unsetenv("GOONDAN_GDN");
}

TEST(RunningCalls, AreBounded) {
  RunningCalls calls;
  for (std::uint64_t id = 1; id <= kMaxRunningCalls; ++id)
    ASSERT_TRUE(calls.begin(id));
  EXPECT_FALSE(calls.begin(kMaxRunningCalls + 1));
  calls.end(1);
  EXPECT_TRUE(calls.begin(kMaxRunningCalls + 1));
}

TEST(RunningCalls, AreStuckOnceAllThatIsLeftWasCancelled) {
  RunningCalls calls;
  const auto first = calls.begin(1);
  const auto second = calls.begin(2);
  EXPECT_FALSE(calls.only_stuck(Deadline::max()));
  calls.cancel(1);
  EXPECT_TRUE(first->stop_requested());
  EXPECT_FALSE(second->stop_requested());
  EXPECT_TRUE(calls.any_cancelled());
  EXPECT_FALSE(calls.only_stuck(Deadline::max()));
  calls.end(2);
  EXPECT_TRUE(calls.only_stuck(Deadline::max()));
  EXPECT_FALSE(calls.only_stuck(Deadline::min()));
  calls.end(1);
  EXPECT_FALSE(calls.any_cancelled());
  EXPECT_FALSE(calls.only_stuck(Deadline::max()));
}

std::string_view text_of(const std::string& frame) {
  return std::string_view(frame).substr(peer::kPrefixBytes);
}

TEST(ExtensionFrames, ReadWhatTheRuntimeWrites) {
  using Type = RuntimeMessage::Type;
  const std::string call = *peer::call_frame(7, "layer", JsonObject{{"a", 1}});
  const Result<RuntimeMessage> read = read_runtime_message(text_of(call));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->type, Type::Call);
  EXPECT_EQ(read->id, 7U);
  EXPECT_EQ(read->method, "layer");
  EXPECT_EQ(to_text(parse_json(read->json)->as_object().at("params")), R"({"a":1})");
  const std::string cancel = peer::cancel_frame(8);
  EXPECT_EQ(read_runtime_message(text_of(cancel))->type, Type::Cancel);
  const std::string answer = peer::answer_frame(9, Json(JsonArray{1}));
  EXPECT_EQ(read_runtime_message(text_of(answer))->json, "[1]");
  const std::string refusal = peer::answer_frame(9, tool_error("no"));
  EXPECT_EQ(read_runtime_message(text_of(refusal))->status, GDN_REPLY_ERROR);
  for (const std::string_view nonsense :
       {"", "{}", R"({"type":"call","id":x)", R"({"type":"answer","id":1,"neither":2})",
        R"({"type":"call","id":1,"method":"endless)"}) {
    EXPECT_FALSE(read_runtime_message(nonsense).ok()) << nonsense;
  }
}

TEST(ExtensionFrames, AreWhatTheRuntimeReads) {
  using Type = peer::Incoming::Type;
  EXPECT_EQ(peer::parse_incoming(text_of(hello_frame()))->type, Type::Hello);
  const std::string reply = reply_frame(3, {.status = GDN_REPLY_OK, .json = "[1]"});
  EXPECT_EQ(to_text(peer::parse_incoming(text_of(reply))->value), "[1]");
  const std::string failed =
      reply_frame(3, {.status = GDN_REPLY_ERROR, .json = R"({"message":"no"})"});
  EXPECT_EQ(peer::parse_incoming(text_of(failed))->error->message, "no");
  const auto request = peer::parse_incoming(text_of(request_frame(4, 3, "next", "{}")));
  EXPECT_EQ(request->id, 4U);
  EXPECT_EQ(request->call, 3U);
  const auto notice = peer::parse_incoming(text_of(notify_frame(std::nullopt, "log", "")));
  EXPECT_EQ(notice->type, Type::Notify);
  EXPECT_FALSE(notice->call.has_value());
}

}  // namespace
}  // namespace goondan
