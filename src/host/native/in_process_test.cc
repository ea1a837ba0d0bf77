#include "host/native/in_process.h"

#include <thread>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "host/native/plugin_library.h"

namespace goondan {
namespace {

using test::RecordingHost;

class InProcess : public testing::Test {
 protected:
  static std::shared_ptr<const PluginLibrary> load(std::string_view plugin) {
    return PluginLibrary::load(test::plugin_path(plugin)).value();
  }

  Result<Json> call(std::string_view name, const JsonObject& input = {},
                    std::string_view plugin = "well_behaved") {
    const auto library = load(plugin);
    ToolContext context({.scope = scope_,
                         .tool_call_id = "call-1",
                         .deadline = deadline_,
                         .stop = source_.get_token(),
                         .host = host_});
    return call_in_process(*library->find(name), context, input);
  }

  CallScope scope_;
  Deadline deadline_ = test::soon();
  std::stop_source source_;
  RecordingHost host_;
};

TEST_F(InProcess, GivesBackWhatTheHandlerReturns) {
  const JsonObject input{{"text", "군단 \" \n"}, {"list", {1, 2.5, nullptr, true}}};
  EXPECT_EQ(call("echo", input).value(), Json(input));
  EXPECT_EQ(call("echo").value(), Json(JsonObject{}));
  EXPECT_EQ(call("size", {{"text", "four"}}).value(), Json(4));
}

TEST_F(InProcess, TheHandlerSeesItsContext) {  // REQ: CTX-1
  scope_ = {.agent_name = "writer",
            .instance_key = "key",
            .turn_id = "turn",
            .trace_id = "trace",
            .workdir = "/tmp/w",
            .message = JsonObject{{"role", "assistant"}}};
  const JsonObject seen = call("context").value().as_object();
  EXPECT_EQ(seen.at("agentName"), "writer");
  EXPECT_EQ(seen.at("instanceKey"), "key");
  EXPECT_EQ(seen.at("turnId"), "turn");
  EXPECT_EQ(seen.at("traceId"), "trace");
  EXPECT_EQ(seen.at("toolCallId"), "call-1");
  EXPECT_EQ(seen.at("workdir"), "/tmp/w");
  EXPECT_EQ(seen.at("message"), Json(JsonObject{{"role", "assistant"}}));
  EXPECT_EQ(seen.at("hasTime"), Json(true));
  deadline_ = Deadline::max();
  EXPECT_EQ(call("context").value().at("hasDeadline"), Json(false));
}

TEST_F(InProcess, ErrorsAndExceptionsBecomeErrors) {  // REQ: CALL-3
  const Error error = call("fails").error();
  EXPECT_EQ(error.code_text(), "E_CHANNEL_NOT_FOUND");
  EXPECT_EQ(error.name(), "ChannelError");
  EXPECT_EQ(error.message, "channel not found");
  EXPECT_EQ(error.suggestion, "List the channels first.");
  EXPECT_EQ(error.help_url, "https://example.com/channels");
  EXPECT_EQ(call("throws_exception").error(), tool_error("the disk is full"));
  EXPECT_EQ(call("throws_number").error(), tool_error("Unknown tool execution error"));
}

TEST_F(InProcess, TheHandlerCanTalkAndAsk) {
  EXPECT_EQ(call("talks", {{"text", "끝"}}).value(), "said");
  EXPECT_EQ(host_.said(), (std::vector<std::string>{"log 2 beginning", "progress 1/2 half",
                                                    "progress 2/2 ", "log 0 끝"}));
  EXPECT_EQ(call("asks", {{"target", "x"}}).value().at("asked").at("target"), "x");
  EXPECT_EQ(call("asks", {{"refuse", true}}).error(),
            (Error{.code = ErrorCode::RuntimeUnavailable, .message = "no agents here"}));
}

TEST_F(InProcess, TheHandlerHearsACancellation) {
  std::jthread other([this] {
    host_.await_word();
    source_.request_stop();
  });
  EXPECT_EQ(call("waits_for_stop").value(), "stopped");
}

TEST_F(InProcess, TheHandlerHearsACancellationThatCameBefore) {
  source_.request_stop();
  EXPECT_EQ(call("waits_for_stop").value(), "stopped");
}

TEST_F(InProcess, APluginInPlainCWorks) {
  EXPECT_EQ(call("c_echo", {{"a", 1}}, "c_plugin").value(), Json(JsonObject{{"a", 1}}));
  EXPECT_EQ(host_.said(), (std::vector<std::string>{"log 1 echoing", "progress 1/0 once"}));
  EXPECT_EQ(call("c_fails", {}, "c_plugin").error().custom_code, "E_C");
}

TEST_F(InProcess, AMisusedReplyIsABadReply) {
  for (const char* const name :
       {"invalid_json", "invalid_utf8", "no_bytes", "replies_twice", "never_replies",
        "unknown_status", "error_without_message", "too_large"}) {
    const Result<Json> result = call(name, {}, "c_plugin");
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().code, ErrorCode::ToolBadReply) << name;
  }
}

}  // namespace
}  // namespace goondan
