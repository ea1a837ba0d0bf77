"""Cases of the script host: tools, their contexts, results and errors."""
import contextlib
import json
import os
import pathlib
import signal
import socket

from script_host_rig import HOST, Refusal, own_host, silent, wait_until

# What a handler returns, and what the runtime gets.
RESULTS = [
    ("undefined", None),
    ("null", None),
    ("'한글'", "한글"),
    ("0.1", 0.1),
    ("NaN", "NaN"),
    ("-Infinity", "-Infinity"),
    ("10n ** 20n", "100000000000000000000"),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"),
    ("new Date(NaN)", "Invalid Date"),
    ("[undefined, () => 1, NaN]", [None, None, "NaN"]),
    ("{ a: undefined, f() {}, s: Symbol('x'), n: { x: Infinity } }", {"n": {"x": "Infinity"}}),
    ("new Map([['a', 1], [2, new Set([3])]])", {"a": 1, "2": [3]}),
    ("/a+/g", "/a+/g"),
    ("new URL('http://x/')", "http://x/"),
    ("new (class P { x = 1; #y = 2; get z() { return 3; } })()", {"x": 1}),
    ("Object.assign(Object.create(null), { a: 1 })", {"a": 1}),
    ("JSON.parse('{\"__proto__\": {\"a\": 1}, \"b\": 1}')", {"__proto__": {"a": 1}, "b": 1}),
    ("{ b: NaN, ...JSON.parse('{\"__proto__\": 1}') }", {"b": "NaN", "__proto__": 1}),
    ("new Number(NaN)", "NaN"),
    ("{ toJSON() { return { x: NaN }; } }", {"x": "NaN"}),
    ("new TypeError('bad')", {"name": "TypeError", "message": "bad"}),
    ("'a\\ud800b'", "a\ufffdb"),
    ("'\\\\ud800 \\u{1F600}'", "\\ud800 \U0001F600"),
    ("{ __async: true, handle: 'h' }", {"__async": True, "handle": "h"}),
    ("Promise.resolve(Promise.resolve(1))", 1),
    ("(() => { const one = { x: 1 }; return [one, one]; })()", [{"x": 1}, {"x": 1}]),
]

# What cannot be a result, and what is said about it.
NO_RESULTS = [
    ("() => 1", "the result is a function"),
    ("Symbol('x')", "the result is a symbol"),
    ("(() => { const a = { b: {} }; a.b.c = a; return a; })()", "the result contains itself"),
    ("{ data: new Uint8Array(3) }", "the result holds bytes at .data"),
    ("Buffer.from('x')", "the result holds bytes"),
    ("{ list: [1, Promise.resolve(1)] }", "the result is a promise at .list[1]"),
    ("Array(100).fill(0).reduce((inner) => [inner], 1)", "the result is nested deeper than 64 levels"),
    ("'x'.repeat(1 << 28)", "the result is larger than 64 MiB"),
    ("Array(100).fill(Array(100).fill('x'.repeat(10000)))", "the result is larger than 64 MiB"),
    ("new Array(2 ** 32 - 1)", "the result is larger than 64 MiB"),
]

# What is thrown, and the error it becomes.
THROWN = [
    ("new Error('no')", {"message": "no", "name": "Error"}),
    ("new RangeError('far')", {"message": "far", "name": "RangeError"}),
    ("Object.assign(new Error('no'), { code: 'E_X', suggestion: 's', helpUrl: 'http://h', other: 1 })",
     {"message": "no", "name": "Error", "code": "E_X", "suggestion": "s", "helpUrl": "http://h"}),
    ("Object.assign(new Error('no'), { code: 20 })", {"message": "no", "name": "Error"}),
    ("new Error()", {"message": "Unknown tool execution error", "name": "Error"}),
    ("'text'", {"message": "Unknown tool execution error"}),
    ("undefined", {"message": "Unknown tool execution error"}),
    ("{ message: 'like one', code: 'E_Y' }", {"message": "like one", "code": "E_Y"}),
    ("new Proxy({}, { get() { throw 1; } })", {"message": "Unknown tool execution error"}),
]

RUNTIME_CALLS = [
    ("request('b', { input: 'hi' })", "agents.request",
     {"target": "b", "input": "hi", "eventType": "agent.request", "timeoutMs": 60000, "async": False}),
    ("request('b', { type: 't', input: 'hi', instanceKey: 'i', metadata: { a: 1 } }, { timeoutMs: 5, async: true })",
     "agents.request", {"target": "b", "input": "hi", "instanceKey": "i", "eventType": "t", "metadata": {"a": 1},
                        "timeoutMs": 5, "async": True}),
    ("send('b', { input: 'hi' })", "agents.send", {"target": "b", "input": "hi", "eventType": "agent.send"}),
    ("spawn('b')", "agents.spawn", {"target": "b"}),
    ("spawn('b', { instanceKey: 'i', cwd: 'c' })", "agents.spawn", {"target": "b", "instanceKey": "i", "cwd": "c"}),
    ("list()", "agents.list", {"includeAll": False}),
    ("list({ includeAll: true })", "agents.list", {"includeAll": True}),
    ("catalog()", "agents.catalog", {}),
]

def descriptors_of(process):
    names = []
    for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # one that was closed meanwhile
            names.append(os.readlink(descriptor))
    return names


PING = "ping: () => 'pong', "


class ToolCases:
    def test_it_says_hello_first(self):
        self.assertEqual((self.hello["type"], self.hello["version"]), ("hello", 1))
        self.assertRegex(self.hello["runtime"], r"^(node|bun) \d+\.\d+")

    # REQ: RES-10
    def test_loading_names_the_handlers(self):
        self.assertEqual(self.tool("one: () => 1, two() {}, three: 3"), {"handlers": ["one", "two"]})
        default = self.write("default.mjs", "export default { handlers: { a: () => 1 } };")
        self.assertEqual(self.load(default), {"ok": {"handlers": ["a"]}})
        common = self.write("common.cjs", "module.exports = { handlers: { b: () => 1 } };")
        self.assertEqual(self.load(common), {"ok": {"handlers": ["b"]}})

    def test_a_module_that_cannot_be_loaded_is_named_with_the_reason(self):
        self.write("late.mjs", "\n\nundefined.x;\n")
        for text, reason in [("export const x = 1;", "does not export 'handlers'"), ("throw new Error('at once');", "at once"),
                             ("\nthis is no JavaScript", "(line 2"), ("import 'not-there';", "not-there"),
                             ("import './gone.mjs';", "gone.mjs"), ("import './late.mjs';", "/late.mjs:3")]:
            with self.subTest(text):
                path = self.write(f"bad{abs(hash(text))}.mjs", text)
                error = self.load(path)["error"]
                self.assertEqual(error["code"], "E_EXT_LOAD")
                self.assertIn(str(path), error["message"])
                self.assertIn(reason, error["message"])
        self.assertIn("gone.mjs", self.load(self.folder / "gone.mjs")["error"]["message"])

    def test_results_become_json(self):
        self.tool(", ".join(f"r{i}: () => ({text})" for i, (text, _) in enumerate(RESULTS)))
        for i, (text, expected) in enumerate(RESULTS):
            with self.subTest(text):
                self.assertEqual(self.run_tool(f"r{i}"), {"ok": expected})

    def test_what_is_no_json_is_refused_with_its_place(self):
        self.tool(", ".join(f"r{i}: () => ({text})" for i, (text, _) in enumerate(NO_RESULTS)))
        for i, (text, message) in enumerate(NO_RESULTS):
            with self.subTest(text):
                error = self.run_tool(f"r{i}")["error"]
                self.assertEqual((error["code"], error["message"].startswith(message)), ("E_TOOL_BAD_REPLY", True), error)
                self.assertTrue(error["suggestion"])

    # REQ: CALL-3
    def test_what_is_thrown_becomes_an_error(self):
        self.tool(", ".join(f"t{i}: async () => {{ throw {text}; }}" for i, (text, _) in enumerate(THROWN)))
        for i, (text, expected) in enumerate(THROWN):
            with self.subTest(text):
                self.assertEqual(self.run_tool(f"t{i}"), {"error": expected})
        logged = self.host.logged()
        self.assertIn(("warn", "thrown, but no Error: text"), [line[:2] for line in logged])
        [(_, far, _)] = [line for line in logged if line[1].startswith("RangeError: far")]  # where it was, too
        self.assertIn(self.module, far)
        self.assertNotIn(str(HOST.parent), far)

    def test_names_of_every_object_are_no_handlers(self):
        self.tool("a: () => 1")
        for name in ("constructor", "toString", "__proto__", "b"):
            self.assertEqual(self.run_tool(name)["error"]["code"], "E_TOOL_NOT_FOUND")

    def test_the_context_is_complete(self):
        self.tool("""all: (ctx, input) => ({ ...ctx, input, created: ctx.message.createdAt.getTime(), logger: typeof ctx.logger.info,
            signal: ctx.signal.aborted, copied: typeof ({ ...ctx }).logger.warn, runtime: Object.keys(ctx.runtime ?? {}) })""")
        message = {"id": "m", "data": {"role": "assistant", "content": "x"}, "metadata": {}, "source": {"type": "user"},
                   "createdAt": "2026-01-02T03:04:05.678Z"}
        got = self.run_tool("all", {"a": 1}, agentName="a", message=message, timeoutMs=5)["ok"]
        self.assertEqual(got, {"agentName": "a", "instanceKey": "k", "turnId": "turn", "traceId": "trace",
                               "toolCallId": "call", "workdir": str(self.folder), "message": message, "timeoutMs": 5,
                               "input": {"a": 1}, "created": 1767323045678, "logger": "function", "copied": "function",
                               "signal": False, "runtime": ["request", "send", "spawn", "list", "catalog"]})

    def test_without_an_agent_there_is_no_runtime(self):
        self.tool("has: (ctx) => 'runtime' in ctx")
        self.assertEqual(self.run_tool("has"), {"ok": False})

    def test_the_logger_is_a_console(self):
        self.tool("""all: ({ logger }) => { const { info } = logger;
            info('a %s %d', 'b', 1); logger.log({ x: [1] }); logger.debug('d'); logger.warn('w'); logger.error(new Error('e').message);
            logger.group('g'); logger.log('in\\nner'); logger.groupEnd(); logger.assert(false, 'x'); logger.count(); logger.count();
            logger.dir([1]); logger.time('t'); logger.timeEnd('t'); logger.trace('t'); logger.table([1]); logger.clear();
            logger.log(new Proxy({}, { getPrototypeOf() { throw new Error('p'); } })); }""")
        self.assertEqual(self.run_tool("all"), {"ok": None})
        lines = [(level, text) for level, text, _ in self.host.logged()]
        self.assertEqual(lines[:5], [("info", "a b 1"), ("info", "{ x: [ 1 ] }" if "node" in self.hello["runtime"]
                                                         else lines[1][1]), ("debug", "d"), ("warn", "w"), ("error", "e")])
        for line in [("info", "g"), ("info", "  in\n  ner"), ("error", "Assertion failed: x"), ("info", "default: 2")]:
            self.assertIn(line, lines)
        self.assertTrue(all(call == 2 for _, _, call in self.host.logged()))

    def test_stray_output_does_not_touch_the_protocol(self):
        self.tool(PING + """stray: async () => { console.log('now'); await null; console.error('later');
            process.stdout.write('raw\\n'); setTimeout(() => console.log('late'), 20); return 1; }""")
        self.assertEqual(self.run_tool("stray"), {"ok": 1})
        self.host.until(lambda message: message.get("params", {}).get("text") == "late")
        self.assertEqual(self.host.logged(), [("info", "now", 2), ("error", "later", 2), ("info", "late", None)])
        self.still_works()
        wait_until(lambda: "raw\n" in self.host.printed())

    def test_calls_run_side_by_side(self):
        self.tool("""wait: (_, { text }) => new Promise((resolve) => { globalThis.waiting ??= {}; waiting[text] = resolve; }),
            wake: (_, { text }) => { console.log(text); waiting[text](text); return text; }""")
        first = self.host.start("tool", self.params("wait", {"text": "a"}))
        second = self.host.start("tool", self.params("wait", {"text": "b"}))
        for call, text in ((second, "b"), (first, "a")):
            self.host.start("tool", self.params("wake", {"text": text}))
            self.assertEqual(self.host.finish(call), {"ok": text})

    def test_a_cancelled_call_sees_its_signal_and_is_not_answered(self):
        self.tool(PING + """forever: (ctx) => new Promise((resolve) => { console.log('waits');
            ctx.signal.addEventListener('abort', () => { console.log('aborted', ctx.signal.reason.code); resolve(1); }); }),
            asks: async (ctx) => { try { await ctx.runtime.catalog(); } catch (error) { console.log('asked', error.code); } },
            late: async (ctx) => { await new Promise((r) => setTimeout(r, 5)); console.log('late', ctx.signal.aborted); }""")
        for export, line in (("forever", "aborted E_TOOL_CANCELLED"), ("asks", "asked E_TOOL_CANCELLED"), ("late", "late true")):
            call = self.host.start("tool", self.params(export, agentName="a"))
            if export != "late":
                self.host.until(lambda message: message["type"] in ("notify", "request"))
            self.host.send({"type": "cancel", "id": call})
            self.host.until(lambda message: message.get("params", {}).get("text") == line)
        self.host.send({"type": "cancel", "id": 12345})
        self.still_works()
        self.assertEqual([message for message in self.host.seen if message["type"] == "reply"], [])

    def test_other_agents_are_asked_through_the_runtime(self):
        self.tool(", ".join(f"c{i}: (ctx) => ctx.runtime.{text}" for i, (text, _, _) in enumerate(RUNTIME_CALLS)))
        for i, (text, method, params) in enumerate(RUNTIME_CALLS):
            with self.subTest(text):
                got = self.run_tool(f"c{i}", answers={"runtime": {"eventId": "e"}}, agentName="a")
                self.assertEqual(got["ok"]["eventId"], "e")
                self.assertEqual(self.host.of("runtime")[-1]["params"], {"method": method, "params": params})

    def test_a_refusal_of_the_runtime_is_an_error_with_its_fields(self):
        self.tool("ask: (ctx) => ctx.runtime.catalog()")
        error = {"message": "none", "name": "N", "code": "E_AGENT_NOT_FOUND", "suggestion": "s"}

        def refuse(_):
            raise Refusal(**error)
        self.assertEqual(self.run_tool("ask", answers={"runtime": refuse}, agentName="a"), {"error": error})

    def test_after_its_end_a_call_cannot_ask(self):
        self.tool(PING + """leaves: (ctx) => { setTimeout(() => ctx.runtime.catalog().catch((error) => console.log(error.message)), 5);
            ctx.progress(1, 2, 'half'); setTimeout(() => ctx.progress(2, 2), 1); }""")
        self.assertEqual(self.run_tool("leaves", agentName="a"), {"ok": None})
        line = self.host.until(lambda message: message.get("method") == "log")
        self.assertIn("is over", line["params"]["text"])
        self.assertEqual([note["params"] for note in self.host.of("progress")], [{"done": 1, "total": 2, "text": "half"}])

    def test_messages_of_any_size_in_any_pieces(self):
        self.tool("echo: (_, input) => input, length: (_, { text }) => text.length, many: (_, { count }) => 'é'.repeat(count)")
        call = {"type": "call", "id": 900, "method": "tool", "params": self.params("echo", {"text": "가나다"})}
        for byte in self.host.frame(call):
            self.host.socket.send(bytes([byte]))
        self.assertEqual(self.host.finish(900), {"ok": {"text": "가나다"}})
        frames = b"".join(self.host.frame(call | {"id": 1000 + i}) for i in range(500))
        self.host.socket.sendall(frames)
        for i in range(500):
            self.assertEqual(self.host.finish(1000 + i), {"ok": {"text": "가나다"}})
        self.assertEqual(self.run_tool("length", {"text": "x" * 20_000_000}), {"ok": 20_000_000})
        self.assertEqual(len(self.run_tool("many", {"count": 10_000_000})["ok"]), 10_000_000)
        error = self.run_tool("many", {"count": 40_000_000})["error"]
        self.assertEqual(error["code"], "E_TOOL_BAD_REPLY")
        self.assertIn("64 MiB", error["message"])

    @own_host
    def test_a_flood_of_lines_that_nobody_reads_is_cut_and_told(self):
        self.tool(PING + """flood: async () => { for (let i = 0; i < 2000; ++i) { console.log('x'.repeat(60000));
            if (i % 100 == 0) await new Promise((resolve) => setTimeout(resolve, 1)); } return process.memoryUsage().rss; }""")
        self.host.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        call = self.host.start("tool", self.params("flood"))
        wait_until(lambda: not silent(self.host.socket, 0))
        rss = self.host.finish(call)["ok"]
        self.assertLess(rss, 800 << 20)
        self.still_works()

    @own_host
    def test_failures_outside_of_calls_are_logged_and_survived(self):
        self.tool(PING + """reject: () => { Promise.reject(new Error('nobody waits')); },
            throws: () => { setTimeout(() => { throw new Error('in a timer'); }, 1); },
            spoils: () => { console.error = () => { throw new Error('no console'); }; Promise.reject(new Error('unheard')); }""")
        for export, line in (("reject", "nobody waits"), ("throws", "in a timer"), ("spoils", "unheard")):
            self.host.start("tool", self.params(export))
            found = self.host.until(lambda message: line in message.get("params", {}).get("text", ""))
            self.assertEqual(found["params"]["level"], "error")
            self.still_works()

    @own_host
    def test_exit_ends_the_process(self):
        self.tool("leave: () => process.exit(7)")
        self.host.start("tool", self.params("leave"))
        self.assertEqual(self.host.ends(), 7)

    @own_host
    def test_it_ends_with_the_socket_whatever_runs(self):
        self.tool("busy: () => { console.log('busy'); setInterval(() => {}, 1000); return new Promise(() => {}); }")
        self.host.start("tool", self.params("busy"))
        self.host.until(lambda message: message.get("method") == "log")
        self.host.socket.shutdown(socket.SHUT_RDWR)
        self.assertEqual(self.host.process.wait(60), 0)

    @own_host
    def test_a_program_that_a_tool_leaves_behind_does_not_hold_the_socket(self):
        self.tool("start: () => { const child = Bun.spawn(['sleep', '1000'], { stdout: 'ignore', stderr: 'ignore' }); return child.pid; }")
        left = self.run_tool("start")["ok"]
        try:
            wait_until(lambda: pathlib.Path(f"/proc/{left}/comm").read_text() == "sleep\n")
            self.assertEqual([name for name in descriptors_of(left) if name.startswith("socket:")], [])
            self.host.process.kill()
            self.assertIsNone(self.host.receive())
        finally:
            os.kill(left, signal.SIGKILL)

    @own_host
    def test_what_is_no_frame_ends_it(self):
        self.host.socket.sendall(b"\xff\xff\xff\xff")
        self.assertEqual(self.host.ends(), 70)
        self.assertIn("cannot be read", self.host.printed())

    def test_unknown_methods_are_refused_and_unknown_messages_ignored(self):
        self.host.send({"type": "news", "id": 1})
        self.host.send({"type": "answer", "id": 99, "ok": 1})
        for method in ("nothing", "constructor", "__proto__"):
            self.assertEqual(self.host.call(method, {})["error"]["code"], "E_NOT_FOUND")

    def test_imports_of_types_packages_and_neighbours(self):
        self.write("node_modules/left/package.json", json.dumps({"name": "left", "type": "module", "exports": "./left.js"}))
        self.write("node_modules/left/left.js", "export const left = 'left';")
        self.write("lib/deep.mjs", "export default 'deep';")
        end = self.ending
        self.write(f"other.{end}", "export const other" + (": string" if end == "ts" else "") + " = 'other';")
        head = f"import {{ left }} from 'left'; import deep from './lib/deep.mjs'; import {{ other }} from './other.{end}';"
        head += "import * as types from '@goondan/types'; import { ToolContext } from '@goondan/core';"
        if end == "ts":
            head += "import type { ToolHandler } from '@goondan/types'; import { other as two } from './other';"
            head += "import { other as three } from './other.js'; const typed: string = two + three;"
        else:
            head += "const typed = 'otherother';"
        self.tool("all: () => [left, deep, other, typed, types.ToolHandler]", head)
        self.assertEqual(self.run_tool("all"), {"ok": ["left", "deep", "other", "otherother", None]})

    @own_host
    def test_the_host_can_be_linked_to_and_run_from_anywhere(self):
        self.assertTrue(HOST.is_file())
        self.tool("cwd: () => process.cwd()")
        self.assertEqual(self.run_tool("cwd"), {"ok": str(self.folder)})
