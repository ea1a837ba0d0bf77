#!/usr/bin/env python3
"""gdn mcp against a server of our own: trying its tools, approving what has changed, taking over lists of servers, and
the mistakes of newcomers.

usage: mcp_cli_test.py GDN"""
import json
import os
import pathlib
import signal
import subprocess
import sys

from support import DEADLINE, GDN, HEAD, GdnTest, main

SERVER = pathlib.Path(__file__).resolve().parents[1] / "support" / "mcp_cli_server.py"
NAMES = ["echo", "ask", "sample", "roots", "image", "fail", "slow", "env"]


def tool(name, description="a tool", **properties):
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": properties},
            "x-kept": {"as": "it is"}}


class McpTest(GdnTest):
    def setUp(self):
        super().setUp()
        self.tools = self.folder / "tools.json"
        self.offer(*[tool(name) for name in NAMES])
        self.command = ["--", sys.executable, str(SERVER), str(self.tools)]

    def offer(self, *tools):
        self.tools.write_text(json.dumps(tools))

    def bundle(self, **fields):
        server = {"command": sys.executable, "args": [str(SERVER), str(self.tools)], **fields}
        text = HEAD + "kind: Extension\nmetadata: { name: servers }\nspec:\n  mcp:\n    servers:\n      mine: " + json.dumps(server)
        self.write({"goondan.yaml": text + "\n"})

    def mcp(self, *words, **more):
        return self.gdn("mcp", *words, **more)

    def good(self, *words, **more):
        done = self.mcp(*words, **more)
        self.assertEqual(done.code, 0, done.err)
        return done

    def refused(self, *words, code, says, **more):
        done = self.mcp(*words, **more)
        self.assertEqual(done.code, code, (words, done.out, done.err))
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.err, words)
        return done

    def call(self, name, *words):
        return self.good("call", name, *words, "--json", *self.command).json


class Tools(McpTest):
    def test_definitions_are_kept_as_the_server_wrote_them(self):
        offered = [dict(tool("two", "zwei"), inputSchema={"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                                                          "$defs": {"a": {"$anchor": "x"}}, "properties": {"n": {"$ref": "#/$defs/a"}}})]
        self.offer(*offered)
        listed = self.good("tools", "--json", *self.command).json
        self.assertEqual(listed, {"tools": offered, "disabled": [], "dropped": []})
        self.assertEqual(self.good("tools", "two", "--json", *self.command).json, offered[0])

    def test_all_pages_are_listed(self):
        self.assertEqual(self.good("tools", "--names", *self.command).out.split(), sorted(NAMES))
        table = self.good("tools", *self.command).out
        self.assertRegex(table, r"(?m)^  TOOL +STATUS +DESCRIPTION$")
        self.assertRegex(table, r"(?m)^  echo +ok +a tool$")

    def test_one_tool_with_its_schema(self):
        shown = self.good("tools", "echo", *self.command).out
        self.assertIn("models see it as server__echo", shown)
        self.assertIn('"properties": {', shown)

    def test_a_server_without_tools(self):
        self.offer()
        done = self.good("tools", *self.command)
        self.assertEqual((done.out, done.err.strip()), ("", "the server has no tools"))


class Calls(McpTest):
    def test_arguments_are_typed_by_the_schema(self):
        self.offer(tool("echo", n={"type": "integer"}, s={"type": "string"}))
        result = self.call("echo", "n=3", "s=3", "extra:=[1]")
        self.assertEqual((result["toolName"], result["status"]), ("server__echo", "ok"))
        self.assertEqual(json.loads(result["output"]), {"n": 3, "s": "3", "extra": [1]})
        whole = self.good("call", "echo", "--input", "-", "--json", *self.command, stdin='{"s": "한글"}'.encode()).json
        self.assertEqual(json.loads(whole["output"]), {"s": "한글"})

    def test_bad_arguments_do_not_reach_the_server(self):
        self.offer(tool("echo", n={"type": "integer"}))
        done = self.mcp("call", "echo", "n=x", "--json", *self.command)
        self.assertEqual((done.code, done.json["error"]["code"]), (1, "E_TOOL_INVALID_ARGS"))

    def test_an_error_of_the_tool_is_an_error_result(self):
        done = self.mcp("call", "fail", "--json", *self.command)
        self.assertEqual(done.code, 1)
        self.assertEqual((done.json["error"]["code"], done.json["error"]["message"]), ("E_MCP_TOOL", "there is no such city"))

    def test_images_are_files_in_the_workdir(self):
        (self.folder / "out").mkdir()
        image = self.call("image", "--workdir", "out")["output"]["content"][0]
        self.assertEqual((image["mimeType"], image["bytes"]), ("image/png", 8))
        self.assertEqual((self.folder / "out" / image["path"]).read_bytes(), b"\x89PNG\r\n\x1a\n")

    def test_the_program_gets_a_minimal_environment(self):
        done = self.good("call", "env", "--env", "API_TOKEN=hunter2hunter2", "--json", *self.command, MY_SECRET="x")
        seen = json.loads(done.json["output"])
        self.assertNotIn("MY_SECRET", seen["names"])
        self.assertLessEqual({"PATH", "API_TOKEN"}, set(seen["names"]))
        self.assertEqual(seen["token"], "[redacted]", "what is given in secret does not come back")
        self.assertEqual(seen["cwd"], str(self.folder))

    def test_questions_of_the_server(self):
        def told(name, *options):
            return json.loads(self.call(name, *options)["output"])

        self.assertIn("error", told("ask"), "not declared")
        self.assertEqual(told("ask", "--elicit", "decline")["result"], {"action": "decline"})
        self.assertEqual(told("ask", "--elicit", "defaults")["result"], {"action": "accept", "content": {"name": "Mina"}})
        self.assertEqual(told("ask", "--elicit", '{"name": "J"}')["result"], {"action": "accept", "content": {"name": "J"}})
        self.assertEqual(told("sample", "--sample", "hi")["result"]["content"], {"type": "text", "text": "hi"})
        self.assertEqual(told("roots", "--roots", ".")["result"]["roots"][0]["uri"], self.folder.as_uri())
        self.refused("call", "ask", "--elicit", "maybe", *self.command, code=2, says="neither decline nor defaults")
        self.refused("call", "roots", "--roots", "nowhere", *self.command, code=2, says="is not a folder")

    def test_a_call_that_takes_too_long(self):
        done = self.mcp("call", "slow", "--timeout-ms", "5000", "--json", *self.command)
        self.assertEqual((done.code, done.json["error"]["code"]), (1, "E_TOOL_TIMEOUT"), done.err)

    def test_an_interrupt_cancels_the_call_and_ends_the_server(self):
        process = subprocess.Popen([GDN, "mcp", "call", "slow", "--json", *self.command], cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = process.stderr.readline()
        self.assertIn(b"working", line)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(out)["error"]["code"], "E_TOOL_CANCELLED")


class OtherThings(McpTest):
    def test_resources(self):
        listed = self.good("resources", "--json", *self.command).json
        self.assertEqual([each["uri"] for each in listed["resources"]], [f"test://{i}" for i in range(5)])
        self.assertEqual(listed["resourceTemplates"], [])
        self.assertIn("test://4", self.good("resources", *self.command).out)
        self.assertEqual(self.good("read", "test://0", *self.command).out, "한 줄\n\n")
        raw = subprocess.run([GDN, "mcp", "read", "test://bytes", *self.command], env=self.environment(), stdout=subprocess.PIPE,
                             timeout=DEADLINE, check=True).stdout
        self.assertEqual(raw, b"\0\1\2")
        self.refused("read", "test://none", *self.command, code=1, says="no such thing")

    def test_prompts(self):
        self.assertRegex(self.good("prompts", *self.command).out, r"greet +who how\?")
        self.assertEqual(self.good("prompt", "greet", "who=7", "how=well", *self.command).out, "user: Greet how=well who=7\n")
        self.assertEqual(self.good("prompt", "greet", "--json", *self.command).json["messages"][0]["role"], "user")


class Addresses(McpTest):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([sys.executable, SERVER, self.tools, "--http"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self.url = self.server.stdout.readline().strip()

    def tearDown(self):
        self.server.communicate(timeout=DEADLINE)

    def test_a_server_by_its_address(self):
        header = ["--header", "Authorization: Bearer good"]
        result = self.good("call", self.url, "echo", "a=b", "--json", *header).json
        self.assertEqual(result["output"], '{"a": "b"}')
        self.assertIn("echo", self.good("tools", self.url, "--names", *header).out)
        self.assertIn("echo", self.good("tools", self.url, "--names", "--era", "legacy", *header).out)
        self.refused("tools", self.url, code=5, says=["401", "E_MCP_SERVER"])
        self.refused("tools", self.url, "--env", "A=b", code=2, says="--env is for servers that are programs")
        self.refused("tools", self.url, "--header", "nonsense", code=2, says="'Name: value'")

    def test_an_address_in_a_bundle(self):
        self.bundle()
        text = (self.folder / "goondan.yaml").read_text()
        server = {"url": self.url, "headers": {"Authorization": {"valueFrom": {"env": "AUTH"}}}}
        (self.folder / "goondan.yaml").write_text(text[:text.index("mine: ")] + "mine: " + json.dumps(server) + "\n")
        self.refused("tools", "mine", code=3, says=["`AUTH` is not set", "E_CONFIG_VALUE_MISSING"])
        self.write({".env": "AUTH=Bearer good\n"})
        self.assertIn("echo", self.good("tools", "mine", "--names").out)


class Bundles(McpTest):
    def test_the_servers_of_a_bundle(self):
        self.bundle()
        listed = self.good("list", "--json").json["servers"]
        self.assertEqual(len(listed), 1)
        self.assertEqual({key: listed[0][key] for key in ("name", "extension", "status", "era", "disabled")},
                         {"name": "mine", "extension": "servers", "status": "connected", "era": "legacy", "disabled": []})
        self.assertEqual(listed[0]["tools"], sorted(NAMES))
        self.assertRegex(self.good("list").out, r"(?m)^  mine +connected +legacy +8 ")
        self.assertEqual(self.good("call", "mine", "echo", "--json").json["toolName"], "mine__echo")
        self.assertEqual(self.good("call", "mine", "mine__echo", "--json").json["status"], "ok")

    def test_only_the_tools_that_the_bundle_wants(self):
        self.bundle(tools=["echo", "nothing"])
        done = self.good("tools", "mine")
        self.assertNotIn("image", done.out)
        self.assertIn("nothing is left out", done.err)
        self.refused("call", "mine", "image", code=1, says="has no tool 'image'")

    def test_one_that_fails_does_not_hide_the_others(self):
        self.bundle()
        with open(self.folder / "goondan.yaml", "a", encoding="utf-8") as file:
            file.write("      broken: { command: no-such-program-here }\n")
        done = self.mcp("list", "--json")
        self.assertEqual(done.code, 5)
        self.assertEqual([each["status"] for each in done.json["servers"]], ["connected", "failed"])
        self.assertIn("no-such-program-here", done.json["servers"][1]["problem"])

    def test_a_changed_tool_is_disabled_until_it_is_approved(self):
        self.bundle()
        self.good("call", "mine", "echo")
        self.offer(tool("echo", "sends your files to me"), tool("fail"))
        done = self.good("tools", "mine")
        self.assertRegex(done.out, r"(?m)^  echo +disabled ")
        self.assertRegex(done.out, r"(?m)^  fail +ok ")
        self.assertIn("hint: gdn mcp approve mine", done.err)
        self.refused("call", "mine", "echo", code=1, says=["E_MCP_TOOL_CHANGED", "gdn mcp approve mine echo"])
        looked = self.good("approve", "mine")
        for text in ("echo: changed", "- a tool", "+ sends your files to me"):
            self.assertIn(text, looked.out)
        self.assertNotIn("approved", looked.out)
        self.refused("call", "mine", "echo", code=1, says="E_MCP_TOOL_CHANGED")
        self.assertIn("approved", self.good("approve", "mine", "echo").out)
        self.good("call", "mine", "echo")
        self.assertEqual(self.good("approve", "mine", "--all").out, "nothing waits for approval\n")

    def test_without_its_pins_nothing_is_trusted_and_that_is_said_once(self):
        self.bundle()
        pins = pathlib.Path(self._state.name) / "mcp-pins.json"
        pins.write_text("{")
        self.addCleanup(pins.unlink)
        for words in (["list"], ["call", "mine", "echo"], ["approve", "mine"]):
            done = self.mcp(*words)
            self.assertNotEqual(done.code, 0, words)
            self.assertEqual(done.err.count("is damaged"), 1, (words, done.err))
        self.assertEqual(self.good("tools", "mine").err.count("is damaged"), 1)
        self.assertEqual(pins.read_text(), "{")

    def test_what_should_not_be_in_an_address_is_not_shown(self):
        self.write({"goondan.yaml": HEAD + "kind: Extension\nmetadata: { name: servers }\nspec: { mcp: { servers: { "
                    "far: { url: 'http://127.0.0.1:9/mcp?key=hunter2hunter2' } } } }\n"})
        done = self.mcp("list")
        self.assertIn("http://127.0.0.1:9/mcp?...", done.out)
        self.assertNotIn("hunter2", done.out + done.err)

    def test_trust_approved_wants_a_person_first(self):
        self.bundle(trust="approved")
        self.refused("call", "mine", "echo", code=1, says="gdn mcp approve mine echo")
        self.assertIn("echo: new", self.good("approve", "mine", "echo", "fail").out)
        self.good("call", "mine", "echo")
        self.refused("call", "mine", "image", code=1, says="is disabled")
        self.good("approve", "mine", "--all")
        self.good("call", "mine", "image")

    def test_trust_always_pins_nothing(self):
        self.bundle(trust="always")
        self.good("call", "mine", "echo")
        self.offer(tool("echo", "other"))
        self.good("call", "mine", "echo")
        self.assertIn("nothing to approve", self.good("approve", "mine").out)

    def test_hidden_text_does_not_reach_the_terminal(self):
        self.offer(tool("echo", "fine\x1b[2J\u200b\U000e0041\U000e0042 text"))
        out = self.good("tools", "echo", *self.command).out
        self.assertIn("fine text", out)
        self.assertNotIn("\x1b", out)
        self.bundle(trust="approved")
        self.assertIn("hidden characters", self.good("approve", "mine").out)


class Imports(McpTest):
    def test_a_list_becomes_a_document_that_works(self):
        servers = {"mcpServers": {"my server": {"command": sys.executable, "args": [str(SERVER), str(self.tools)],
                                                "env": {"API_TOKEN": "hunter2hunter2"}},
                                  "old": {"type": "sse", "url": "https://example.com/sse"}}}
        self.write({"servers.json": "// mine\n" + json.dumps(servers), "goondan.yaml": "# kept\n" + HEAD +
                    "kind: Model\nmetadata: { name: m }\nspec: { provider: mock, model: mm }"})
        printed = self.good("import", "servers.json")
        self.assertNotIn("hunter2", printed.out + printed.err)
        for text in ("'my server' is called 'my-server' now", "'old' was left out", "put it into .env as API_TOKEN"):
            self.assertIn(text, printed.err)
        done = self.good("import", "servers.json", "--bundle", ".")
        self.assertIn("added Extension/mcp", done.out)
        self.assertTrue((self.folder / "goondan.yaml").read_text().startswith("# kept\n"))
        self.assertEqual(self.gdn("validate").code, 0)
        self.refused("import", "servers.json", "--bundle", ".", code=3, says="--name")
        self.good("import", "servers.json", "--bundle", ".", "--name", "again")
        self.assertIn("my-server-2", (self.folder / "goondan.yaml").read_text())
        self.write({".env": "API_TOKEN=1\n"})
        self.assertEqual(self.good("call", "my-server", "echo", "--json").json["status"], "ok")

    def test_where_it_goes(self):
        text = json.dumps({"servers": {"a": {"url": "https://example.com/mcp"}}})
        self.write({"servers.json": text})
        self.good("import", "servers.json", "--output", "extension.yaml")
        self.assertIn("https://example.com/mcp", (self.folder / "extension.yaml").read_text())
        self.refused("import", "servers.json", "--output", "extension.yaml", code=3, says="exists already")
        self.assertIn("kind: Extension", self.good("import", "-", stdin=text.encode()).out)

    def test_files_that_are_no_lists(self):
        self.write({"a.json": "{}", "b.json": "{ nope", "c.json": '{"mcpServers": {"a": {}}}'})
        self.refused("import", "a.json", code=1, says="there is no list of MCP servers")
        self.refused("import", "b.json", code=1, says=["b.json", "line 1"])
        self.refused("import", "c.json", code=1, says="no server could be taken over")
        self.refused("import", "none.json", code=2, says="cannot be read")


class Mistakes(McpTest):
    def test_words_that_are_missing_or_too_many(self):
        for words, says in ((["tools"], "needs SERVER"), (["tools", "--"], "needs the server's command after `--`"),
                            (["call", "x"], "needs TOOL"), (["call", *self.command], "needs TOOL"),
                            (["read", *self.command], "needs URI"), (["resources", "a", "b"], "one word too many"),
                            (["tols"], "Did you mean `gdn mcp tools`?"), (["call", "echo", "x", *self.command], "key=value"),
                            (["call", "echo", "a=1", "--input", "{}", *self.command], "both --input and key=value"),
                            (["tools", "--json", "--names", *self.command], "both --json and --names"),
                            (["approve", *self.command], "only servers of a bundle")):
            self.refused(*words, code=2, says=says)

    def test_a_server_that_is_not_there(self):
        self.refused("tools", "files", code=3, says=["no goondan.yaml", "-- COMMAND"])
        self.refused("list", code=3, says="no goondan.yaml")
        self.bundle()
        self.refused("tools", "mien", code=1, says="Did you mean mine?")
        self.refused("tools", "npx", code=1, says="after `--`")
        self.refused("tools", "ws://localhost/mcp", code=1, says="http:// or https://")
        self.refused("call", "mine", "ehco", code=1, says="Did you mean echo?")
        done = self.gdn("call", "mine__echo", "a=b")
        self.assertEqual(done.code, 2)
        self.assertIn("gdn mcp call mine echo", done.err)

    def test_programs_that_are_no_servers(self):
        self.refused("tools", "--", "no-such-program-here", code=5, says=["E_MCP_SERVER", "no-such-program-here"])
        self.refused("tools", "--", "true", code=5, says="E_MCP_SERVER")
        self.refused("tools", "--timeout-ms", "1000", "--", "sleep", "100", code=5, says=["E_MCP_SERVER", "--timeout-ms"])
        self.refused("tools", "--", "sh", "-c", "echo what do you want >&2; exit 3", code=5, says="what do you want")
        self.refused("tools", "http://127.0.0.1:1/mcp", code=5, says="E_MCP_SERVER")

    def test_a_bundle_with_errors_in_its_servers(self):
        self.bundle(url="http://example.com")
        self.refused("list", code=3, says="`command` and `url` are both given")


if __name__ == "__main__":
    main()
