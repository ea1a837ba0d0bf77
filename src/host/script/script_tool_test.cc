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

constexpr std::string_view kOldTool = R"(
apiVersion: agents.example.io/v1alpha1
kind: Tool
metadata: { name: old }
spec: { runtime: node, entry: ./old.mjs, exports: [ { name: old.look } ] }
---
apiVersion: goondan.ai/v1
kind: Tool
metadata: { name: new }
spec: { entry: ./new.mjs, exports: [ { name: look, parameters: { type: object } } ] }
)";
constexpr std::string_view kLook =
    ": (ctx) => ({ bun: process.versions.bun !== undefined, turn: ctx.turn?.id, first: "
    "ctx.turn?.toolResults.get('c0'), instance: ctx.instance?.id, oauth: typeof ctx.oauth, "
    "workdir: ctx.workdir }) };\n";

// REQ: RES-12, CTX-2, CTX-3, NAME-3
TEST_P(ScriptModules, OfTheFirstDialectRunOnNodeAndHaveItsContext) {
  folder_.write("goondan.yaml", kOldTool);
  folder_.write("old.mjs", "export const handlers = { 'old.look'" + std::string(kLook));
  folder_.write("new.mjs", "export const handlers = { look" + std::string(kLook));
  const Bundle bundle = Bundle::load(folder_.path()).value();
  const Json place = JsonObject{{"instance", JsonObject{{"id", "a@k"}, {"key", "k"}}},
                                {"swarm", nullptr},
                                {"agent", nullptr}};
  ASSERT_TRUE(add_bundle_tools(registry_, bundle, {.place = place}).ok());
  const Json turn = JsonObject{{"id", "t1"}, {"toolResults", JsonObject{{"c0", 7}}}};
  const auto scope = std::make_shared<const CallScope>(
      CallScope{.workdir = "/w", .surroundings = JsonObject{{"turn", turn}}});
  EXPECT_EQ(
      to_text(call("old.look", {}, {.scope = scope}).output.value()),
      R"({"bun":false,"turn":"t1","first":7,"instance":"a@k","oauth":"object","workdir":"/w"})");
  const bool bun = std::string_view(GetParam()) == "bun";
  EXPECT_EQ(to_text(call("new__look", {}, {.scope = scope}).output.value()),
            std::string(R"({"bun":)") + (bun ? "true" : "false") +
                R"(,"oauth":"undefined","workdir":"/w"})");
}

// REQ: CTX-3, OAUTH-1
TEST_P(ScriptModules, OfTheFirstDialectHaveAnAnswerWhereNoAgentRuns) {
  folder_.write("goondan.yaml", kOldTool);
  folder_.write("new.mjs", "export const handlers = { look: () => 1 };");
  folder_.write("old.mjs",
                "export const handlers = { 'old.look': async (ctx) => [ctx.turn.id, "
                "ctx.turn.toolResults.size, ctx.step.index, ctx.instance.key, ctx.agent, "
                "(await ctx.oauth.getAccessToken({ oauthAppRef: { kind: 'OAuthApp', name: 'x' } "
                "})).status, await ctx.swarmBundle.openChangeset({}).catch((e) => e.code)] };");
  ASSERT_TRUE(load().ok());
  EXPECT_EQ(to_text(call("old.look").output.value()),
            R"(["",0,0,"",null,"error","E_RUNTIME_UNAVAILABLE"])");
}

INSTANTIATE_TEST_SUITE_P(Of, ScriptModules, testing::Values("bun", "node"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace goondan
