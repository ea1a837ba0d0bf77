#include <signal.h>
#include <thread>

#include "mcp/client_fixture.h"

namespace goondan::mcp {
namespace {

class HostileServerTest : public ClientTest {
 protected:
  static RequestOptions shortly() {
    return {.deadline = Clock::now() + std::chrono::milliseconds(100)};
  }
};

TEST_F(HostileServerTest, SaysWhyAServerDiedInTheMiddleOfACall) {
  connect({"legacy"});
  std::jthread other([this] { EXPECT_EQ(call("never").error().code, ErrorCode::McpServer); });
  EXPECT_TRUE(call("echo").ok());
  const Result<Json> result = call("die");
  EXPECT_EQ(result.error().code, ErrorCode::McpServer);
  EXPECT_EQ(result.error().message,
            "the server 'fake' has ended (exit code 3): about to die no memory left");
  other.join();
  EXPECT_FALSE(client_->alive());
  EXPECT_EQ(call("echo").error().code, ErrorCode::McpServer);
}

TEST_F(HostileServerTest, DropsAnswersThatNobodyWaitsFor) {
  connect({"legacy"});
  EXPECT_EQ(text(call("twice", {{"text", "1"}})), "1");
  EXPECT_EQ(text(call("wrong_id", {{"text", "2"}})), "2");
  EXPECT_EQ(call("never", {}, shortly()).error().code, ErrorCode::ToolTimeout);
  EXPECT_EQ(text(call("echo", {{"text", "3"}})), "3");
}

TEST_F(HostileServerTest, FailsACallWhoseAnswerIsBrokenAndGoesOn) {
  connect({"legacy"});
  for (const char* line :
       {R"({"jsonrpc":"2.0","id":%ID,"result":{"content":[],"content":[]}})",
        R"({"jsonrpc":"2.0","id":%ID,"result":{"content":[NaN]}})",
        R"({"jsonrpc":"2.0","id":%ID,"result":5})",
        R"({"jsonrpc":"2.0","id":%ID,"result":{"content":5}})",
        R"({"jsonrpc":"2.0","id":%ID,"result":{},"error":{}})", R"({"jsonrpc":"2.0","id":%ID})",
        R"({"jsonrpc":"2.0","id":%ID,"error":"x"})", R"({"jsonrpc":"2.0","id":%ID,"error":{}})"}) {
    EXPECT_EQ(call("raw", {{"line", line}}).error().code, ErrorCode::Mcp) << line;
  }
  const std::string deep = R"({"jsonrpc":"2.0","id":%ID,"result":)" + std::string(1000, '[');
  EXPECT_EQ(call("raw", {{"line", deep}}).error().code, ErrorCode::Mcp);
  EXPECT_EQ(text(call("latin1")), "caf\xEF\xBF\xBD");
  EXPECT_EQ(text(call("echo", {{"text", "still here"}})), "still here");
}

TEST_F(HostileServerTest, GivesUpOnAMessageThatIsTooLong) {
  connect({"legacy"});
  EXPECT_EQ(call("huge").error().code, ErrorCode::Limit);
  EXPECT_FALSE(client_->alive());
}

TEST_F(HostileServerTest, SendsNoMessageThatIsTooLong) {
  connect({"legacy"});
  EXPECT_EQ(call("echo", {{"text", std::string(kMaxMessageBytes, 'x')}}).error().code,
            ErrorCode::Limit);
  EXPECT_EQ(text(call("echo", {{"text", "x"}})), "x");
}

TEST_F(HostileServerTest, LeavesOutLinesThatAreNoMessages) {
  connect({"garbage"});
  EXPECT_EQ(text(call("echo", {{"text", "x"}})), "x");
  EXPECT_TRUE(log_.wait_for("Welcome!"));
}

TEST_F(HostileServerTest, GivesUpOnAServerThatFloods) {
  EXPECT_EQ(try_connect({"flood"}).error().code, ErrorCode::Mcp);
  EXPECT_EQ(try_connect({"endless_line"}).error().code, ErrorCode::Limit);
}

TEST_F(HostileServerTest, WorksWithAServerThatMakesALotOfNoise) {
  connect({"noise"});
  EXPECT_EQ(text(call("echo", {{"text", "x"}})), "x");
  EXPECT_LT(log_.all().size(), 1'000u);
}

TEST_F(HostileServerTest, WorksWithAServerThatNeverStopsTalking) {
  connect({"chatter"});
  for (const char* word : {"a", "b", "c"})
    EXPECT_EQ(text(call("echo", {{"text", word}})), word);
}

TEST_F(HostileServerTest, DoesNotHangWhenAServerDoesNotRead) {
  connect({"legacy"});
  EXPECT_TRUE(call("deaf").ok());
  const JsonObject large{{"text", std::string(std::size_t{8} << 20, 'x')}};
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      const ErrorCode code = call("echo", large, shortly()).error().code;
      if (code == ErrorCode::ToolTimeout || code == ErrorCode::Limit) ++right;
    });
  }
  threads.clear();
  EXPECT_EQ(right, 4);
  EXPECT_TRUE(client_->alive());
}

TEST_F(HostileServerTest, EndsAServerThatWillNotEndWithItsChildren) {
  connect({"stubborn"});
  const pid_t child = std::stoi(text(call("child")));
  ASSERT_EQ(::kill(child, 0), 0);
  client_.reset();
  EXPECT_EQ(::kill(child, 0), -1);
}

TEST_F(HostileServerTest, EndsWhileRequestsWait) {
  connect({"legacy"});
  std::stop_source stop;
  std::jthread caller([&] {
    EXPECT_EQ(call("never", {}, {.stop = stop.get_token()}).error().code, ErrorCode::ToolCancelled);
  });
  EXPECT_TRUE(call("echo").ok());
  stop.request_stop();
  caller.join();
  client_.reset();
}

}  // namespace
}  // namespace goondan::mcp
