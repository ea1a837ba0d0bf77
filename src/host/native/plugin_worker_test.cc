// Calls through a worker process that go well, or end in time.
#include "host/native/plugin_worker.h"

#include <thread>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"

namespace goondan {
namespace {

using test::CallParts;
using test::make_call;
using test::RecordingHost;
using test::soon;
using test::worker_options;

class PluginWorkerTest : public testing::Test {
 protected:
  void start(std::string_view plugin) {
    auto worker = PluginWorker::start(worker_options(plugin), soon(), {});
    ASSERT_TRUE(worker.ok()) << worker.error().message;
    worker_ = *std::move(worker);
  }

  Result<Json> call(const CallParts& parts) { return worker_->call(make_call(parts, host_)); }

  std::unique_ptr<PluginWorker> worker_;
  RecordingHost host_;
};

TEST_F(PluginWorkerTest, AnswersOneCallAfterTheOther) {
  start("well_behaved");
  EXPECT_EQ(worker_->hello().abi_version, GDN_ABI_VERSION);
  EXPECT_EQ(worker_->hello().exports.front(), "echo");
  for (int i = 0; i < 100; ++i) {
    const std::string input = "{\"i\":" + std::to_string(i) + "}";
    EXPECT_EQ(to_text(call({.export_name = "echo", .input = input}).value()), input);
  }
  EXPECT_TRUE(worker_->usable());
}

TEST_F(PluginWorkerTest, CarriesContextErrorsAndExceptions) {
  start("well_behaved");
  const Json seen = call({.export_name = "context",
                          .context = R"({"agentName":"writer","toolCallId":"7","timeoutMs":9000})"})
                        .value();
  EXPECT_EQ(seen.at("agentName"), "writer");
  EXPECT_EQ(seen.at("toolCallId"), "7");
  EXPECT_EQ(seen.at("hasTime"), Json(true));
  EXPECT_EQ(call({.export_name = "fails"}).error().code_text(), "E_CHANNEL_NOT_FOUND");
  EXPECT_EQ(call({.export_name = "throws_exception"}).error(), tool_error("the disk is full"));
  EXPECT_EQ(call({.export_name = "throws_number"}).error(),
            tool_error("Unknown tool execution error"));
  EXPECT_TRUE(worker_->usable());
}

TEST_F(PluginWorkerTest, CarriesLogsProgressAndRequests) {
  start("well_behaved");
  EXPECT_EQ(call({.export_name = "talks", .input = R"({"text":"끝"})"}).value(), "said");
  EXPECT_EQ(host_.said(), (std::vector<std::string>{"log 2 beginning", "progress 1/2 half",
                                                    "progress 2/2 ", "log 0 끝"}));
  EXPECT_EQ(call({.export_name = "asks", .input = R"({"target":"x"})"}).value(),
            Json(JsonObject{{"asked", JsonObject{{"target", "x"}}}}));
  EXPECT_EQ(call({.export_name = "asks", .input = R"({"refuse":1})"}).error().code,
            ErrorCode::RuntimeUnavailable);
}

TEST_F(PluginWorkerTest, CarriesLargeInputsAndReplies) {
  start("well_behaved");
  constexpr std::size_t kTenMegabytes = 10'000'000;
  const Json reply = call({.export_name = "large", .input = R"({"bytes":10000000})"}).value();
  EXPECT_EQ(reply.as_string().size(), kTenMegabytes);
  const std::string input = R"({"text":")" + std::string(kTenMegabytes, 'y') + R"("})";
  EXPECT_EQ(call({.export_name = "size", .input = input}).value(), Json(kTenMegabytes));
}

TEST_F(PluginWorkerTest, WhatAPluginPrintsGoesToStandardError) {
  start("well_behaved");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  auto worker = PluginWorker::start(worker_options("well_behaved"), soon(), {});
  ASSERT_TRUE(worker.ok());
  EXPECT_EQ((*worker)->call(make_call({.export_name = "prints"}, host_)).value(),
            Json(JsonObject{{"stdinIsEmpty", true}}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "printed with puts\nprinted with cout\n");
}

TEST_F(PluginWorkerTest, ACallThatTimedOutLeavesNoWorkerBehind) {  // REQ: CALL-10
  start("well_behaved");
  const Result<Json> result = call(
      {.export_name = "waits_for_stop", .deadline = Clock::now() + std::chrono::milliseconds(20)});
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_FALSE(worker_->usable());
}

TEST_F(PluginWorkerTest, AHandlerHearsACancellation) {  // REQ: CALL-10
  start("well_behaved");
  std::stop_source source;
  std::jthread other([this, &source] {
    host_.await_word();
    source.request_stop();
  });
  const Result<Json> result = call({.export_name = "waits_for_stop", .stop = source.get_token()});
  EXPECT_EQ(result.error().code, ErrorCode::ToolCancelled);
}

TEST_F(PluginWorkerTest, AHandlerThatIgnoresTheTimeOutIsKilled) {  // REQ: CALL-10
  start("badly_behaved");
  const Result<Json> result =
      call({.export_name = "loops", .deadline = Clock::now() + std::chrono::milliseconds(20)});
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_NE(result.error().message.find("'loops'"), std::string::npos);
  EXPECT_FALSE(worker_->usable());
}

TEST_F(PluginWorkerTest, AHandlerThatIgnoresACancellationIsKilled) {
  start("badly_behaved");
  std::stop_source source;
  std::jthread other([this, &source] {
    host_.await_word();
    source.request_stop();
  });
  const Result<Json> result = call({.export_name = "loops", .stop = source.get_token()});
  EXPECT_EQ(result.error().code, ErrorCode::ToolCancelled);
  EXPECT_FALSE(worker_->usable());
}

TEST_F(PluginWorkerTest, AHandlerThatNeverStopsTalkingIsKilled) {
  start("badly_behaved");
  const Result<Json> result =
      call({.export_name = "floods", .deadline = Clock::now() + std::chrono::milliseconds(50)});
  EXPECT_EQ(result.error().code, ErrorCode::ToolTimeout);
  EXPECT_FALSE(worker_->usable());
}

TEST_F(PluginWorkerTest, AnInputThatIsTooLargeIsRefusedAndNothingElseHappens) {
  start("well_behaved");
  const std::string input(ipc::kMaxFrameBytes + 1, ' ');
  EXPECT_EQ(call({.export_name = "echo", .input = input}).error().code, ErrorCode::Limit);
  EXPECT_TRUE(call({.export_name = "echo"}).ok());
}

TEST_F(PluginWorkerTest, AnUnknownExportIsAnError) {
  start("well_behaved");
  EXPECT_EQ(call({.export_name = "nothing"}).error().code, ErrorCode::PluginHandlerMissing);
  EXPECT_TRUE(worker_->usable());
}

}  // namespace
}  // namespace goondan
