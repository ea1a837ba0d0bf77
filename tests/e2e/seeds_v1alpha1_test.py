"""Tools and extensions of the first dialect in real agents: the specification's own examples, and what they find around
them. Bun is there, too, and must not be what runs them."""
import http.server
import json
import os
import pathlib
import sys
import threading
import unittest

from npm_support import PACKAGES, need_packages
from seed_blocks import blocks, code
from swarm_support import SwarmTest, document, swarm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

LOOK = """export const handlers = { 'probe.look': async (ctx) => ({
  bun: process.versions.bun !== undefined, instance: ctx.instance, swarm: ctx.swarm.metadata.name, agent: ctx.agent,
  turn: { ...ctx.turn, toolResults: [...ctx.turn.toolResults] }, step: ctx.step, key: ctx.instance.key,
  catalog: ctx.toolCatalog.map((item) => [item.name, item.tool?.kind ?? null, item.export?.name ?? null]),
  token: await ctx.oauth.getAccessToken({ oauthAppRef: { kind: 'OAuthApp', name: 'none' } }) }) };"""
TODAY = """export const handlers = { look: (ctx) => ({ bun: process.versions.bun !== undefined, keys: Object.keys(ctx) }) };"""
ORDERED = """export function register(api) {
  const name = api.extension.metadata.name;
  api.pipelines.mutate('toolCall.post', (ctx) => { ctx.toolResult = { ...ctx.toolResult, output: `${ctx.toolResult.output} post-${name}` }; });
  api.pipelines.mutate('toolCall.pre', (ctx) => { ctx.toolCall.arguments = { text: `${ctx.toolCall.arguments.text} pre-${name}` }; });
  api.pipelines.wrap('toolCall.exec', async (ctx, next) => {
    const changed = { ...ctx, toolCall: { ...ctx.toolCall, arguments: { text: `${ctx.toolCall.arguments.text} in-${name}` } } };
    const result = await next(changed);
    return { ...result, output: `${result.output} out-${name}:${ctx.toolResult.status}` };
  });
  api.pipelines.mutate('step.blocks', (ctx) => { ctx.blocks.push({ type: 'note', text: `block of ${name}` }); });
}"""


def old(kind, name, spec):
    return json.dumps({"apiVersion": "agents.example.io/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec})


def old_tool(name, entry, *exports):
    return old("Tool", name, {"runtime": "node", "entry": entry, "exports": [
        {"name": one, "parameters": {"type": "object"}} for one in exports]})


class Weather(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "18")
        self.end_headers()
        self.wfile.write(b'{"temperature":21}')

    def log_message(self, *_):
        pass


class FirstDialect(SwarmTest):
    def environment(self, **extra):
        path = f"{PACKAGES / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {**super().environment(**extra), "PATH": path}

    def start(self, documents, files, *calls, tools=(), extensions=()):
        """An agent whose model makes these calls one after the other."""
        answers = [call_answer((f"c{i}", tool.replace(".", "_"), json.dumps(args))) for i, (tool, args) in enumerate(calls)]
        self.model = FakeModel(*answers, text_answer("done"))
        self.addCleanup(self.model.close)
        self.bundle_of(
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": self.model.endpoint, "apiKey": {"value": "k"}}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "prompt": {"system": "Be brief."},
                                    "tools": [{"ref": f"Tool/{name}"} for name in tools],
                                    "extensions": [{"ref": f"Extension/{name}"} for name in extensions]}),
            documents, swarm("a", ["a"]), files=files)
        return self.orchestrator()

    def results(self, events):
        """By tool; what went wrong fails the test."""
        self.assertEqual([e for e in events if e["type"] in ("turn.failed", "step.failed")], [])
        return {e["toolName"]: e for e in events if e["type"] == "tool.completed"}

    # REQ: RES-10, RES-12, NAME-3, BLT-6
    def test_the_tools_with_gdn_call(self):
        documents = [old_tool("calc", "./calc.ts", "calc.add", "calc.multiply"), *blocks("11.1", "yaml")]
        self.assertIn("./tools/file/index.js", documents[1])
        documents[1] = documents[1].replace("index.js", "index.ts")  # the code beside it is TypeScript
        self.bundle_of(documents, files={"calc.ts": code("4.2"), "tools/file/index.ts": code("11.1")})
        path = str(self.folder / "a.txt")
        cases = [("calc.add", {"a": 6, "b": 7}, {"result": 13, "expression": "6 + 7 = 13"}),
                 ("file.write", {"path": path, "content": "안녕"}, {"path": path, "size": 6, "written": True}),
                 ("file.read", {"path": path}, {"path": path, "size": 6, "truncated": False, "content": "안녕"})]
        for tool, args, output in cases:
            done = self.gdn("call", tool, "--input", json.dumps(args), "--bundle", str(self.bundle), "--json")
            self.assertEqual(done.json["output"], output)

    # REQ: CTX-2, CTX-3, CAT-5
    def test_a_handler_finds_the_turn_around_it(self):
        documents = [old_tool("probe", "./probe.mjs", "probe.look"),
                     document("Tool", "today", {"entry": "./today.mjs", "exports": [{"name": "look", "parameters": {"type": "object"}}]})]
        started = self.start(documents, {"probe.mjs": LOOK, "today.mjs": TODAY}, ("today__look", {}), ("probe.look", {}),
                             tools=["probe", "today"])
        origin, auth = {"channel": "C1"}, {"subjects": {"global": "team:T1"}}
        events, _ = started.turn("go", key="k7", origin=origin, auth=auth)
        self.results(events)
        today, seen = (json.loads(message["content"]) for message in self.model.requests[-1]["messages"] if message["role"] == "tool")
        self.assertEqual((today["bun"], {"oauth", "swarmBundle", "turn"} & set(today["keys"])), (True, set()))
        self.assertEqual((seen["bun"], seen["key"], seen["swarm"], seen["agent"]["metadata"]), (False, "k7", "default", {"name": "a"}))
        turn, step = seen["turn"], seen["step"]
        self.assertEqual((turn["origin"], turn["auth"], turn["agentName"]), (origin, auth, "a"))
        self.assertEqual(turn["instanceId"], seen["instance"]["id"])
        self.assertEqual([message["role"] for message in turn["messages"]], ["user", "assistant", "tool", "assistant"])
        self.assertEqual(turn["messages"][0]["content"], "go")
        self.assertEqual([(call, result["status"]) for call, result in turn["toolResults"]], [("c0", "ok")])
        self.assertEqual((step["index"], step["turnId"]), (2, turn["id"]))
        self.assertEqual(step["pendingToolCalls"], [{"id": "c1", "name": "probe.look", "arguments": {}}])
        self.assertEqual(step["llmResult"]["message"]["toolCalls"], step["pendingToolCalls"])
        self.assertIn(["probe.look", "Tool", "probe.look"], seen["catalog"])
        self.assertIn(["today__look", None, None], seen["catalog"])
        self.assertEqual((seen["token"]["status"], bool(seen["token"]["error"]["code"])), ("error", True))

    # REQ: MW-3
    def test_pipelines_of_two_extensions(self):
        documents = [old("Extension", name, {"runtime": "node", "entry": "./ordered.mjs"}) for name in ("one", "two")]
        documents.append(old_tool("echo", "./echo.mjs", "echo.say", "echo.die"))
        echo = "export const handlers = { 'echo.say': (ctx, input) => `(${input.text})`, 'echo.die': () => process.exit(3) };"
        say = ("echo.say", {"text": "hi"})
        started = self.start(documents, {"ordered.mjs": ORDERED, "echo.mjs": echo}, say, ("echo.die", {}), say,
                             tools=["echo"], extensions=["one", "two"])
        done = [e for e in started.turn("go")[0] if e["type"] == "tool.completed"]
        wanted = "(hi pre-one pre-two in-one in-two) out-two:ok out-one:ok post-one post-two"
        self.assertEqual([one.get("output", one.get("error", {}).get("code")) for one in done], [wanted, "E_EXT_CRASH", wanted])
        system = self.model.requests[0]["messages"][0]["content"]
        self.assertIn("Be brief.", system)
        self.assertLess(system.index("block of one"), system.index("block of two"))

    # REQ: CTX-3, MW-5
    def test_a_handler_speaks_to_extensions_of_today(self):
        documents = [old_tool("build", "./build.mjs", "build.end"), document("Extension", "today", {"entry": "./today.mjs"})]
        build = "export const handlers = { 'build.end': (ctx) => { ctx.events.emit('built', { id: 5 }); } };"
        today = "export function register(api) { api.events.on('built', ({ id }) => api.logger.info('heard', id)); }"
        started = self.start(documents, {"build.mjs": build, "today.mjs": today}, ("build.end", {}), tools=["build"],
                             extensions=["today"])
        started.submit("go")
        started.owner.observe_until(lambda event: event["type"] == "extension.log" and event["text"] == "heard 5")

    # REQ: MW-3, MW-4, CAT-3, CAT-4
    def test_the_extensions_of_the_specification(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        weather = code("9.2").replace("https://api.weather.example", f"http://127.0.0.1:{server.server_port}")
        files = {"logger.ts": code("5.4"), "weather.ts": weather, "expose.ts": code("9.3"), "debug.ts": code("12.2"), "calc.ts": code("4.2")}
        names = ["logger", "weather", "expose", "debug"]
        documents = [old("Extension", name, {"runtime": "node", "entry": f"./{name}.ts"}) for name in names]
        documents.append(old_tool("calc", "./calc.ts", "calc.add", "calc.multiply"))
        started = self.start(documents, files, ("calc.add", {"a": "6"}), ("weather.get", {"city": "Seoul"}),
                             tools=["calc"], extensions=names)
        events, end = started.turn("go")
        results = self.results(events)
        self.assertEqual(results["calc.add"]["error"]["message"], "a와 b는 숫자여야 합니다.")
        self.assertEqual(results["weather.get"]["output"], {"temperature": 21})
        self.assertEqual(end["response"].strip(), "done")
        shown = [tool["function"]["name"] for tool in self.model.requests[0]["tools"]]
        self.assertEqual(sorted(shown), ["calc_add", "calc_multiply", "weather_get"])
        logs = [e["text"] for e in events if e["type"] == "extension.log"]
        for wanted in ("Tool 호출: calc.add { a: '6' }", "[Tool] 호출: {", "[Tool] 완료: {", "Tool 완료: weather.get ("):
            self.assertTrue(any(text.startswith(wanted) for text in logs), (wanted, logs))


if __name__ == "__main__":
    need_packages()
    unittest.main(argv=["seeds_v1alpha1_test"])
