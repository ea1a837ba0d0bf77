"""Cases of the script host: the seeds' own examples, unchanged but for the address, and what they use of Bun."""
import http.server
import shutil
import threading

from npm_packages import ROOT
from script_host_rig import CONTEXT

SEEDS = ROOT / "tests" / "data" / "seeds"
RESULT = {"toolCallId": "call", "toolName": "t__x", "status": "ok", "output": 1}
RAN = {"next": {"outcome": RESULT, "metadata": {}}}
CALL = {"toolName": "t__x", "toolCallId": "call", "args": {"a": 1}}

# An expression, and what it gives on Node as on Bun.
BUN = [
    ("(async () => { const p = Bun.spawn(['sh', '-c', 'cat; echo $X; exit 3'], { env: { X: 'x' }, stdin: 'pipe' });"
     " p.stdin.write('in '); p.stdin.end(); const out = await new Response(p.stdout).text();"
     " return [out, await p.exited, p.exitCode]; })()", ["in x\n", 3, 3]),
    ("(async () => { const p = Bun.spawn({ cmd: ['sh', '-c', 'pwd; echo e >&2'], cwd: '/', stderr: 'pipe' });"
     " return [await new Response(p.stdout).text(), await new Response(p.stderr).text()]; })()", ["/\n", "e\n"]),
    ("(async () => { const p = Bun.spawn(['sleep', '100']); p.kill(); return [await p.exited, p.exitCode, p.signalCode, p.killed]; })()",
     [143, None, "SIGTERM", True]),
    ("(async () => { const p = Bun.spawn(['cat'], { stdin: new Blob(['blob']) }); return new Response(p.stdout).text(); })()",
     "blob"),
    ("(async () => { try { Bun.spawn(['not-a-program']); return 'started'; } catch (error) { return error.code; } })()",
     "ENOENT"),
    ("(async () => { const p = Bun.spawn(['true'], { stdout: 'ignore' }); return [p.stdout === undefined, await p.exited]; })()",
     [True, 0]),
    ("Bun.file('not-there').exists()", False),
    ("Bun.file('/').exists()", False),
    ("Bun.file('not-there').size", 0),
    ("Bun.write('new/folder/a.json', '{\"가\":1}')", 9),
    ("(async () => { const f = Bun.file('new/folder/a.json'); return [await f.exists(), f.size, await f.text(), await f.json(),"
     " (await f.arrayBuffer()).byteLength, f.name, f.type, await new Response(f.stream()).text()]; })()",
     [True, 9, '{"가":1}', {"가": 1}, 9, "new/folder/a.json", "application/json;charset=utf-8", '{"가":1}']),
    ("(async () => new Response(Bun.file('new/folder/a.json')).text())()", '{"가":1}'),
    ("Bun.file('x.unknown').type", "application/octet-stream"),
    ("Bun.write('bytes', new Uint8Array([1, 2, 3]))", 3),
    ("(async () => { await Bun.write('copy', Bun.file('bytes')); return Bun.file('copy').size; })()", 3),
    ("Bun.write(Bun.file('r.txt'), new Response('text'))", 4),
    ("(async () => { try { await Bun.file('not-there').text(); } catch (error) { return error.code; } })()", "ENOENT"),
    ("Bun.which('sh') !== null && Bun.which('not-a-program') === null", True),
    ("Bun.env === process.env || Bun.env.PATH === process.env.PATH", True),
    ("Array.isArray(Bun.argv)", True),
    ("(async () => { await Bun.sleep(1); return 'slept'; })()", "slept"),
]


class Weather(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        good = "city=Seoul" in self.path
        body = b'{"temperature": 21}' if good else b"{}"
        self.send_response(200 if good else 503)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class SeedCases:
    def seed(self, name):
        shutil.copytree(SEEDS / name, self.folder / name)
        return self.folder / name

    def seed_tool(self, name):
        self.module = str(self.seed(name) / "tools" / name / "index.ts")
        return self.load(self.module)

    def seed_extension(self, bundle, name, answers=None):
        entry = self.seed(bundle) / "extensions" / name / "index.ts"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        address = f"http://127.0.0.1:{server.server_port}"
        entry.write_text(entry.read_text().replace("https://api.weather.example", address))
        return self.extension("", answers, name=name, module=str(entry))

    # REQ: RES-10
    def test_the_bash_tool_of_the_specification(self):
        self.assertEqual(self.seed_tool("bash"), {"ok": {"handlers": ["exec", "script"]}})
        (self.folder / "s.sh").write_text("echo script; exit 4")
        done = self.run_tool("exec", {"command": "pwd; echo 가"})["ok"]
        self.assertEqual((done["stdout"], done["exitCode"] in (0, None)), (f"{self.folder}\n가\n", True))
        done = self.run_tool("script", {"path": "s.sh"})["ok"]
        self.assertEqual((done["stdout"], done["exitCode"] in (4, None)), ("script\n", True))
        if "node" in self.hello["runtime"]:
            self.assertEqual(done["exitCode"], 4)

    # REQ: RES-10
    def test_the_file_system_tool_of_the_specification(self):
        self.assertEqual(self.seed_tool("file-system"), {"ok": {"handlers": ["read", "write"]}})
        path = str(self.folder / "a.txt")
        self.assertEqual(self.run_tool("write", {"path": "a.txt", "content": "가나다"}),
                         {"ok": {"path": path, "size": 9, "written": True}})
        self.assertEqual(self.run_tool("read", {"path": path, "maxBytes": 2}),
                         {"ok": {"path": path, "size": 9, "truncated": True, "content": "가나"}})
        self.assertEqual(self.run_tool("read", {"path": "b.txt"})["error"]["message"],
                         f"파일이 존재하지 않습니다: {self.folder / 'b.txt'}")

    # REQ: RES-10
    def test_the_tools_of_the_reference(self):
        self.assertEqual(self.seed_tool("my-tool"), {"ok": {"handlers": ["doSomething"]}})
        self.assertEqual(self.run_tool("doSomething"), {"ok": {"result": "done"}})
        self.assertEqual(self.seed_tool("text-utils"), {"ok": {"handlers": ["uppercase"]}})
        self.assertEqual(self.run_tool("uppercase", {"text": "abc"}), {"ok": {"result": "ABC"}})
        self.assertEqual(self.host.logged()[-1][:2], ("info", 'Converting "abc" to uppercase'))

    # REQ: MW-1
    def test_the_tool_call_middleware_of_the_specification(self):
        self.assertEqual(self.seed_extension("tool-call-log", "tool-call-log"), {"ok": None})
        self.assertEqual(self.run_layer("toolCall", 0, RAN, name="tool-call-log", **CALL)["ok"],
                         {"outcome": RESULT, "next": "ran", "metadata": {}})
        lines = self.host.logged()
        self.assertEqual([level for level, _, _ in lines], ["debug", "debug"])
        self.assertTrue(lines[0][1].startswith("Tool 호출: t__x") and lines[1][1].startswith("Tool 완료: t__x ("))

    # REQ: MW-4
    def test_the_dynamic_tool_of_the_specification(self):
        self.assertEqual(self.seed_extension("weather", "weather"), {"ok": None})
        item = self.host.of("tools.register")[-1]["params"]["item"]
        self.assertEqual((item["name"], item["parameters"]["required"]), ("weather__get", ["city"]))
        call = {"extension": "weather", "tool": "weather__get", "input": {"city": "Seoul"}, "context": CONTEXT}
        self.assertEqual(self.host.call("extensionTool", call), {"ok": {"temperature": 21}})
        self.assertEqual(self.host.call("extensionTool", call | {"input": {"city": "x"}})["error"]["message"],
                         "날씨 API 오류: 503")


class BunCases:
    def test_the_part_of_bun_that_is_everywhere(self):
        self.tool(", ".join(f"b{i}: () => ({text})" for i, (text, _) in enumerate(BUN)))
        for i, (text, expected) in enumerate(BUN):
            with self.subTest(text):
                self.assertEqual(self.run_tool(f"b{i}"), {"ok": expected})


class NotBunCases:
    def test_the_rest_of_bun_says_that_it_is_not_there(self):
        self.tool("serve: () => Bun.serve({}), asks: () => [typeof Bun.version, 'serve' in Bun]")
        error = self.run_tool("serve")["error"]
        self.assertIn("Bun.serve is not there", error["message"])
        self.assertIn("install Bun", error["suggestion"])
        self.assertEqual(self.run_tool("asks"), {"ok": ["undefined", False]})
