#include "mcp/client_fixture.h"

namespace goondan::mcp {
namespace {

class HandshakeTest : public ClientTest {
 protected:
  // How it went, e.g. "legacy 2025-11-25".
  std::string era(std::vector<std::string> mode) {
    client_.reset();
    Result<std::unique_ptr<Client>> connected = try_connect(std::move(mode));
    if (!connected.ok()) return connected.error().message;
    client_ = *std::move(connected);
    const ServerInfo& info = client_->info();
    return (info.era == Era::Modern ? "modern " : "legacy ") + info.protocol_version;
  }

  // For servers that say nothing: the test need not wait long for it.
  void probe_shortly() { options_.probe_time = std::chrono::milliseconds(50); }
};

TEST_F(HandshakeTest, GreetsALegacyServer) {
  EXPECT_EQ(era({"legacy"}), "legacy 2025-11-25");
  EXPECT_EQ(client_->info().name, "fake");
  EXPECT_EQ(client_->info().version, "1.2");
  EXPECT_EQ(client_->info().instructions, "Be kind.");
  EXPECT_TRUE(client_->info().capabilities.contains("tools"));
}

TEST_F(HandshakeTest, DiscoversAModernServer) {
  EXPECT_EQ(era({"modern"}), "modern 2026-07-28");
  EXPECT_EQ(client_->info().version, "2");
  EXPECT_EQ(client_->info().instructions, "Be modern.");
}

TEST_F(HandshakeTest, AcceptsOlderVersionsAndNoneThatItDoesNotKnow) {
  for (const char* version : {"2024-11-05", "2025-03-26", "2025-06-18"})
    EXPECT_EQ(era({"version", version}), std::string("legacy ") + version);
  EXPECT_NE(era({"version", "1999-01-01"}).find("no version"), std::string::npos);
  EXPECT_NE(era({"future"}).find("2099-01-01"), std::string::npos);
}

TEST_F(HandshakeTest, TakesAVersionThatIsOffered) {
  EXPECT_EQ(era({"picky"}), "legacy 2025-03-26");
  EXPECT_EQ(era({"both"}), "legacy 2025-06-18");
}

TEST_F(HandshakeTest, AsksAgainWithTheVersionThatWasRefusedIfItIsOffered) {
  EXPECT_EQ(era({"modern", "", "-32022"}), "modern 2026-07-28");
}

TEST_F(HandshakeTest, KnowsAModernServerByItsErrors) {
  EXPECT_EQ(era({"modern", "-32021"}), "modern 2026-07-28");
  EXPECT_EQ(era({"modern", "-32020"}), "modern 2026-07-28");
}

TEST_F(HandshakeTest, TakesAnyOtherAnswerForThatOfALegacyServer) {
  EXPECT_EQ(era({"agreeable"}), "legacy 2025-11-25");
  EXPECT_EQ(era({"nameless"}), "legacy 2025-11-25");
}

TEST_F(HandshakeTest, IsNotConfusedByALateAnswerToTheProbe) {
  probe_shortly();
  EXPECT_EQ(era({"silent"}), "legacy 2025-11-25");
  EXPECT_TRUE(client_->list_tools({.deadline = soon()}).ok());
}

TEST_F(HandshakeTest, ProbesAgainIfAServerThatWasSilentKnowsNoInitialize) {
  probe_shortly();
  EXPECT_EQ(era({"slow_modern"}), "modern 2026-07-28");
  EXPECT_TRUE(client_->list_tools({.deadline = soon()}).ok());
}

TEST_F(HandshakeTest, StartsAServerAgainThatEndedBecauseOfTheProbe) {
  EXPECT_EQ(era({"touchy"}), "legacy 2025-11-25");
}

TEST_F(HandshakeTest, DoesNotProbeIfTheEraIsKnown) {
  options_.era = Era::Legacy;
  EXPECT_EQ(era({"touchy"}), "legacy 2025-11-25");
  options_.era = Era::Modern;
  EXPECT_EQ(era({"modern"}), "modern 2026-07-28");
}

TEST_F(HandshakeTest, SaysWhyAServerEnded) {
  const Result<std::unique_ptr<Client>> connected = try_connect({"gone"});
  ASSERT_FALSE(connected.ok());
  EXPECT_EQ(connected.error().code, ErrorCode::McpServer);
  EXPECT_EQ(connected.error().message,
            "the server 'fake' has ended (exit code 7): missing configuration");
}

TEST_F(HandshakeTest, SaysThatThereIsNoSuchProgram) {
  const Result<std::unique_ptr<Client>> connected =
      Client::connect({.name = "x", .command = {"/no/such/program"}}, {.deadline = soon()});
  ASSERT_FALSE(connected.ok());
  EXPECT_EQ(connected.error().code, ErrorCode::McpServer);
  EXPECT_NE(connected.error().message.find("/no/such/program"), std::string::npos)
      << connected.error().message;
}

TEST_F(HandshakeTest, SaysThatThereIsNoSuchFolder) {
  Server server = fake_server({"legacy"});
  server.folder = "/no/such/folder";
  const Result<std::unique_ptr<Client>> connected = Client::connect(server, {.deadline = soon()});
  ASSERT_FALSE(connected.ok());
  EXPECT_EQ(connected.error().message,
            "the server 'fake' cannot be started: there is no folder '/no/such/folder'");
}

TEST_F(HandshakeTest, WantsEitherACommandOrAnAddress) {
  EXPECT_EQ(Client::connect({.name = "x"}, {}).error().code, ErrorCode::McpServer);
  EXPECT_EQ(Client::connect({.name = "x", .command = {"a"}, .url = "b"}, {}).error().code,
            ErrorCode::McpServer);
}

TEST_F(HandshakeTest, DoesNotWaitForAServerThatNeverAnswers) {
  const auto connect = [](Deadline deadline, const std::stop_token& stop) {
    return Client::connect(fake_server({"mute"}), {.deadline = deadline, .stop = stop})
        .error()
        .code;
  };
  EXPECT_EQ(connect(Clock::now() + std::chrono::milliseconds(100), {}), ErrorCode::ToolTimeout);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(connect(soon(), stop.get_token()), ErrorCode::ToolCancelled);
}

}  // namespace
}  // namespace goondan::mcp
