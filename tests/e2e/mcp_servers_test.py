#!/usr/bin/env python3
"""The official MCP servers from npm, as a user tries them with `gdn mcp`: over their standard input and output, and
over Streamable HTTP."""
import json
import os
import pathlib
import signal
import subprocess

import npm_support
import support
from npm_support import HttpServer, official
from support import DEADLINE, GdnTest
from swarm_support import SwarmTest, agent, document, swarm, wait_until


class McpTest(GdnTest):
    def tools(self, *words):
        done = self.gdn("mcp", "tools", *words)
        self.assertEqual(done.code, 0, done.err)
        return done

    def call(self, tool, arguments, server, *options, url=None):
        """The result of a tool; `server` is a command, or None with `url`."""
        words = [url] if url else []
        words += [tool, "--json", "--input", json.dumps(arguments), *options]
        done = self.gdn("mcp", "call", *words, *(["--", *server] if server else []))
        self.assertTrue(done.out, done.err)
        return done.json

    def output(self, *words, **options):
        result = self.call(*words, **options)
        self.assertEqual(result["status"], "ok", result)
        return result["output"]


class Everything(McpTest):
    """What must be the same over both transports."""
    server = official("everything") + ["stdio"]
    url = None

    def everything(self, tool, arguments, *options):
        return self.output(tool, arguments, self.server, *options, url=self.url)

    def where(self):
        return [self.url] if self.url else ["--", *self.server]

    def test_lists_its_tools_with_their_schemas_as_written(self):
        document = self.tools("--json", *self.where()).json
        tools = {tool["name"]: tool for tool in document["tools"]}
        self.assertGreaterEqual(len(tools), 12)
        self.assertEqual(document["dropped"], [])
        self.assertEqual(tools["echo"]["inputSchema"]["properties"]["message"],
                         {"type": "string", "description": "Message to echo"})
        self.assertEqual(tools["echo"]["inputSchema"]["$schema"], "http://json-schema.org/draft-07/schema#")
        self.assertIn("get-sum", self.tools("--names", *self.where()).out.split())

    def test_calls_tools(self):
        self.assertEqual(self.everything("echo", {"message": "안녕, 서버"}), "Echo: 안녕, 서버")
        self.assertEqual(self.everything("get-sum", {"a": 2, "b": 40}), "The sum of 2 and 40 is 42.")

    def test_returns_structured_content(self):
        weather = self.everything("get-structured-content", {"location": "Chicago"})
        self.assertEqual(set(weather), {"temperature", "conditions", "humidity"})

    def test_keeps_images_as_files_and_describes_them(self):
        blocks = self.everything("get-tiny-image", {})["content"]
        image = next(block for block in blocks if block["type"] == "image")
        self.assertEqual(image["mimeType"], "image/png")
        self.assertNotIn("data", image)
        self.assertTrue((self.folder / image["path"]).read_bytes().startswith(b"\x89PNG"))

    def test_returns_resources_and_links(self):
        links = self.everything("get-resource-links", {"count": 2})["content"]
        self.assertEqual(len([block for block in links if block["type"] == "resource_link"]), 2)
        text = self.everything("get-resource-reference", {"resourceType": "Text", "resourceId": 1})["content"]
        self.assertTrue([block for block in text if block["type"] == "resource"])

    def test_refuses_arguments_that_do_not_fit_before_the_server_sees_them(self):
        result = self.call("get-sum", {"a": "two"}, self.server, url=self.url)
        self.assertEqual(result["error"]["code"], "E_TOOL_INVALID_ARGS")

    def test_answers_what_the_server_asks_its_client(self):
        sampled = self.everything("trigger-sampling-request", {"prompt": "hi"}, "--sample", "Grüße vom Modell")
        self.assertIn("Grüße vom Modell", sampled)
        elicited = self.everything("trigger-elicitation-request", {}, "--elicit", '{"name": "Mina"}')
        self.assertIn("Mina", elicited)
        declined = self.everything("trigger-elicitation-request", {}, "--elicit", "decline")
        self.assertIn("declined", declined)
        (self.folder / "here").mkdir()
        roots = self.everything("get-roots-list", {}, "--roots", "here")
        self.assertIn(str(self.folder / "here"), roots)

    def test_does_not_offer_what_it_cannot_answer(self):
        self.assertNotIn("trigger-sampling-request", self.tools("--names", *self.where()).out.split())

    def test_stops_a_long_operation(self):
        result = self.call("trigger-long-running-operation", {"duration": 600, "steps": 600}, self.server,
                           "--timeout-ms", "15000", url=self.url)
        self.assertEqual(result["error"]["code"], "E_TOOL_TIMEOUT")

    def test_reads_resources_and_prompts(self):
        done = self.gdn("mcp", "prompts", "--json", *self.where())
        self.assertIn("simple-prompt", [prompt["name"] for prompt in done.json["prompts"]], done.err)
        done = self.gdn("mcp", "resources", "--json", *self.where())
        resource = done.json["resources"][0]["uri"]
        words = [self.url, resource] if self.url else [resource, *self.where()]
        done = self.gdn("mcp", "read", *words)
        self.assertEqual(done.code, 0, done.err)
        self.assertTrue(done.out.strip())


class EverythingOverHttp(Everything):
    server = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.http = HttpServer(official("everything") + ["streamableHttp"])
        cls.url = f"http://127.0.0.1:{cls.http.port}/mcp"

    @classmethod
    def tearDownClass(cls):
        cls.http.close()
        super().tearDownClass()

    def test_says_where_it_could_not_reach_a_server(self):
        port = npm_support.free_port()
        done = self.gdn("mcp", "tools", f"http://127.0.0.1:{port}/mcp")
        self.assertNotEqual(done.code, 0)
        self.assertIn(str(port), done.err)

    def test_says_that_there_is_no_server_at_another_path(self):
        done = self.gdn("mcp", "tools", self.url + "/nothing")
        self.assertNotEqual(done.code, 0)
        self.assertIn("404", done.err)


class Ends(McpTest):
    """A server's program ends with the command that started it."""

    def processes(self):
        """Those whose arguments name the scratch folder."""
        found = []
        for cmdline in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = cmdline.read_bytes().split(b"\0")
            except OSError:
                continue
            if os.fsencode(self.folder) in words:
                found.append(cmdline.parent.name)
        return found

    def start(self, *words):
        child = subprocess.Popen([support.GDN, "mcp", *words, "--", *official("everything"), "stdio", self.folder],
                                 env=self.environment(), cwd=self.folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.kill)
        return child

    def test_ends_with_ctrl_c_and_leaves_nothing_behind(self):
        child = self.start("call", "trigger-long-running-operation", "duration=600", "steps=1200")
        self.assertIn(b"Starting", child.stderr.readline())  # the server is there
        self.assertTrue(self.processes())
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=DEADLINE)
        self.assertEqual(child.returncode, 130)
        self.assertEqual(self.processes(), [])

    def test_ends_when_it_is_killed(self):
        child = self.start("call", "trigger-long-running-operation", "duration=600", "steps=1200")
        self.assertIn(b"Starting", child.stderr.readline())
        child.kill()
        child.wait(timeout=DEADLINE)
        wait_until(lambda: not self.processes(), "the end of the server")


class Filesystem(McpTest):
    def test_writes_and_reads_in_its_folder_only(self):
        room = self.folder / "room"
        room.mkdir()
        server = official("filesystem") + [str(room)]
        written = self.output("write_file", {"path": str(room / "a.txt"), "content": "하나\n"}, server)
        self.assertIn("a.txt", json.dumps(written))
        self.assertEqual((room / "a.txt").read_text(), "하나\n")
        read = self.output("read_text_file", {"path": str(room / "a.txt")}, server)
        self.assertIn("하나", json.dumps(read, ensure_ascii=False))
        listed = self.output("list_directory", {"path": str(room)}, server)
        self.assertIn("a.txt", json.dumps(listed))
        refused = self.call("read_text_file", {"path": "/etc/hostname"}, server)
        self.assertEqual(refused["error"]["code"], "E_MCP_TOOL")
        self.assertIn("Access denied", refused["error"]["message"])


class Memory(McpTest):
    def test_remembers_from_one_process_to_the_next(self):
        memory = self.folder / "memory.jsonl"
        server = official("memory")
        options = ["--env", f"MEMORY_FILE_PATH={memory}"]
        entity = {"name": "Mina", "entityType": "person", "observations": ["likes tea"]}
        self.output("create_entities", {"entities": [entity]}, server, *options)
        graph = self.output("read_graph", {}, server, *options)
        self.assertEqual(graph["entities"], [entity])
        found = self.output("search_nodes", {"query": "tea"}, server, *options)
        self.assertEqual([one["name"] for one in found["entities"]], ["Mina"])

    def test_has_none_of_our_secrets_in_its_environment(self):
        done = self.gdn("mcp", "call", "get-env", "--json", "--", *official("everything"), "stdio",
                        OPENAI_API_KEY="sk-of-ours", PATH=os.environ["PATH"])
        self.assertEqual(done.json["status"], "ok", done.out)
        self.assertNotIn("sk-of-ours", done.out)
        self.assertNotIn("OPENAI_API_KEY", done.out)


class InAnAgent(SwarmTest):
    """The servers as sources of tools: one model that calls tools of all of them."""

    def test_an_agent_uses_the_tools_of_all_servers(self):
        # REQ: CAT-3
        http = HttpServer(official("everything") + ["streamableHttp"])
        self.addCleanup(http.close)
        room = self.folder / "room"
        room.mkdir()
        steps = [("files__list_allowed_directories", {}),
                 ("graph__create_entities", {"entities": [{"name": "tea", "entityType": "drink",
                                                           "observations": ["green"]}]}),
                 ("graph__read_graph", {}),
                 ("local__get-sum", {"a": 1, "b": 2}),
                 ("remote__echo", {"message": "over HTTP"})]
        replies = [{"when": {"role": "user"}, "calls": [{"tool": steps[0][0], "args": steps[0][1]}]}]
        for (before, _), (tool, arguments) in zip(steps, steps[1:]):
            replies.append({"when": {"tool": before, "status": "ok"}, "calls": [{"tool": tool, "args": arguments}]})
        replies.append({"when": {"tool": steps[-1][0], "status": "ok"}, "text": "{{output}}"})
        servers = {"files": self.program(official("filesystem") + [str(room)]),
                   "graph": {**self.program(official("memory")),
                             "env": {"MEMORY_FILE_PATH": str(self.folder / "memory.jsonl")}},
                   "local": self.program(official("everything") + ["stdio"]),
                   "remote": {"url": f"http://127.0.0.1:{http.port}/mcp"}}
        self.bundle_of(document("Extension", "servers", {"mcp": {"servers": servers}}),
                       agent("one", extensions=[{"ref": "Extension/servers"}]), swarm("one", ["one"]),
                       files={"one.script.yaml": {"replies": replies}})
        orchestrator = self.orchestrator()
        seen, end = orchestrator.turn("go")
        self.assertEqual(orchestrator.stop(), 0)
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertIn("Echo: over HTTP", json.dumps(end))
        self.assertIn('"green"', (self.folder / "memory.jsonl").read_text())
        called = [event["toolName"] for event in seen if event["type"] == "tool.called"]
        self.assertEqual(called, [tool for tool, _ in steps])

    @staticmethod
    def program(command):
        return {"command": command[0], "args": command[1:]}


if __name__ == "__main__":
    npm_support.need_packages()
    support.main()
