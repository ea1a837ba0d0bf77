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
  EXPECT_EQ(builtin_tools().size(), kBuiltinTools.size());
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

// What may run again if a crash left it unknown whether it ran.
TEST(BuiltinTools, SayWhichOfThemMaySafelyRunTwice) {
  ToolRegistry registry;
  ASSERT_TRUE(add_builtin_tools(registry).ok());
  std::vector<std::string> names;
  for (const auto& entry : ToolCatalog(registry).entries()) {
    if (entry->item().idempotent) names.push_back(entry->name());
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "agents__catalog",       "agents__list",          "file-system__list",
                       "file-system__read",     "handles__list",         "handles__read",
                       "handles__wait",         "http-fetch__get",       "json-query__count",
                       "json-query__flatten",   "json-query__pick",      "json-query__query",
                       "slack__downloadFile",   "slack__read",           "telegram__downloadFile",
                       "text-transform__case",  "text-transform__join",  "text-transform__replace",
                       "text-transform__slice", "text-transform__split", "text-transform__trim"}));
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
