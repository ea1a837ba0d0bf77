// Calls of tools in JavaScript.
#include <fcntl.h>
#include <sys/stat.h>

#include "host/script/script_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

using test::soon;

class ScriptTools : public test::ScriptTest {};

// REQ: CTX-4
TEST_P(ScriptTools, MayAnswerAtOnceOrLater) {
  write_tool(
      "export const handlers = {\n"
      "  now: (ctx, input) => ({ got: input.n }),\n"
      "  later: async (ctx, input) => { await new Promise((r) => setTimeout(r, 1)); return "
      "[input.n]; },\n"
      "  nothing: () => {},\n};\n",
      {"now", "later", "nothing"});
  ASSERT_TRUE(load().ok());
  EXPECT_EQ(to_text(call("t__now", {{"n", 1}}).output.value()), R"({"got":1})");
  EXPECT_EQ(to_text(call("t__later", {{"n", 2}}).output.value()), "[2]");
  EXPECT_EQ(call("t__nothing").output.value(), nullptr);
}

// REQ: CTX-1
TEST_P(ScriptTools, GetTheWholeContext) {
  write_tool(
      "export const handlers = { look: (ctx) => ({ agentName: ctx.agentName, instanceKey: "
      "ctx.instanceKey,\n"
      "  turnId: ctx.turnId, traceId: ctx.traceId, toolCallId: ctx.toolCallId, message: "
      "ctx.message,\n"
      "  workdir: ctx.workdir, logger: typeof ctx.logger.info, runtime: typeof ctx.runtime }) };\n",
      {"look"});
  ASSERT_TRUE(load().ok());
  const auto scope =
      std::make_shared<const CallScope>(CallScope{.agent_name = "a",
                                                  .instance_key = "i",
                                                  .turn_id = "turn",
                                                  .trace_id = "trace",
                                                  .workdir = "/w",
                                                  .message = JsonObject{{"role", "assistant"}}});
  EXPECT_EQ(
      to_text(call("t__look", {}, {.scope = scope}).output.value()),
      R"({"agentName":"a","instanceKey":"i","turnId":"turn","traceId":"trace","toolCallId":"c1",)"
      R"("message":{"role":"assistant"},"workdir":"/w","logger":"function","runtime":"object"})");
}

TEST_P(ScriptTools, AskTheRuntimeThroughTheirContext) {
  write_tool(
      "export const handlers = { ask: async (ctx) => {\n"
      "  const asked = [1, 2, 3].map((n) => ctx.runtime.request('b', { input: `${n}` }));\n"
      "  return (await Promise.allSettled(asked)).map((one) => one.reason.code); } };\n",
      {"ask"});
  ASSERT_TRUE(load().ok());
  const auto scope = std::make_shared<const CallScope>(CallScope{.agent_name = "a"});
  const std::string refused = R"("E_RUNTIME_UNAVAILABLE")";  // no agents run here
  EXPECT_EQ(to_text(call("t__ask", {}, {.scope = scope}).output.value()),
            "[" + refused + "," + refused + "," + refused + "]");
}

// REQ: CALL-3
TEST_P(ScriptTools, GiveTheirErrorsToTheModel) {
  write_tool(
      "export const handlers = { fails: () => { const e = new RangeError('too far'); e.code = "
      "'E_FAR';\n"
      "  e.suggestion = 'Come nearer.'; throw e; } };\n",
      {"fails"}, "tool.mjs", "  errorMessageLimit: 5\n");
  ASSERT_TRUE(load().ok());
  const Error error = call("t__fails").error.value();
  EXPECT_EQ(error.name(), "RangeError");
  EXPECT_EQ(error.code_text(), "E_FAR");
  EXPECT_EQ(error.message.size(), 5U);
}

// REQ: RES-10
// REQ: RES-10
// REQ: CALL-10
TEST_P(ScriptTools, AreToldToStop) {
  const fs::path fifo = folder_.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const os::UniqueFd reader(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  write_tool(
      "import fs from 'node:fs';\nexport const handlers = { wait: (ctx, input) => new Promise(() "
      "=> {\n"
      "  ctx.signal.addEventListener('abort', () => fs.writeFileSync(input.fifo, 'x')); }) };\n",
      {"wait"});
  ASSERT_TRUE(load("t").ok());
  const ToolCallResult result =
      call("t__wait", {{"fifo", fifo.string()}}, {.timeout = std::chrono::milliseconds(50)});
  EXPECT_EQ(result.error->code, ErrorCode::ToolTimeout);
  EXPECT_EQ(os::wait_readable(reader.get(), soon()), os::Wake::Ready);
}

TEST_P(ScriptTools, ComeBackAfterTheyEndedTheirProcess) {
  write_tool("export const handlers = { leave: () => process.exit(3), pid: () => process.pid };\n",
             {"leave", "pid"});
  ASSERT_TRUE(load().ok());
  const Json before = call("t__pid").output.value();
  const Error error = call("t__leave").error.value();
  EXPECT_EQ(error.code, ErrorCode::ExtensionCrash);
  EXPECT_TRUE(error.message.contains("ended with exit code 3")) << error.message;
  EXPECT_NE(call("t__pid").output.value(), before);
}

TEST_P(ScriptTools, CanPrintWithoutHarm) {
  write_tool(
      "import fs from 'node:fs';\nexport const handlers = { print: () => { console.log('x');\n"
      "  process.stdout.write('y\\n'); fs.writeSync(1, 'z\\n'); fs.writeSync(2, 'z\\n'); return "
      "'fine'; } };\n",
      {"print"});
  ASSERT_TRUE(load().ok());
  EXPECT_EQ(call("t__print").output.value(), Json("fine"));
}

// REQ: CALL-10
TEST_P(ScriptTools, RunSideBySide) {
  write_tool(
      "let there = 0; let open; const all = new Promise((r) => { open = r; });\n"
      "export const handlers = { meet: async () => { if (++there === 8) open(); await all; return "
      "there; } };\n",
      {"meet"});
  ASSERT_TRUE(load().ok());
  std::vector<ToolCall> calls;
  for (int i = 0; i < 8; ++i)
    calls.push_back({.id = std::to_string(i), .name = "t__meet"});
  for (const ToolCallResult& result :
       ToolExecutor(registry_).run_all(ToolCatalog(registry_), calls))
    EXPECT_TRUE(result.ok());
}

INSTANTIATE_TEST_SUITE_P(Of, ScriptTools, testing::Values("bun", "node"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace goondan
