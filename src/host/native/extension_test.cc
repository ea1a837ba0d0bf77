// Native extensions behind a peer, in a worker and in our own process: what the runtime sees.
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

class HostExtension : public testing::TestWithParam<Isolation> {
 protected:
  LoadedExtension extension_{GetParam()};
  Conversation conversation_;
};

INSTANTIATE_TEST_SUITE_P(Both, HostExtension,
                         testing::Values(Isolation::Worker, Isolation::InProcess),
                         [](const auto& isolation) {
                           return isolation.param == Isolation::Worker ? "Worker" : "InProcess";
                         });

TEST_P(HostExtension, AFailingSetupFailsTheRegistration) {  // REQ: MW-6
  const auto error = [](std::string_view how) {
    LoadedExtension extension(GetParam());
    return extension.set_up({{"setup", how}}).error();
  };
  EXPECT_EQ(error("fails").message, "no key in the config");
  EXPECT_EQ(error("fails").suggestion, "Set `key`.");
  EXPECT_EQ(error("throws").message, "the setup is broken");
  EXPECT_EQ(error("throws").code, ErrorCode::ExtensionInit);
  EXPECT_EQ(error("throwsNumber").code, ErrorCode::ExtensionInit);
}

TEST_P(HostExtension, RegistersToolsAndRunsThem) {  // REQ: MW-4
  ASSERT_TRUE(extension_.set_up({{"tools", JsonArray{"x__echo", "x__asks"}}}).ok());
  EXPECT_THAT(extension_.said()[0], HasSubstr(R"("item":{"name":"x__echo","description":"d"}})"));
  const std::int64_t echo = test::tool_number(extension_.said()[0]);
  const std::int64_t asks = test::tool_number(extension_.said()[1]);
  const Result<Json> echoed = extension_.tool(echo, {{"a", 1}}, conversation_);
  ASSERT_TRUE(echoed.ok()) << echoed.error().message;
  EXPECT_EQ(to_text(*echoed), R"({"input":{"a":1},"toolCallId":"c1","workdir":"/w"})");
  EXPECT_THAT(conversation_.said, ElementsAre(R"(log {"level":"warn","text":"echoing"})",
                                              R"(progress {"done":1,"total":2,"text":"half"})"));
  Conversation asking;
  ASSERT_TRUE(extension_.tool(asks, {{"b", 2}}, asking).ok());
  EXPECT_THAT(asking.said, ElementsAre(R"(runtime {"method":"agents.request","params":{"b":2}})"));
  Conversation broken;
  EXPECT_EQ(extension_.tool(asks, {{"throw", 1}}, broken).error().message, "the tool is broken");
  EXPECT_EQ(extension_.tool(7, {}, broken).error().code, ErrorCode::ExtensionLoad);
}

TEST_P(HostExtension, AToolKeepsItsNumberHoweverTheyAreRegistered) {  // REQ: MW-4
  ASSERT_TRUE(extension_.set_up({{"tools", JsonArray{"x__echo", "x__asks"}}}).ok());
  LoadedExtension other(GetParam());
  ASSERT_TRUE(other.set_up({{"tools", JsonArray{"x__asks", "x__echo"}}}).ok());
  EXPECT_EQ(test::tool_number(extension_.said()[0]), test::tool_number(other.said()[1]));
  EXPECT_NE(test::tool_number(extension_.said()[0]), test::tool_number(other.said()[0]));
}

TEST_P(HostExtension, AToolThatTheRuntimeRefusesFailsTheSetup) {  // REQ: MW-4
  ASSERT_TRUE(extension_.load().ok());
  conversation_.on_request = [](const std::string&, const Json&) -> Result<Json> {
    return Error{.code = ErrorCode::ToolDuplicate, .message = "x__echo is taken"};
  };
  const Result<Json> reply = conversation_.run(
      extension_.peer(), "register",
      JsonObject{{"extension", "ext"}, {"config", JsonObject{{"tools", JsonArray{"x__echo"}}}}});
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::ToolDuplicate);
}

TEST_P(HostExtension, AddsAToolWhileItRunsAndReplacesIt) {  // REQ: MW-4, CAT-4
  ASSERT_TRUE(extension_.set_up(one_layer("toolCall", "registersTool")).ok());
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(extension_.layer(0, {}, conversation_).ok());
  const std::int64_t late = test::tool_number(extension_.listener().await("tools.register"));
  EXPECT_TRUE(extension_.tool(late, {}, conversation_).ok());
}

TEST_P(HostExtension, KeepsStateAndTellsTheOthers) {  // REQ: MW-5
  ASSERT_TRUE(extension_.set_up(one_layer("toolCall", "counts"), 41).ok());
  ASSERT_TRUE(extension_.layer(0, {}, conversation_).ok());
  ASSERT_TRUE(extension_.layer(0, {}, conversation_).ok());
  auto& listener = extension_.listener();
  EXPECT_EQ(listener.await(R"(state.set {"extension":"ext","state":42)"),
            R"(state.set {"extension":"ext","state":42})");
  EXPECT_EQ(listener.await(R"(state.set {"extension":"ext","state":43)"),
            R"(state.set {"extension":"ext","state":43})");
  EXPECT_EQ(listener.await("events.emit"),
            R"(events.emit {"extension":"ext","name":"counted","payload":42})");
}

TEST_P(HostExtension, HearsEventsAlsoItsOwn) {  // REQ: MW-5
  ASSERT_TRUE(extension_.set_up({{"setup", "emits"}}).ok());
  EXPECT_THAT(extension_.said(), testing::Contains(HasSubstr("heard my own")));
  const auto event = [this](std::string_view name, Json payload) {
    return conversation_.run(extension_.peer(), "event",
                             JsonObject{{"name", name}, {"payload", std::move(payload)}});
  };
  ASSERT_TRUE(event("ping", 1).ok());
  EXPECT_EQ(extension_.listener().await("events.emit"),
            R"(events.emit {"extension":"ext","name":"pong","payload":1})");
  ASSERT_TRUE(event("ping", nullptr).ok());
  EXPECT_THAT(extension_.listener().await("log"),
              HasSubstr("a listener of 'ping' threw: no payload"));
  EXPECT_TRUE(event("unheard", 1).ok());
}

TEST_P(HostExtension, ItsThreadsReachTheRuntimeOutsideOfCalls) {  // REQ: MW-4, MW-5
  ASSERT_TRUE(extension_.set_up({}).ok());
  ASSERT_TRUE(conversation_.run(extension_.peer(), "event", JsonObject{{"name", "work"}}).ok());
  EXPECT_EQ(
      extension_.listener().await("events.emit"),
      R"(events.emit {"extension":"ext","name":"done","payload":{"tool":true,"state":true}})");
  const std::int64_t tool = test::tool_number(extension_.listener().await("tools.register"));
  EXPECT_TRUE(extension_.tool(tool, {}, conversation_).ok());
}

TEST_P(HostExtension, APluginWithToolsIsNoExtension) {
  LoadedExtension tools(GetParam(), "well_behaved");
  const Result<void> loaded = tools.load();
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::ExtensionLoad);
  EXPECT_THAT(loaded.error().message,
              StartsWith("extension 'ext': its plugin is no extension, it holds tools"));
  EXPECT_THAT(loaded.error().suggestion, HasSubstr("kind: Tool"));
}

TEST_P(HostExtension, WhatCannotBeLoadedSaysWhy) {
  const auto code = [](std::string_view plugin) {
    LoadedExtension extension(GetParam(), plugin);
    return extension.load().error().code;
  };
  EXPECT_EQ(code("wrong_abi"), ErrorCode::PluginAbiVersion);
  EXPECT_EQ(code("no_symbol"), ErrorCode::PluginSymbolMissing);
  EXPECT_EQ(code("undefined_symbol"), ErrorCode::PluginLoad);
}

TEST_P(HostExtension, WhatIsNoJsonFailsOnlyItsCall) {
  LoadedExtension plain(GetParam(), "c_extension");
  ASSERT_TRUE(plain.load().ok());
  const auto call = [&](std::string_view how) {
    Conversation conversation;
    return conversation.run(plain.peer(), "layer", JsonObject{{"how", how}});
  };
  EXPECT_EQ(call("badReply").error().code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call("noReply").error().code, ErrorCode::ToolBadReply);
  EXPECT_TRUE(call("badRequest").ok());
  EXPECT_TRUE(call("good").ok());
}

}  // namespace
}  // namespace goondan
