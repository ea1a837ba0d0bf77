"""Cases of the script host: the examples of the tool specification v0.8, unchanged but for their addresses."""
import http.server
import json
import threading

from script_host_old import CALL, CALL_RESULT, CONTEXT, OLD, TOLD, LAYER_CONTEXT
from script_host_rig import own_host
from seed_blocks import code


class Services(http.server.BaseHTTPRequestHandler):
    """Slack, the weather, and a service that has its days."""

    def do_GET(self):
        good = "city=Seoul" in self.path or self.path == "/good"
        self.answer(200 if good else 503, {"temperature": 21})

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.headers["authorization"] != "Bearer xoxb-1":
            return self.answer(200, {"ok": False, "error": "invalid_auth"})
        return self.answer(200, {"ok": True, "channel": message["channel"], "ts": "1.2", "message": message})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class OldSeedCases:
    def serve(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Services)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def section(self, section, addresses=(), head=""):
        """The section's code as a module."""
        text = code(section)
        for there, here in addresses:
            self.assertIn(there, text)
            text = text.replace(there, here)
        return str(self.write(f"section-{section}.ts", head + text))

    def section_tool(self, *args, **more):
        self.module = self.section(*args, **more)
        loaded = self.load(self.module, **OLD)
        self.assertIn("ok", loaded, loaded)
        return loaded["ok"]["handlers"]

    def section_extension(self, *args, name="x", **more):
        registered = self.extension("", name=name, module=self.section(*args, **more), **OLD)
        self.assertEqual(registered, {"ok": None})

    def told(self, export, input, answers=None):
        return self.run_tool(export, input, answers, v1alpha1=TOLD)

    # REQ: RES-10, CTX-4, NAME-3
    def test_section_4_2_the_calculator(self):
        self.assertEqual(self.section_tool("4.2"), ["calc.add", "calc.multiply"])
        self.assertEqual(self.told("calc.add", {"a": 6, "b": 7}), {"ok": {"result": 13, "expression": "6 + 7 = 13"}})
        self.assertEqual(self.told("calc.multiply", {"a": 6, "b": 7})["ok"]["expression"], "6 × 7 = 42")
        self.assertEqual(self.told("calc.add", {"a": "6"})["error"], {"name": "Error", "message": "a와 b는 숫자여야 합니다."})

    def around_call(self, result, **context):
        """Runs the layers one by one, each around a call with this result."""
        next_answer = {"next": {"outcome": result, "metadata": {}}}
        for one in self.host.of("pipeline.register"):
            reply = self.run_layer("toolCall", one["params"]["layer"], next_answer, v1alpha1=TOLD, **CALL, **context)
            self.assertEqual(reply["ok"]["outcome"], result)
        return [(level, text) for level, text, _ in self.host.logged()]

    # REQ: MW-3
    @own_host
    def test_section_5_4_the_logger(self):
        self.section_extension("5.4")
        failed = CALL_RESULT | {"status": "error", "error": {"message": "no"}}
        lines = self.around_call(failed)
        self.assertEqual(lines[0], ("debug", "Tool 호출: calc.add { a: 1 }"))
        self.assertRegex(lines[1][1], r"^Tool 완료: calc.add \(\d+ms\)$")
        self.assertEqual(self.host.of("events.emit")[0]["params"],
                         {"extension": "x", "name": "tool.error", "payload": {"toolName": "calc.add", "error": {"message": "no"}}})

    # REQ: CALL-6
    def test_section_6_3_the_build(self):
        head = "const startBuildAsync = async (project: unknown) => `build-of-${project}`;\n"
        self.section_tool("6.3", head=head)
        self.assertEqual(self.told("build.start", {"project": "goondan"}),
                         {"ok": {"__async": True, "handle": "build-of-goondan", "message": "빌드가 시작되었습니다. 완료되면 알려드리겠습니다."}})

    # REQ: CALL-3
    def test_section_7_3_the_request(self):
        address = self.serve()
        self.section_tool("7.3")
        self.assertEqual(self.told("api.call", {"url": f"{address}/good"}), {"ok": {"temperature": 21}})
        self.assertEqual(self.told("api.call", {"url": f"{address}/bad"})["error"],
                         {"name": "Error", "message": "API 요청 실패: 503 Service Unavailable"})

    # REQ: OAUTH-1
    def test_section_8_2_the_message_to_slack(self):
        self.section_tool("8.2", [("https://slack.com", self.serve())])
        message = {"channel": "C1", "text": "안녕"}
        ready = {"status": "ready", "accessToken": "xoxb-1", "tokenType": "Bearer", "scopes": ["chat:write"]}
        self.assertEqual(self.told("slack.postMessage", message, {"runtime": ready}),
                         {"ok": {"ok": True, "channel": "C1", "ts": "1.2", "message": message}})
        self.assertEqual(self.host.of("runtime")[0]["params"],
                         {"method": "oauth.getAccessToken",
                          "params": {"oauthAppRef": {"kind": "OAuthApp", "name": "slack-bot"}, "scopes": ["chat:write"]}})
        wanted = {"status": "authorization_required", "message": "승인", "authorizationUrl": "https://x.example/",
                  "authSessionId": "as-1", "expiresAt": "2026-01-01T00:00:00Z"}
        self.assertEqual(self.told("slack.postMessage", message, {"runtime": wanted}),
                         {"ok": {key: wanted[key] for key in ("status", "message", "authorizationUrl")}})
        wrong = {"status": "error", "error": {"code": "subjectUnavailable", "message": "no subject"}}
        self.assertEqual(self.told("slack.postMessage", message, {"runtime": wrong})["error"]["message"], "no subject")
        self.assertEqual(self.told("slack.postMessage", message, {"runtime": ready | {"accessToken": "old"}})["error"]["message"],
                         "Slack API 오류: invalid_auth")

    # REQ: MW-4
    def test_section_9_2_the_weather(self):
        self.section_extension("9.2", [("https://api.weather.example", self.serve())], name="weather")
        item = self.host.of("tools.register")[-1]["params"]["item"]
        self.assertEqual((item["name"], item["parameters"]["required"]), ("weather.get", ["city"]))
        call = {"extension": "weather", "tool": "weather.get", "input": {"city": "Seoul"}, "context": CONTEXT | {"v1alpha1": TOLD}}
        self.assertEqual(self.host.call("extensionTool", call), {"ok": {"temperature": 21}})
        self.assertEqual(self.host.call("extensionTool", call | {"input": {"city": "x"}})["error"]["message"], "날씨 API 오류: 503")

    # REQ: CAT-3, CAT-4
    @own_host
    def test_section_9_3_the_catalog(self):
        self.section_extension("9.2", [("https://api.weather.example", "http://127.0.0.1")], name="weather")
        self.section_extension("9.3", name="exposing")
        known = {"name": "calc.add", "registeredName": "calc.add"}
        context = LAYER_CONTEXT | {"stepIndex": 1, "messages": [], "toolCatalog": [known], "v1alpha1": TOLD, "blocks": []}
        reply = self.host.call("layer", {"extension": "exposing", "layer": 0, "kind": "step", "context": context})["ok"]
        self.assertEqual(reply["next"], "pass")
        offered = reply["toolCatalog"]
        self.assertEqual([item["name"] for item in offered], ["calc.add", "weather.get"])
        self.assertEqual(offered[1]["source"], {"type": "extension", "name": "exposing"})
        self.assertEqual(offered[1]["parameters"]["required"], ["city"])

    # REQ: BLT-6
    def test_section_11_1_the_files(self):
        self.assertEqual(self.section_tool("11.1"), ["file.read", "file.write"])
        path = str(self.folder / "new" / "a.txt")
        self.assertEqual(self.told("file.write", {"path": path, "content": "안녕"}), {"ok": {"path": path, "size": 6, "written": True}})
        self.assertEqual(self.told("file.read", {"path": path, "maxBytes": 1}),
                         {"ok": {"path": path, "size": 6, "truncated": True, "content": "안"}})
        self.assertEqual(self.told("file.read", {"path": ""})["error"]["message"], "path가 필요합니다.")

    # REQ: CHG-1
    def test_section_11_2_the_changesets(self):
        self.section_tool("11.2")
        opened = {"changesetId": "cs-1", "baseRef": "git:1", "workdir": "/w"}
        self.assertEqual(self.told("swarmBundle.openChangeset", {"reason": "better"}, {"runtime": opened}), {"ok": opened})
        done = {"status": "ok", "changesetId": "cs-1"}
        self.assertEqual(self.told("swarmBundle.commitChangeset", {"changesetId": "cs-1"}, {"runtime": done}), {"ok": done})
        self.assertEqual([one["params"] for one in self.host.of("runtime")],
                         [{"method": "swarmBundle.openChangeset", "params": {"reason": "better"}},
                          {"method": "swarmBundle.commitChangeset", "params": {"changesetId": "cs-1"}}])

    # REQ: MW-3
    @own_host
    def test_section_12_2_the_debug_log(self):
        self.section_extension("12.2")
        lines = self.around_call(CALL_RESULT)
        self.assertEqual(lines[0], ("info", "[Tool] 호출: { name: 'calc.add', arguments: { a: 1 }, turnId: 'turn', stepIndex: 1 }"))
        self.assertRegex(lines[1][1], r"^\[Tool\] 완료: { name: 'calc.add', status: 'ok', elapsed: '\d+ms' }$")
