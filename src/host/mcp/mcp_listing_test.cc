// What servers try with the definitions of their tools.
#include <gtest/gtest.h>

#include "host/mcp/mcp_fixture.h"

namespace goondan {
namespace {

using test::FakeServer;
using test::McpWorld;
using test::tool_info;
using Names = std::vector<std::string>;

// `server_` goes last: connections point to it.
class McpListingTest : public ::testing::Test {
 protected:
  FakeServer server_;
  McpWorld world_;
};

// SECURITY 5.5
TEST_F(McpListingTest, NothingIsHiddenInSchemas) {
  mcp::ToolInfo told = tool_info("told");
  told.input_schema = *parse_json(
      R"({"type":"object","properties":{"a":{"enum":["x"],"description":"fi\u200bne\udb40\udc41"}}})");
  mcp::ToolInfo valued = tool_info("valued");
  valued.input_schema = *parse_json(R"({"type":"object","properties":{"a":{"const":"\u202ex"}}})");
  mcp::ToolInfo named = tool_info("named");
  named.input_schema = *parse_json(R"({"type":"object","properties":{"\u200ba":{}}})");
  server_.set_tools({told, valued, named});
  world_.server();
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  EXPECT_EQ(world_.names(), (Names{"srv__told"}));
  EXPECT_EQ(to_text(*world_.registry().find("srv__told")->catalog_entry->item().parameters),
            R"({"type":"object","properties":{"a":{"enum":["x"],"description":"fine"}}})");
  EXPECT_TRUE(world_.logged("2 hidden characters were removed from the descriptions"));
  EXPECT_TRUE(world_.logged("'valued' is left out: its schema holds hidden characters"));
}

// Otherwise it would leave no room for the tools of others.
TEST_F(McpListingTest, OneServerCannotFillTheFileOfPins) {
  std::vector<mcp::ToolInfo> tools;
  for (int i = 0; i < 5'000; ++i)
    tools.push_back(tool_info("t" + std::to_string(i), std::string(5'000, 'x')));
  server_.set_tools(tools);
  world_.server();
  world_.start(server_.connector());
  ASSERT_TRUE(world_.step().ok());
  EXPECT_EQ(world_.names().size() + world_.state().disabled.size(), tools.size());
  EXPECT_GT(world_.names().size(), 1'000U);
  ASSERT_GT(world_.state().disabled.size(), 500U);
  EXPECT_EQ(world_.state().disabled[0].second, "the server has announced too many different tools");
  EXPECT_LT(std::filesystem::file_size(world_.options().pins), kMaxPinsBytes / 2);
}

}  // namespace
}  // namespace goondan
