"""Extensions of a bundle in JavaScript and TypeScript: real agents, a real script host, the scripted model or a server
that records what the model is shown."""
import json
import os
import pathlib
import signal
import sys
import unittest

import support
from swarm_support import SwarmTest, agent, document, swarm, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

NPM = pathlib.Path(support.GDN).resolve().parent.parent / "npm"


RUNTIMES = {"node": NPM / "bin/node", "bun": NPM / "bin/bun"}


def echo_script(*calls):
    """A scripted model that makes these calls one after the other and tells what came of the last."""
    replies = [{"when": {"role": "user"}, "calls": [{"tool": calls[0][0], "args": calls[0][1]}]}]
    for i, (tool, args) in enumerate(calls[1:], 1):
        replies.append({"when": {"tool": calls[i - 1][0]}, "calls": [{"tool": tool, "args": args}]})
    last = calls[-1][0]
    replies.append({"when": {"tool": last, "status": "ok"}, "text": "ok {{output}}"})
    replies.append({"when": {"tool": last, "status": "error"}, "text": "{{error.code}}: {{error.message}}"})
    return {"replies": replies}


UPPER = """export const handlers = {
  upper: async (ctx, input) => ({ text: String(input.text).toUpperCase() }),
  where: (ctx) => ({ agentName: ctx.agentName, instanceKey: ctx.instanceKey, workdir: ctx.workdir,
                     hasRuntime: ctx.runtime !== undefined, call: ctx.message?.data.content.length }),
};
"""
TOOL = document("Tool", "text", {"entry": "./tool.mjs", "exports": [
    {"name": "upper", "description": "upper case", "parameters": {
        "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
    {"name": "where"}]})


class ExtensionsTest(SwarmTest):
    def extension(self, name, code, config=None):
        self.files[f"{name}.ts"] = code
        spec = {"entry": f"./{name}.ts"}
        if config is not None:
            spec["config"] = config
        self.documents.append(document("Extension", name, spec))
        self.uses.append({"ref": f"Extension/{name}"})

    def environment(self, **extra):
        return super().environment(**{"GOONDAN_SCRIPT_RUNTIME": str(RUNTIMES["node"]), **extra})

    def setUp(self):
        super().setUp()
        self.files, self.documents, self.uses = {"tool.mjs": UPPER}, [TOOL], []

    def start(self, script=None, **spec):
        self.files["a.script.yaml"] = script or echo_script(("text__upper", {"text": "abc"}))
        self.bundle_of(agent("a", ["text"], extensions=self.uses, **spec), self.documents, swarm("a", ["a"]),
                       files=self.files)
        return self.orchestrator()

    def start_with_model(self, *answers, swarm_spec=None, **spec):
        model = FakeModel(*answers)
        self.addCleanup(model.close)
        self.bundle_of(
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint,
                                    "apiKey": {"value": "k"}}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "tools": [{"ref": "Tool/text"}],
                                    "extensions": self.uses, **spec}),
            self.documents, swarm("a", ["a"], **(swarm_spec or {})), files=self.files)
        return model, self.orchestrator()

    @staticmethod
    def shown(request):
        return [tool["function"]["name"] for tool in request.get("tools", [])]

    def test_a_tool_in_javascript_sees_its_agent(self):  # REQ: CTX-1 RES-10
        runtime = self.start(echo_script(("text__where", {})))
        _, end = runtime.turn("go", key="k7")
        said = json.loads(end["response"].removeprefix("ok "))
        self.assertEqual((said["agentName"], said["instanceKey"], said["hasRuntime"]), ("a", "k7", True))
        self.assertTrue(said["workdir"].endswith("/workspace"), said)
        alone = self.gdn("call", "text__where", "--bundle", str(self.bundle), "--json").json["output"]
        self.assertEqual((alone["agentName"], alone["hasRuntime"]), ("", False))

    def test_layers_wrap_a_call_in_the_order_of_the_list(self):  # REQ: MW-1
        for name in ("outer", "inner"):
            self.extension(name, f"""export function register(api) {{
              api.pipeline.register('toolCall', async (ctx) => {{
                ctx.args = {{ text: ctx.args.text + '-{name}' }};
                const result = await ctx.next();
                return {{ ...result, output: {{ text: result.output.text + '|{name}' }} }};
              }});
            }}""")
        _, end = self.start().turn("go")
        self.assertEqual(end["response"], 'ok {"text":"ABC-OUTER-INNER|inner|outer"}')

    def test_each_misuse_has_its_defined_result(self):  # REQ: MW-6
        cases = {
            "throws": ("throw new Error('no way');", "E_MIDDLEWARE: middleware 'bad' failed: no way"),
            "throws_later": ("await ctx.next(); throw new TypeError('after');", "E_MIDDLEWARE: middleware 'bad' failed: after"),
            "forgets": ("return undefined;", "E_MIDDLEWARE_NEXT_MISSING"),
            "twice": ("await ctx.next(); return await ctx.next();", "E_MIDDLEWARE_NEXT_TWICE"),
            "exits": ("process.exit(3);", "E_EXT_CRASH"),
            "exits_after": ("await ctx.next(); process.exit(0);", "E_EXT_CRASH"),
            "kills_itself": ("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});", "E_EXT_CRASH"),
            "never_ends": ("await new Promise(() => {});", "E_TOOL_TIMEOUT"),
            "rubbish": ("return 'fine';", "E_MIDDLEWARE: middleware 'bad' failed: the toolCall middleware returned a string"),
        }
        for name, (code, expected) in cases.items():
            with self.subTest(name):
                self.setUp()
                self.extension("bad", "export function register(api) { api.pipeline.register('toolCall', async (ctx) => {"
                               + code + "}); }")
                # The others must not be overtaken by the time, however slow the machine.
                runtime = self.start(policy={"tools": {"timeoutMs": 1500 if name == "never_ends" else 60_000}})
                _, end = runtime.turn("go")
                self.assertEqual(end["type"], "turn.completed", "the agent goes on")
                self.assertIn(expected, end["response"])
                runtime.stop()

    def test_a_turn_that_is_stopped_in_a_layer_is_taken_up_again(self):  # REQ: HAND-8
        for kind, code in (("turn", "if (first()) await new Promise(() => {});"),
                           ("step", "if (first()) await new Promise(() => {});"),
                           ("step", "const done = await ctx.next(); if (first()) await new Promise(() => {}); return done;")):
            with self.subTest(kind + code):
                self.setUp()
                mark = self.folder / "mark"
                self.extension("slow", "import fs from 'node:fs';\n"
                               f"const first = () => !fs.existsSync('{mark}') && (fs.writeFileSync('{mark}', ''), true);\n"
                               "export function register(api) { api.pipeline.register('" + kind + "', async (ctx) => {"
                               + code + " return ctx.next(); }); }")
                runtime = self.start()
                message = runtime.submit("go")["id"]
                wait_until(mark.exists, "the layer")
                runtime.process.send_signal(signal.SIGTERM)
                runtime.process.wait(timeout=support.DEADLINE)
                seen = []
                while (event := runtime.owner.observations.get(timeout=support.DEADLINE)) is not None:
                    seen.append(event["type"])
                self.assertIn("turn.interrupted", seen)
                self.assertNotIn("message.finished", seen)
                again = self.orchestrator()
                end = again.owner.observe_until(lambda e: e["type"] == "message.finished" and e["id"] == message)[-2:]
                self.assertIn('ok {"text":"ABC"}', json.dumps(end).replace("\\", ""))
                again.stop()

    def test_layers_run_again_where_a_crash_has_met_the_turn(self):  # REQ: HAND-8 CALL-8
        for point in ("before turn", "before step", "before toolCall", "after toolCall", "after step", "after turn"):
            with self.subTest(point):
                self.setUp()
                notes = self.folder / "notes"
                self.extension("dies", f"""import fs from 'node:fs';
                    const die = async (where) => {{
                      const before = fs.existsSync('{notes}') ? fs.readFileSync('{notes}', 'utf8') : '';
                      fs.appendFileSync('{notes}', where + '\\n');
                      if (where !== '{point}' || before.includes(where)) return;
                      fs.writeFileSync('{notes}.now', '');
                      await new Promise(() => {{}});
                    }};
                    export function register(api) {{
                      for (const kind of ['turn', 'step', 'toolCall']) {{
                        api.pipeline.register(kind, async (ctx) => {{
                          await die('before ' + kind);
                          const done = await ctx.next();
                          await die('after ' + kind);
                          return done;
                        }});
                      }}
                    }}""")
                runtime = self.start()
                runtime.submit("go")
                wait_until(pathlib.Path(f"{notes}.now").exists, point)
                os.kill(runtime.agents()[0]["pid"], signal.SIGKILL)
                seen = runtime.owner.observe_until(lambda e: e["type"] == "message.finished")
                end = [e for e in seen if e["type"] == "turn.completed"][-1]
                # A call that was met in its middle is not repeated: nobody knows whether it took effect.
                self.assertIn("E_TOOL_INTERRUPTED" if "toolCall" in point else 'ok {"text":"ABC"}', end["response"])
                ran = notes.read_text().splitlines()
                self.assertEqual((ran.count("before turn"), ran.count("before toolCall")), (2, 1), ran)
                runtime.stop()

    def test_an_extension_listed_twice_is_one(self):
        self.extension("once", """export function register(api, config) {
          api.pipeline.register('turn', async (ctx) => ({ ...await ctx.next(), responseMessage: JSON.stringify(config) }));
          api.pipeline.register('step', (ctx) => { api.logger.info('step'); return ctx.next(); });
        }""", config={"a": 1, "b": 1})
        self.uses.append({**self.uses[0], "config": {"b": 2}})
        events, end = self.start({"replies": [{"text": "hello"}]}).turn("go")
        self.assertEqual(json.loads(end["response"]), {"a": 1, "b": 2})
        self.assertEqual([e["text"] for e in events if e["type"] == "extension.log"], ["step"])

    def test_a_listener_hears_native_extensions_and_answers_them(self):  # REQ: MW-5
        self.files["native.cc"] = """#include <goondan/extension.h>
            goondan::Result<void> setup(goondan::ExtensionApi& api, const goondan::JsonObject&) {
              api.on_event("pong", [&api](const goondan::Json& payload) {
                api.log(goondan::LogLevel::Info, "native heard " + goondan::to_text(payload));
              });
              api.on_turn([&api](goondan::TurnLayer& turn) {
                api.emit("ping", goondan::Json(1));
                return turn.next();
              });
              return {};
            }
            GDN_EXTENSION(setup)
            """
        self.documents.append(document("Extension", "native", {"entry": "./native.cc"}))
        self.uses.append({"ref": "Extension/native"})
        self.extension("ears", """export function register(api) {
          api.events.on('ping', () => { api.logger.warn('ears'); console.log('unsigned'); api.events.emit('pong', 2); });
        }""")
        runtime = self.start()
        runtime.submit("go")
        wanted = {"native heard 2", "ears", "unsigned"}

        def heard(event):
            if event["type"] == "extension.log":
                wanted.discard(event["text"])
            return not wanted

        runtime.owner.observe_until(heard)

    def test_events_in_a_circle_end(self):
        for isolation in ("worker", "inProcess"):
            with self.subTest(isolation):
                self.setUp()
                self.files["round.cc"] = """#include <goondan/extension.h>
                    goondan::Result<void> setup(goondan::ExtensionApi& api, const goondan::JsonObject&) {
                      api.on_event("a", [&api](const goondan::Json& payload) { api.emit("b", payload); });
                      api.on_event("b", [&api](const goondan::Json& payload) { api.emit("a", payload); });
                      api.on_turn([&api](goondan::TurnLayer& turn) {
                        api.emit("a", goondan::Json(1));
                        return turn.next();
                      });
                      return {};
                    }
                    GDN_EXTENSION(setup)
                    """
                self.documents.append(document("Extension", "round", {"entry": "./round.cc", "isolation": isolation}))
                self.uses.append({"ref": "Extension/round"})
                events, end = self.start().turn("go")
                self.assertEqual(end["type"], "turn.completed", end)
                logs = [e["text"] for e in events if e["type"] == "extension.log"]
                self.assertEqual(len(logs), 1, logs)
                self.assertIn("in a circle", logs[0])

    def test_a_script_host_that_ended_is_started_again_with_everything_in_it(self):
        self.extension("flaky", """let calls = 0;
            export function register(api) {
              api.tools.register({ name: 'extra__ping' }, () => 'pong');
              api.pipeline.register('toolCall', async (ctx) => {
                if (ctx.toolName === 'text__where') process.exit(1);
                return ctx.next();
              });
            }""")
        runtime = self.start(echo_script(("text__where", {}), ("extra__ping", {})))
        events, end = runtime.turn("go")
        self.assertEqual(end["response"], "ok pong")
        codes = [e["error"]["code"] for e in events if e["type"] == "tool.completed" and e["status"] == "error"]
        self.assertEqual(codes, ["E_EXT_CRASH"])

    def test_what_the_model_sees_and_may_call_is_exactly_what_a_step_layer_leaves(self):  # REQ: CAT-3 MW-2
        self.extension("shape", """export function register(api) {
          api.pipeline.register('step', async (ctx) => {
            ctx.toolCatalog = ctx.toolCatalog
              .filter((item) => item.name !== 'text__where')
              .map((item) => ({ ...item, name: 'loud__text', description: 'SHOUT' }));
            ctx.toolCatalog.push({ name: 'nobody__home', description: 'no handler' });
            return ctx.next();
          });
        }""")
        model, runtime = self.start_with_model(
            call_answer(("c1", "loud__text", '{"text":"abc"}'), ("c2", "text__upper", '{"text":"abc"}'),
                        ("c3", "text__where", "{}"), ("c4", "nobody__home", "{}")),
            text_answer("done"))
        events, _ = runtime.turn("go")
        self.assertEqual(self.shown(model.requests[0]), ["loud__text", "nobody__home"])
        tool = model.requests[0]["tools"][0]["function"]
        self.assertEqual((tool["description"], tool["parameters"]["required"]), ("SHOUT", ["text"]))
        ends = {e["toolName"]: e for e in events if e["type"] == "tool.completed"}
        self.assertEqual(ends["loud__text"]["status"], "ok")
        self.assertEqual(ends["text__upper"]["error"]["code"], "E_TOOL_NOT_IN_CATALOG")
        self.assertEqual(ends["text__where"]["error"]["code"], "E_TOOL_NOT_IN_CATALOG")
        self.assertEqual(ends["nobody__home"]["error"]["code"], "E_TOOL_NOT_FOUND")

    def test_the_registry_is_open_past_the_catalog_only_by_policy(self):  # REQ: CALL-2
        for policy, status in (({}, "error"), ({"tools": {"allowRegistryBypass": True}}, "ok")):
            with self.subTest(policy):
                self.setUp()
                self.extension("hide", """export function register(api) {
                  api.pipeline.register('step', (ctx) => { ctx.toolCatalog = []; return ctx.next(); });
                }""")
                model, runtime = self.start_with_model(call_answer(("c1", "text__upper", '{"text":"abc"}')),
                                                       text_answer("done"), swarm_spec={"policy": policy})
                events, _ = runtime.turn("go")
                self.assertEqual(self.shown(model.requests[0]), [])
                ends = [e["status"] for e in events if e["type"] == "tool.completed"]
                self.assertEqual(ends, [status])
                runtime.stop()

    def test_a_tool_registered_in_a_step_is_in_the_next_one(self):  # REQ: CAT-4 MW-4
        self.extension("grow", """export function register(api) {
          api.pipeline.register('toolCall', async (ctx) => {
            api.tools.register({ name: 'grown__now', description: 'new', parameters: { type: 'object' } },
                               async (ctx, input) => ({ grown: true, by: ctx.agentName }));
            return ctx.next();
          });
        }""")
        model, runtime = self.start_with_model(call_answer(("c1", "text__upper", '{"text":"abc"}')),
                                               call_answer(("c2", "grown__now", "{}")), text_answer("done"))
        events, _ = runtime.turn("go")
        self.assertEqual(self.shown(model.requests[0]), ["text__upper", "text__where"])
        self.assertEqual(self.shown(model.requests[1]), ["text__upper", "text__where", "grown__now"])
        self.assertIn('"by":"a"', json.dumps(model.requests[2]["messages"][-1]["content"]).replace("\\", ""))
        self.assertEqual([e["status"] for e in events if e["type"] == "tool.completed"], ["ok", "ok"])

    def test_state_survives_the_death_of_the_agent(self):  # REQ: MW-5
        self.extension("count", """export function register(api, config) {
          api.pipeline.register('turn', async (ctx) => {
            const kept = api.state.get() ?? { turns: 0 };
            await api.state.set({ turns: kept.turns + config.by });
            const outcome = await ctx.next();
            return { ...outcome, responseMessage: `turn ${api.state.get().turns}` };
          });
        }""", config={"by": 2})
        runtime = self.start({"replies": [{"text": "hello"}]})
        self.assertEqual(runtime.turn("one")[1]["response"], "turn 2")
        self.assertEqual(runtime.turn("two")[1]["response"], "turn 4")
        os.kill(runtime.agents()[0]["pid"], signal.SIGKILL)
        self.assertEqual(runtime.turn("three")[1]["response"], "turn 6")
        runtime.stop()
        self.assertEqual(self.orchestrator().turn("four")[1]["response"], "turn 8")

    def test_extensions_hear_each_other_and_the_log_hears_them(self):  # REQ: MW-5
        self.extension("ears", """export function register(api) {
          const off = api.events.on('news', (what) => { api.logger.warn('heard %s', what.text); off(); });
        }""")
        self.extension("mouth", """export function register(api) {
          api.pipeline.register('turn', async (ctx) => {
            console.log('not', 'protocol');
            process.stdout.write('{"type":"reply","id":1,"ok":true}\\n');
            api.events.emit('news', { text: 'once' });
            api.events.emit('news', { text: 'never' });
            return ctx.next();
          });
        }""")
        events, end = self.start().turn("go")
        self.assertEqual(end["type"], "turn.completed")
        logs = [(e["extension"], e["level"], e["text"]) for e in events if e["type"] == "extension.log"]
        self.assertIn(("ears", "warn", "heard once"), logs)
        self.assertNotIn("heard never", str(logs))
        self.assertIn("not protocol", str(logs))

    def test_a_failing_register_stops_the_agent_and_says_why(self):
        cases = {"throw": ("export function register() { throw new Error('no key given'); }", "no key given"),
                 "reject": ("export async function register() { await null; throw new Error('later'); }", "later"),
                 "missing": ("export const nothing = 1;", "register"),
                 "syntax": ("export function register( {", "broken.ts"),
                 "taken": ("export function register(api) { api.tools.register({name: 'text__upper'}, () => 1); }",
                           "already registered by Tool/text")}
        for name, (code, words) in cases.items():
            with self.subTest(name):
                self.setUp()
                self.extension("broken", code)
                runtime = self.start()
                runtime.submit("go")
                seen = runtime.owner.observe_until(lambda e: e["type"] in ("turn.failed", "message.finished"))
                self.assertIn(words, json.dumps(seen[-1], ensure_ascii=False))
                self.assertIn("broken", json.dumps(seen[-1]))
                self.assertRegex(json.dumps(seen[-1]), "E_EXT_(INIT|LOAD)|E_AGENT_START|E_TOOL_DUPLICATE")
                runtime.stop()

    def test_a_turn_layer_that_answers_itself_is_not_asked_for_ever(self):
        """What waits to be read stays there: for the turn of the next message, not for turns without end."""
        self.files["job.mjs"] = "export const handlers = { start: () => ({ __async: true, handle: 'job-1' }) };"
        self.documents.append(document("Tool", "job", {"entry": "./job.mjs", "exports": [
            {"name": "start", "parameters": {"type": "object"}}]}))
        self.extension("mute", """export function register(api: any) {
          api.pipeline.register('turn', (ctx: any) => ctx.inputEvent.type === 'goondan.injections'
            ? { finishReason: 'text_response', responseMessage: undefined } : ctx.next());
        }""")
        self.files["a.script.yaml"] = {"replies": [
            {"when": {"role": "user", "contains": "begin"}, "calls": [{"tool": "job__start", "args": {}}]},
            {"text": "heard"}]}
        self.bundle_of(agent("a", ["job"], extensions=self.uses), self.documents, swarm("a", ["a"]), files=self.files)
        runtime = self.orchestrator()
        runtime.turn("begin")
        runtime.owner.ask("handles.complete", handle="job-1", output=1)
        first = runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        later, _ = runtime.turn("hello")
        turns = [event for event in first + later if event["type"] == "turn.started"]
        self.assertEqual([turn["id"].startswith("injections_") for turn in turns], [True, False])

    def test_turn_and_step_layers_change_the_conversation(self):  # REQ: MW-2
        self.extension("memo", """export function register(api) {
          api.pipeline.register('turn', async (ctx) => {
            await ctx.emitMessageEvent({ type: 'append', message: {
              data: { role: 'user', content: 'note: be brief' }, metadata: {} } });
            return ctx.next();
          });
          api.pipeline.register('step', async (ctx) => {
            api.logger.info('%d messages, step %d', ctx.conversationState.nextMessages.length, ctx.stepIndex);
            return ctx.next();
          });
        }""")
        model, runtime = self.start_with_model(text_answer("done"))
        events, _ = runtime.turn("go")
        self.assertEqual([m["content"] for m in model.requests[0]["messages"]], ["go\n\nnote: be brief"])
        logs = [e["text"] for e in events if e["type"] == "extension.log"]
        self.assertIn("2 messages, step 1", logs)

    def test_typescript_runs_on_node_and_on_bun(self):
        code = """import type { ExtensionApi, ToolCallResult } from '@goondan/types';
            interface Config { suffix: string }
            export async function register(api: ExtensionApi, config: Config): Promise<void> {
              api.pipeline.register('toolCall', async (ctx): Promise<ToolCallResult> => {
                const result = await ctx.next();
                return { ...result, output: `${JSON.stringify(result.output)}${config.suffix}` };
              });
            }"""
        for name, program in RUNTIMES.items():
            with self.subTest(name):
                self.assertTrue(program.exists(), f"{program} is missing: run ./dev test, which installs it")
                self.setUp()
                self.files["typed.ts"] = code
                self.documents.append(document("Extension", "typed", {"entry": "./typed.ts", "config": {"suffix": "!"}}))
                self.uses.append({"ref": "Extension/typed"})
                self.bundle_of(agent("a", ["text"], extensions=self.uses), self.documents, swarm("a", ["a"]),
                               files={**self.files, "a.script.yaml": echo_script(("text__upper", {"text": "abc"}))})
                runtime = self.orchestrator(GOONDAN_SCRIPT_RUNTIME=str(program))
                self.assertEqual(runtime.turn("go")[1]["response"], 'ok {"text":"ABC"}!')
                runtime.stop()

    def test_nothing_is_left_when_the_swarm_dies(self):
        self.extension("spawner", """import { spawn } from 'node:child_process';
            export function register(api) {
              const child = spawn('sh', ['-c', 'sleep 987654'], { detached: true, stdio: 'ignore' });
              api.logger.warn('child %d of %d', child.pid, process.pid);
            }""")
        runtime = self.start()
        events, _ = runtime.turn("go")
        text = [e["text"] for e in events if e["type"] == "extension.log"][0].split()
        pids = [int(text[1]), int(text[3])]
        os.killpg(runtime.process.pid, signal.SIGKILL)
        for pid in pids:
            wait_until(lambda: not os.path.exists(f"/proc/{pid}"), f"the end of {pid}")


if __name__ == "__main__":
    unittest.main(argv=["extensions_test"])
