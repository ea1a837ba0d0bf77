// Loading the modules of tools.
#include "host/script/script_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

class ScriptModules : public test::ScriptTest {};

TEST_P(ScriptModules, MayBeTypeScript) {
  write_tool(
      "type Input = { text: string };\n"
      "export const handlers: Record<string, (ctx: unknown, input: Input) => unknown> = {\n"
      "  upper: async (_ctx: unknown, input: Input) => input.text.toUpperCase(),\n};\n",
      {"upper"}, "tool.ts");
  if (runs_typescript()) {
    ASSERT_TRUE(load("t").ok());
    EXPECT_EQ(call("t__upper", {{"text", "abc"}}).output.value(), Json("ABC"));
    return;
  }
  const Result<void> loaded = load("t");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::HostUnavailable);
  EXPECT_TRUE(loaded.error().message.contains("cannot run TypeScript; install Bun or Node 22.6"));
}

TEST_P(ScriptModules, MustHaveAHandlerForEachExport) {
  write_tool("export const handlers = { speek: () => 1 };\n", {"speak"});
  const Result<void> loaded = load("t");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::PluginHandlerMissing);
  EXPECT_TRUE(loaded.error().message.contains("the nearest is 'speek'")) << loaded.error().message;
  // Loaded with the first call, the same problem is the call's.
  ASSERT_TRUE(load().ok());
  EXPECT_EQ(call("t__speak").error->code, ErrorCode::PluginHandlerMissing);
  EXPECT_EQ(call("t__speak").error->code, ErrorCode::PluginHandlerMissing);
}

TEST_P(ScriptModules, MustDeclareEachHandler) {
  write_tool("export const handlers = { speak: () => 1, more: () => 2 };\n", {"speak"});
  EXPECT_EQ(load("t").error().code, ErrorCode::PluginHandlerUndeclared);
}

TEST_P(ScriptModules, ThatCannotBeLoadedSayWhy) {
  write_tool("export const handlers = {;\n", {"speak"});
  const Result<void> loaded = load("t");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::ExtensionLoad) << loaded.error().message;
  EXPECT_TRUE(loaded.error().message.contains("tool.mjs"));
}

TEST_P(ScriptModules, MustBeInTheBundle) {
  const test::TemporaryFolder elsewhere;
  const fs::path outside =
      elsewhere.write("tool.mjs", "export const handlers = { speak: () => 1 };\n");
  write_tool("", {"speak"});
  ASSERT_TRUE(load().ok());  // checked when it is loaded, too
  fs::remove(folder_.path() / "tool.mjs");
  fs::create_symlink(outside, folder_.path() / "tool.mjs");
  EXPECT_EQ(call("t__speak").error->code, ErrorCode::ConfigEntryOutsideBundle);
}

INSTANTIATE_TEST_SUITE_P(Of, ScriptModules, testing::Values("bun", "node"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace goondan
