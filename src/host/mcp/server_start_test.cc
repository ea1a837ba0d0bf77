#include "host/mcp/server_start.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace goondan {
namespace {

class McpServerStartTest : public ::testing::Test {
 protected:
  Result<McpServerStart> prepare() {
    return prepare_mcp_server(resource_,
                              {.bundle_root = root_, .environment = environment_, .hosts = hosts_});
  }

  std::filesystem::path root_ = "/bundle";
  ValueSource::Environment environment_{{"PATH", "/bin"},    {"HOME", "/home/u"},
                                        {"LC_ALL", "C"},     {"API_TOKEN", "secret"},
                                        {"LD_PRELOAD", "x"}, {"GOONDAN_X", "y"}};
  net::HostPolicy hosts_;
  McpServerResource resource_{.name = "srv", .command = "tool"};
};

TEST_F(McpServerStartTest, AProgramGetsAMinimalEnvironmentAndWhatIsDeclared) {
  resource_.env["TOKEN"] = {.env = "API_TOKEN"};
  resource_.env["HOME"] = {.value = "/elsewhere"};
  const Result<McpServerStart> start = prepare();
  ASSERT_TRUE(start.ok());
  EXPECT_EQ(start->server.environment,
            (std::vector<std::string>{"HOME=/elsewhere", "LC_ALL=C", "PATH=/bin", "TOKEN=secret"}));
}

TEST_F(McpServerStartTest, ThereIsAlwaysAPath) {
  environment_.clear();
  EXPECT_EQ(prepare()->server.environment,
            (std::vector<std::string>{"PATH=/usr/local/bin:/usr/bin:/bin"}));
}

TEST_F(McpServerStartTest, AMissingVariableIsNamedWithItsServer) {
  resource_.env["TOKEN"] = {.env = "NOT_THERE"};
  const Result<McpServerStart> start = prepare();
  ASSERT_FALSE(start.ok());
  EXPECT_EQ(start.error().code, ErrorCode::ConfigValueMissing);
  EXPECT_EQ(start.error().message,
            "MCP server 'srv', env.TOKEN: the environment variable `NOT_THERE` is not set");
}

TEST_F(McpServerStartTest, CommandsWithASlashAreTheBundles) {
  resource_.args = {"--x"};
  EXPECT_EQ(prepare()->server.command, (std::vector<std::string>{"tool", "--x"}));
  EXPECT_EQ(prepare()->server.folder, "/bundle/");
  resource_.command = "./bin/tool";
  resource_.folder = "sub";
  EXPECT_EQ(prepare()->server.command.front(), "/bundle/bin/tool");
  EXPECT_EQ(prepare()->server.folder, "/bundle/sub");
  resource_.command = "/usr/bin/tool";
  resource_.folder = "/tmp";
  EXPECT_EQ(prepare()->server.command.front(), "/usr/bin/tool");
  EXPECT_EQ(prepare()->server.folder, "/tmp");
}

TEST_F(McpServerStartTest, TheConfiguredAddressIsAllowedAndNoOther) {
  resource_ = {.name = "srv", .url = "http://127.0.0.1:8123/mcp"};
  resource_.headers["Authorization"] = {.env = "API_TOKEN"};
  const Result<McpServerStart> start = prepare();
  ASSERT_TRUE(start.ok());
  EXPECT_TRUE(start->hosts.judge_name(*net::Url::parse("http://127.0.0.1:8123/other")).ok());
  EXPECT_FALSE(start->hosts.allows(*net::Url::parse("http://127.0.0.1:8124/mcp")));
  EXPECT_EQ(start->server.headers,
            (std::vector<std::pair<std::string, std::string>>{{"Authorization", "secret"}}));
}

TEST_F(McpServerStartTest, WhatIsNoAddressIsAnErrorOfTheConfiguration) {
  resource_ = {.name = "srv", .url = "ftp://x"};
  EXPECT_EQ(prepare().error().code, ErrorCode::Config);
  resource_ = {.name = "srv"};
  EXPECT_EQ(prepare().error().code, ErrorCode::Config);
}

}  // namespace
}  // namespace goondan
