#include "host/mcp/tool_names.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <goondan/tool.h>

namespace goondan {
namespace {

using Names = std::vector<std::string>;

TEST(McpToolNames, GoodNamesStayAsTheyAre) {
  const McpToolNames names("files", Names{"read_file", "Write-2", "x"});
  EXPECT_EQ(names.visible("read_file"), "files__read_file");
  EXPECT_EQ(names.visible("Write-2"), "files__Write-2");
  EXPECT_EQ(names.original("files__x"), "x");
  EXPECT_EQ(names.visible("nothing"), "");
  EXPECT_EQ(names.original("files__nothing"), "");
}

// REQ: CAT-5
TEST(McpToolNames, EveryNameIsOneThatProvidersTakeAndLeadsBack) {
  const Names tools{"a.b",
                    "a/b",
                    "a b",
                    "a__b",
                    "한글 도구",
                    std::string(128, 'x'),
                    std::string(127, 'x') + ".",
                    "",
                    "_",
                    "__",
                    "a_b",
                    "..",
                    "😀"};
  const McpToolNames names("server", tools);
  std::set<std::string> seen;
  for (const std::string& tool : tools) {
    const std::string visible = names.visible(tool);
    EXPECT_TRUE(seen.insert(visible).second) << visible;
    EXPECT_LE(visible.size(), kMaxMcpToolName);
    EXPECT_EQ(visible.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"),
              std::string::npos)
        << visible;
    ASSERT_TRUE(ToolName::parse(visible)) << visible;
    EXPECT_EQ(ToolName::parse(visible)->resource, "server");
    EXPECT_EQ(names.original(visible), tool);
  }
  EXPECT_EQ(names.visible("a_b"), "server__a_b");
  EXPECT_TRUE(names.visible("a.b").starts_with("server__a_b_"));
}

TEST(McpToolNames, TheOrderDoesNotMatter) {
  Names tools{"a.b", "a/b", "a_b", "z", std::string(100, 'q')};
  const McpToolNames names("s", tools);
  std::reverse(tools.begin(), tools.end());
  const McpToolNames reversed("s", tools);
  for (const std::string& tool : tools)
    EXPECT_EQ(names.visible(tool), reversed.visible(tool));
}

TEST(McpToolNames, AToolThatPosesAsTheChangedNameOfAnotherKeepsItsOwnOnly) {
  const std::string mapped = McpToolNames("s", Names{"a.b"}).visible("a.b");
  const std::string posing = mapped.substr(3);  // after `s__`
  const McpToolNames names("s", Names{"a.b", posing});
  EXPECT_EQ(names.visible(posing), mapped);
  EXPECT_NE(names.visible("a.b"), mapped);
  EXPECT_EQ(names.original(names.visible("a.b")), "a.b");
}

TEST(McpToolNames, ALongServerNameLeavesRoomForTheTool) {
  const std::string server(57, 's');
  const McpToolNames names(server, Names{"read_file", "read_dir"});
  EXPECT_LE(names.visible("read_file").size(), kMaxMcpToolName);
  EXPECT_NE(names.visible("read_file"), names.visible("read_dir"));
  EXPECT_NE(names.visible("read_file"),
            McpToolNames(server + "s", Names{"read_file"}).visible("read_file"));
}

}  // namespace
}  // namespace goondan
