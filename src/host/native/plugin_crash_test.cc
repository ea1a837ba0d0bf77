// Plugins that crash, hang while loading, or talk nonsense.
#include <signal.h>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "host/native/plugin_worker.h"

namespace goondan {
namespace {

using test::make_call;
using test::RecordingHost;
using test::soon;
using test::worker_options;

// One call in a worker of its own, which it is not expected to survive unless `worker` is given.
Error call_error(std::string_view plugin, std::string_view name, std::string_view input = "{}",
                 bool* usable = nullptr) {
  auto worker = PluginWorker::start(worker_options(plugin), soon(), {});
  EXPECT_TRUE(worker.ok());
  RecordingHost host;
  const Result<Json> result =
      (*worker)->call(make_call({.export_name = name, .input = input}, host));
  EXPECT_FALSE(result.ok());
  EXPECT_EQ((*worker)->usable(), usable != nullptr && *usable);
  return result.ok() ? Error{} : result.error();
}

TEST(PluginCrash, ASegmentationFaultIsNamed) {
  const Error error = call_error("badly_behaved", "segfault");
  EXPECT_EQ(error.code, ErrorCode::ToolCrash);
  EXPECT_EQ(error.message, "plugin 'badly_behaved' crashed with SIGSEGV while running 'segfault'");
  EXPECT_FALSE(error.suggestion.empty());
}

TEST(PluginCrash, EveryWayToDieIsNamed) {
  EXPECT_NE(call_error("badly_behaved", "aborts").message.find("crashed with SIGABRT"),
            std::string::npos);
  EXPECT_NE(call_error("badly_behaved", "overflows_the_stack").message.find("crashed with SIGSEGV"),
            std::string::npos);
  EXPECT_NE(call_error("badly_behaved", "kills_its_group").message.find("crashed with SIGKILL"),
            std::string::npos);
  const std::string bus = R"({"signal":)" + std::to_string(SIGBUS) + "}";
  EXPECT_NE(call_error("badly_behaved", "kills_itself", bus).message.find("crashed with SIGBUS"),
            std::string::npos);
}

TEST(PluginCrash, AnExitIsNamed) {
  EXPECT_EQ(call_error("badly_behaved", "exits", R"({"code":3})").message,
            "plugin 'badly_behaved' called exit(3) while running 'exits'");
  EXPECT_EQ(call_error("badly_behaved", "exits", R"({"code":0})").code, ErrorCode::ToolCrash);
}

TEST(PluginCrash, GarbageIsABadReply) {
  EXPECT_EQ(call_error("badly_behaved", "writes_garbage").code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call_error("badly_behaved", "replies_deeply").code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call_error("c_plugin", "invalid_json").code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call_error("c_plugin", "invalid_utf8").code, ErrorCode::ToolBadReply);
  EXPECT_EQ(call_error("c_plugin", "error_without_message").code, ErrorCode::ToolBadReply);
}

TEST(PluginCrash, AMisusedReplyIsABadReplyOfAHealthyWorker) {
  bool usable = true;
  for (const char* const name : {"replies_twice", "never_replies", "unknown_status", "too_large"}) {
    EXPECT_EQ(call_error("c_plugin", name, "{}", &usable).code, ErrorCode::ToolBadReply) << name;
  }
}

TEST(PluginCrash, ClosedDescriptorsAreACrash) {
  EXPECT_EQ(call_error("badly_behaved", "closes_everything").code, ErrorCode::ToolCrash);
}

TEST(PluginCrash, ACrashWhileLoadingIsALoadError) {
  const auto worker = PluginWorker::start(worker_options("crashes_on_load"), soon(), {});
  ASSERT_FALSE(worker.ok());
  EXPECT_EQ(worker.error().code, ErrorCode::PluginLoad);
  EXPECT_EQ(worker.error().message, "plugin 'crashes_on_load' crashed with SIGSEGV while loading");
}

TEST(PluginCrash, AHangWhileLoadingIsALoadError) {
  const auto worker = PluginWorker::start(worker_options("hangs_on_load"),
                                          Clock::now() + std::chrono::milliseconds(100), {});
  ASSERT_FALSE(worker.ok());
  EXPECT_EQ(worker.error().code, ErrorCode::PluginLoad);
}

TEST(PluginCrash, AStopWhileLoadingIsACancellation) {
  std::stop_source source;
  source.request_stop();
  const auto worker =
      PluginWorker::start(worker_options("hangs_on_load"), soon(), source.get_token());
  ASSERT_FALSE(worker.ok());
  EXPECT_EQ(worker.error().code, ErrorCode::ToolCancelled);
}

TEST(PluginCrash, LoadErrorsOfTheWorkerAreTheSameAsOurs) {
  const auto code = [](std::string_view plugin) {
    return PluginWorker::start(worker_options(plugin), soon(), {}).error().code;
  };
  EXPECT_EQ(code("wrong_abi"), ErrorCode::PluginAbiVersion);
  EXPECT_EQ(code("no_symbol"), ErrorCode::PluginSymbolMissing);
  EXPECT_EQ(code("undefined_symbol"), ErrorCode::PluginLoad);
  EXPECT_EQ(code("there_is_no_such_file"), ErrorCode::PluginLoad);
}

TEST(PluginCrash, AProgramThatIsNoWorkerIsAnError) {
  WorkerOptions options = worker_options("well_behaved");
  options.program = "/bin/true";
  EXPECT_EQ(PluginWorker::start(options, soon(), {}).error().code, ErrorCode::PluginLoad);
  options.program = "/no/such/program";
  EXPECT_FALSE(PluginWorker::start(options, soon(), {}).ok());
}

}  // namespace
}  // namespace goondan
