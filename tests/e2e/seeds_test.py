"""The specification's own examples, run as they are written (addresses point at loopback), on Node and on Bun."""
import http.server
import json
import pathlib
import shutil
import threading
import unittest
import urllib.parse

import support
from npm_support import PACKAGES, need_packages
from swarm_support import SwarmTest, document

SEEDS = pathlib.Path(__file__).resolve().parent.parent / "data/seeds"
RUNTIMES = ("node", "bun")


class Weather(http.server.BaseHTTPRequestHandler):
    """Knows the weather of Seoul."""

    def do_GET(self):
        city = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["city"][0]
        body = json.dumps({"city": city, "temperature": 21}).encode()
        self.send_response(200 if city == "서울" else 503)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class SeedsTest(SwarmTest):
    def copy(self, name):
        shutil.rmtree(self.bundle)
        shutil.copytree(SEEDS / name, self.bundle)

    def call(self, runtime, tool, **args):
        done = self.gdn("call", tool, "--input", json.dumps(args), "--bundle", str(self.bundle), "--workdir", str(self.folder),
                        "--json", GOONDAN_SCRIPT_RUNTIME=str(PACKAGES / "bin" / runtime))
        return done.json

    def each_runtime(self, name):
        for runtime in RUNTIMES:
            with self.subTest(runtime):
                self.copy(name)
                yield runtime

    def test_the_shell_tool(self):  # S1 §5.2; REQ: RES-10 CTX-4
        (self.folder / "hello.sh").write_text("echo from a script\n")
        for runtime in self.each_runtime("bash"):
            output = self.call(runtime, "bash__exec", command="echo $((6 * 7)); pwd")["output"]
            self.assertEqual(output["stdout"], f"42\n{self.folder.resolve()}\n")
            self.assertIn(output["exitCode"], (0, None))  # Bun may not have reaped it yet
            self.assertEqual(self.call(runtime, "bash__script", path="hello.sh")["output"]["stdout"], "from a script\n")

    def test_the_file_tool(self):  # S1 §12.1
        for runtime in self.each_runtime("file-system"):
            written = self.call(runtime, "file-system__write", path="a.txt", content="안녕 세상")["output"]
            self.assertEqual(written, {"path": str(self.folder.resolve() / "a.txt"), "size": 13, "written": True})
            read = self.call(runtime, "file-system__read", path="a.txt", maxBytes=2)["output"]
            self.assertEqual((read["truncated"], read["content"], read["size"]), (True, "안녕", 13))
            missing = self.call(runtime, "file-system__read", path="none")["error"]
            self.assertEqual((missing["code"], missing["name"]), ("E_TOOL", "Error"))
            self.assertIn("파일이 존재하지 않습니다", missing["message"])

    def test_the_smallest_tools(self):  # S2
        for runtime in self.each_runtime("text-utils"):
            self.assertEqual(self.call(runtime, "text-utils__uppercase", text="goondan")["output"], {"result": "GOONDAN"})
        for runtime in self.each_runtime("my-tool"):
            self.assertEqual(self.call(runtime, "my-tool__doSomething")["output"], {"result": "done"})

    def agent_with(self, extension, tools, *calls):
        """The extension of the seed, in an agent whose model makes these calls one after the other."""
        replies = [{"when": {"role": "user"}, "calls": [{"tool": calls[0][0], "args": calls[0][1]}]}]
        replies += [{"when": {"step": i + 1}, "calls": [{"tool": tool, "args": args}]}
                    for i, (tool, args) in enumerate(calls[1:], 1)]
        replies.append({"text": "done"})
        self.bundle_of(
            document("Extension", extension, {"entry": f"./extensions/{extension}/index.ts"}),
            document("Model", "main", {"provider": "scripted", "model": "./script.yaml"}),
            document("Agent", "helper", {"modelConfig": {"modelRef": "Model/main"}, "tools": tools,
                                         "extensions": [{"ref": f"Extension/{extension}"}]}),
            document("Swarm", "default", {"entryAgent": "Agent/helper", "agents": [{"ref": "Agent/helper"}]}),
            files={"script.yaml": {"replies": replies}})

    def test_the_weather_extension(self):  # S1 §10.2; REQ: MW-4 CAT-4
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        for runtime in self.each_runtime("weather"):
            source = self.bundle / "extensions/weather/index.ts"
            text = source.read_text()
            self.assertIn("https://api.weather.example", text)
            source.write_text(text.replace("https://api.weather.example", f"http://127.0.0.1:{server.server_port}"))
            self.agent_with("weather", [], ("weather__get", {"city": "서울"}))
            started = self.orchestrator(GOONDAN_SCRIPT_RUNTIME=str(PACKAGES / "bin" / runtime))
            events, end = started.turn("go")
            result = [e for e in events if e["type"] == "tool.completed"][0]
            self.assertEqual((result["status"], end["response"]), ("ok", "done"))
            self.assertIn("21", json.dumps(result))
            started.stop()
            shutil.rmtree(self.state)

    def test_the_logging_middleware(self):  # S1 §6.4; REQ: MW-1
        for runtime in self.each_runtime("tool-call-log"):
            self.agent_with("tool-call-log", [{"ref": "Tool/text-transform"}], ("text-transform__case", {"text": "a", "to": "upper"}))
            started = self.orchestrator(GOONDAN_SCRIPT_RUNTIME=str(PACKAGES / "bin" / runtime))
            events, _ = started.turn("go")
            logs = [e["text"] for e in events if e["type"] == "extension.log" and e["level"] == "debug"]
            self.assertTrue(logs[0].startswith("Tool 호출: text-transform__case"), logs)
            self.assertRegex(logs[1], r"^Tool 완료: text-transform__case \(\d+ms\)$")
            started.stop()
            shutil.rmtree(self.state)


if __name__ == "__main__":
    need_packages()
    unittest.main(argv=["seeds_test"])
