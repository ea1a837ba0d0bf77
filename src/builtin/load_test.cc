#include "builtin/load.h"

#include <goondan/goondan.h>

#include "builtin/all.h"
#include "resource/builtin_names.h"

namespace goondan {
namespace {

// REQ: BLT-1
TEST(BuiltinTools, HaveAHandlerForEveryExportOfTheirYaml) {
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry).ok());
  std::size_t exports = 0;
  for (const ToolResource& tool : builtin_tools())
    exports += tool.exports.size();
  EXPECT_EQ(registry.size(), exports);
}

TEST(BuiltinTools, HaveTheNameTheirDefinitionSays) {
  const std::vector<builtin::Definition> definitions = builtin::all_definitions();
  ASSERT_EQ(definitions.size(), builtin_tools().size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    EXPECT_EQ(definitions[i].name, builtin_tools()[i].meta.name);
    EXPECT_EQ(definitions[i].exports.size(), builtin_tools()[i].exports.size());
  }
}

TEST(BuiltinTools, AreAllKnownToTheReaderOfBundles) {
  for (const ToolResource& tool : builtin_tools())
    EXPECT_TRUE(is_builtin_tool(tool.meta.name)) << tool.meta.name;
}

TEST(BuiltinTools, CanBeAddedOneAtATime) {
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry, {.only = {"bash"}}).ok());
  EXPECT_NE(registry.find("bash__exec"), nullptr);
  EXPECT_EQ(registry.find("slack__send"), nullptr);
}

// REQ: BLT-2
TEST(BuiltinTools, CutErrorMessagesWhereTheSpecificationSays) {
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry).ok());
  EXPECT_EQ(registry.find("bash__exec")->error_message_limit, 1200u);
  EXPECT_EQ(registry.find("file-system__read")->error_message_limit, 2000u);
}

TEST(BuiltinTools, MaskSecretsThoughNobodyGaveThemARedactor) {  // REQ: BLT-5
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry, {.only = {"text-transform"}}).ok());
  const ToolCallResult result = ToolExecutor(registry).run(
      ToolCatalog(registry), {.id = "1",
                              .name = "text-transform__trim",
                              .input = {{"text", "xoxb-123456789012-abcdefABCDEF1234567890"}}});
  EXPECT_EQ(result.output->at("result"), Json("[redacted]"));
}

TEST(BuiltinTools, RefuseAHostTheyCannotRead) {
  ToolRegistry registry;
  EXPECT_FALSE(add_builtin_tools(registry, {.policy = {.http_allow = {"a b"}}}).ok());
}

}  // namespace
}  // namespace goondan
