// A server that comes late, ends, comes back, and what that means for steps and calls.
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "host/mcp/mcp_fixture.h"

namespace goondan {
namespace {

using test::FakeServer;
using test::McpWorld;
using test::tool_info;
using Names = std::vector<std::string>;
using Status = McpServerState::Status;

// `server_` goes last: connections point to it.
class McpServerLife : public ::testing::Test {
 protected:
  FakeServer server_;
  McpWorld world_;
};

TEST_F(McpServerLife, ARequiredServerThatIsNotThereStopsTheStepUntilItIs) {
  world_.server().need = McpServerResource::Need::Required;
  server_.refuse("it is on holiday");
  world_.start(server_.connector());
  const Result<void> step = world_.step();
  ASSERT_FALSE(step.ok());
  EXPECT_EQ(step.error().code, ErrorCode::McpServer);
  EXPECT_EQ(step.error().message,
            "MCP server 'srv', which Extension/ext requires, is not there: it is on holiday");
  server_.refuse("");
  EXPECT_TRUE(world_.step().ok());
}

TEST_F(McpServerLife, AnOptionalServerThatIsNotThereIsTriedAgain) {
  server_.set_tools({tool_info("a")});
  server_.refuse("MCP server 'srv': it is on holiday");  // who shows it says that, too
  world_.server();
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  EXPECT_EQ(world_.state().status, Status::Failed);
  EXPECT_EQ(world_.state().problem, "it is on holiday");
  server_.refuse("");
  // Not waited for, since it may never come; it is there some steps later.
  while (world_.names().empty())
    ASSERT_TRUE(world_.step().ok());
  EXPECT_EQ(world_.names(), (Names{"srv__a"}));
}

TEST_F(McpServerLife, AServerThatEndedIsStartedAgainByTheNextCall) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  server_.die();
  EXPECT_EQ(world_.state().status, Status::Failed);
  EXPECT_EQ(world_.state().problem, "the fake has died");
  EXPECT_TRUE(world_.call("srv__a").ok());
  EXPECT_EQ(server_.connects(), 2);
  EXPECT_EQ(world_.names(), (Names{"srv__a"}));
}

TEST_F(McpServerLife, AServerThatKeepsEndingIsLeftAloneForAWhile) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  for (int i = 1; i < 5; ++i) {
    server_.die();
    EXPECT_TRUE(world_.call("srv__a").ok());
  }
  server_.die();
  const ToolCallResult refused = world_.call("srv__a");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error->code, ErrorCode::McpServer);
  EXPECT_EQ(refused.error->message, "MCP server 'srv' is not connected: the fake has died");
  EXPECT_EQ(server_.connects(), 5);
}

TEST_F(McpServerLife, AChangeAcrossARestartIsSeenBeforeTheCall) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  server_.set_tools({tool_info("a", "changed")});
  server_.die();
  EXPECT_EQ(world_.call("srv__a").error->code, ErrorCode::McpToolChanged);
}

TEST_F(McpServerLife, AServerThatDiesInACallSaysWhy) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  server_.set_call([this](const JsonObject&, const mcp::RequestOptions&) -> Result<Json> {
    server_.die();
    return Error{.code = ErrorCode::McpServer, .message = "ended by signal SIGSEGV"};
  });
  EXPECT_EQ(world_.call("srv__a").error->message, "ended by signal SIGSEGV");
  EXPECT_EQ(world_.state().problem, "ended by signal SIGSEGV");
}

TEST_F(McpServerLife, ResultsAreCleanedAndErrorsOfTheToolAreErrors) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  server_.set_call([](const JsonObject& input, const mcp::RequestOptions&) -> Result<Json> {
    return JsonObject{{"isError", input.contains("bad")},
                      {"content", JsonArray{JsonObject{{"type", "text"}, {"text", "x\u202Ey"}}}}};
  });
  EXPECT_EQ(world_.call("srv__a").output, Json("xy"));
  EXPECT_TRUE(world_.logged("1 hidden characters were removed from a result of 'srv__a'"));
  const ToolCallResult bad = world_.call("srv__a", {{"bad", true}});
  EXPECT_EQ(bad.error->code, ErrorCode::McpTool);
  EXPECT_EQ(bad.error->message, "xy");
}

TEST_F(McpServerLife, TheEndStopsCallsAndLeavesNoConnection) {
  world_.server();
  server_.set_tools({tool_info("a")});
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  std::promise<void> inside;
  server_.set_call([&](const JsonObject&, const mcp::RequestOptions& options) -> Result<Json> {
    inside.set_value();
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait(lock, options.stop, [] { return false; });
    return Error{.code = ErrorCode::ToolCancelled, .message = "stopped"};
  });
  std::future<ToolCallResult> call =
      std::async(std::launch::async, [&] { return world_.call("srv__a"); });
  inside.get_future().wait();
  world_.stop();
  EXPECT_FALSE(call.get().ok());
  EXPECT_EQ(server_.open(), 0);
  EXPECT_EQ(world_.call("srv__a").error->code, ErrorCode::McpServer);
  EXPECT_EQ(server_.connects(), 1);
}

TEST_F(McpServerLife, AServerThatTakesItsTimeIsWaitedForUpToTheDeadline) {
  world_.server();
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  server_.set_tools({tool_info("a")});
  const McpConnect connect = server_.connector();
  world_.start([&, connect](const mcp::Server& server, mcp::ConnectOptions options) {
    gone.wait();
    return connect(server, std::move(options));
  });
  auto tools = [&] { return world_.state().status; };
  EXPECT_EQ(tools(), Status::Connecting);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(world_.step(stop.get_token()).ok());
  EXPECT_TRUE(world_.names().empty());
  go.set_value();
  ASSERT_TRUE(world_.step().ok());
  EXPECT_EQ(world_.names(), (Names{"srv__a"}));
}

// `npx` may have to download first, which the step's own deadline knows nothing of.
TEST_F(McpServerLife, ARequiredServerIsWaitedForAsLongAsItMayTakeToComeUp) {
  McpServerResource& resource = world_.server();
  resource.need = McpServerResource::Need::Required;
  resource.start_timeout = std::chrono::minutes(5);
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  server_.set_tools({tool_info("a")});
  const McpConnect connect = server_.connector();
  world_.start([&, connect](const mcp::Server& server, mcp::ConnectOptions options) {
    gone.wait();
    return connect(server, std::move(options));
  });
  std::future<Result<void>> step =
      std::async(std::launch::async, [&] { return world_.step_until(Clock::now()); });
  EXPECT_EQ(step.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  go.set_value();
  EXPECT_TRUE(step.get().ok());
  EXPECT_EQ(world_.names(), (Names{"srv__a"}));
}

}  // namespace
}  // namespace goondan
