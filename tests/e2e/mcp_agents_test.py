#!/usr/bin/env python3
"""MCP servers as sources of tools, in whole swarms: a model that is played by the test and records what it is shown,
and a server that changes, dies, hangs and tells secrets.

usage: mcp_agents_test.py GDN"""
import json
import os
import pathlib
import signal
import subprocess
import sys

import support
from support import DEADLINE
from swarm_support import SwarmTest, document, swarm, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

SERVER = pathlib.Path(__file__).resolve().parents[1] / "support" / "mcp_agent_server.py"
SECRETS = ["c0mes-from-a-plain-name", "t0ken-that-is-literal", "gate-keeper-9-8-7", "bearer-of-b4d-news"]


def calls(*names):
    """One answer of the model: these tools at once; a name, or a name with its arguments."""
    pairs = [name if isinstance(name, tuple) else (name, {}) for name in names]
    return call_answer(*[(f"c{i}", name, json.dumps(arguments)) for i, (name, arguments) in enumerate(pairs)])


class McpAgents(SwarmTest):
    def setUp(self):
        super().setUp()
        self.notes = self.folder / "notes"

    def server(self, **fields):
        return {"command": sys.executable, "args": [str(SERVER), str(self.notes)], **fields}

    def noted(self, key):
        if not self.notes.exists():
            return []
        lines = [json.loads(line) for line in self.notes.read_text().splitlines()]
        return [line[key] for line in lines if key in line]

    def start(self, servers, *answers, **more):
        model = FakeModel(*answers)
        self.addCleanup(model.close)
        policy = {"policy": more.pop("policy")} if "policy" in more else {}
        self.bundle_of(
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint,
                                    "apiKey": {"value": "k"}}),
            document("Extension", "servers", {"mcp": {"servers": servers}}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "tools": [{"ref": "Tool/bash"}],
                                    "extensions": [{"ref": "Extension/servers"}], **policy}),
            swarm("a", ["a"]), files=more.pop("files", None))
        return model, self.orchestrator(**more)

    @staticmethod
    def shown(request):
        return {tool["function"]["name"]: tool["function"] for tool in request.get("tools", [])}

    @staticmethod
    def results(events):
        """How the calls ended, by their tools."""
        return {event["toolName"]: event.get("error", {}).get("code", event["status"])
                for event in events if event["type"] == "tool.completed"}

    @staticmethod
    def logged(events):
        return "\n".join(event["text"] for event in events if event["type"] == "extension.log")


class Changes(McpAgents):
    def check_growth(self, servers):
        model, runtime = self.start(servers, calls("srv__grow"), calls("srv__grown"), calls("srv__shrink"),
                                    text_answer("done"))
        _, end = runtime.turn("go")
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertEqual(["srv__grown" in self.shown(request) for request in model.requests], [False, True, True, False])
        self.assertEqual(self.noted("called"), ["grow", "grown", "shrink"])

    def test_tools_that_come_and_go_are_there_or_not_in_the_next_step(self):  # REQ: CAT-3
        self.check_growth({"srv": self.server()})

    def test_the_same_by_http(self):
        self.check_growth({"srv": {"url": self.by_http()}})

    def test_what_a_server_says_beside_its_answers_is_heard(self):
        model, runtime = self.start({"srv": {"url": self.by_http()}}, calls(("srv__grow", {"beside": True})),
                                    text_answer("done"))

        def grown():  # two connections: nothing says which is heard first
            runtime.turn("and now?")
            return "srv__grown" in self.shown(model.requests[-1])
        wait_until(grown, "the new tool")

    def by_http(self):
        process = subprocess.Popen([sys.executable, str(SERVER), str(self.notes), "--http"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        return process.stdout.readline().decode().strip()

    def test_a_tool_whose_description_changes_is_taken_away_until_a_person_agrees(self):
        model, runtime = self.start({"srv": self.server()}, calls("srv__twist"), calls("srv__echo"), text_answer("done"))
        events, end = runtime.turn("go")
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertEqual(["srv__echo" in self.shown(request) for request in model.requests], [True, False, False])
        self.assertEqual(self.results(events)["srv__echo"], "E_TOOL_NOT_IN_CATALOG")
        self.assertNotIn("echo", self.noted("called"))
        self.assertIn("'echo' is disabled: its definition (description) has changed", self.logged(events))
        # It says so to every process of the server that it starts.
        self.server_says_it_at_once()
        done = self.gdn("mcp", "approve", "srv", "echo", "--bundle", str(self.bundle))
        self.assertEqual(done.code, 0, done.err)
        runtime.turn("again")
        self.assertIn("sends your keys along", self.shown(model.requests[-1])["srv__echo"]["description"])

    def server_says_it_at_once(self):
        """`gdn mcp` starts a process of its own, which must say the same as the one of the agent."""
        text = (self.bundle / "goondan.yaml").read_text()
        changed = self.folder / "changed.py"
        changed.write_text(SERVER.read_text().replace('"says what it is told"',
                                                      '"says what it is told, and sends your keys along"'))
        (self.bundle / "goondan.yaml").write_text(text.replace(str(SERVER), str(changed)))

    def test_names_of_others_are_never_taken(self):  # REQ: CAT-4
        model, runtime = self.start({"srv": self.server()}, text_answer("done"))
        runtime.turn("go")
        shown = self.shown(model.requests[0])
        self.assertIn("shell", shown["bash__exec"]["description"].lower())
        for name in shown:
            self.assertRegex(name, r"^[A-Za-z0-9_-]{1,64}$")
        self.assertEqual(len([name for name in shown if name.startswith("srv__")]), 11)
        runtime.stop()
        self.bundle_of(document("Extension", "servers", {"mcp": {"servers": {"ba-sh": self.server()}}}))
        done = self.gdn("validate", str(self.bundle))
        self.assertIn("looks like, that of the built-in tool `bash`", done.out + done.err)


class BadDays(McpAgents):
    def test_a_server_that_dies_in_a_call_says_why_and_is_there_for_the_next(self):
        _, runtime = self.start({"srv": self.server()}, calls("srv__die"), calls(("srv__echo", {"text": "back"})),
                                text_answer("done"))
        events, end = runtime.turn("go")
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertEqual(self.results(events), {"srv__die": "E_MCP_SERVER", "srv__echo": "ok"})
        failed = next(event for event in events if event["type"] == "tool.completed" and event["status"] == "error")
        self.assertIn("out of memory, or so", failed["error"]["message"])
        self.assertEqual(len(self.noted("pid")), 2)

    def test_a_call_that_never_ends_is_stopped_and_its_late_answer_is_dropped(self):
        _, runtime = self.start({"srv": self.server()}, calls("srv__wait"), calls(("srv__echo", {"text": "mine"})),
                                text_answer("done"), policy={"tools": {"timeoutMs": 5000}})
        events, end = runtime.turn("go")
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertEqual(self.results(events), {"srv__wait": "E_TOOL_TIMEOUT", "srv__echo": "ok"})
        self.assertEqual(self.noted("cancelled"), self.noted("waits"))
        echoed = [event for event in events if event["type"] == "tool.completed" and event["toolName"] == "srv__echo"]
        self.assertNotIn("late", json.dumps(echoed))

    def test_nothing_outlives_an_agent_that_is_killed(self):
        model, runtime = self.start({"srv": self.server()}, calls("srv__spawn"), calls("srv__wait"), text_answer("done"))
        runtime.submit("go")
        wait_until(lambda: self.noted("waits"), "the call that waits")
        result = next(part for part in model.requests[-1]["messages"] if part["role"] == "tool")
        ours = [self.noted("pid")[0], int(result["content"].strip('"'))]
        self.assertTrue(all(pathlib.Path(f"/proc/{pid}").exists() for pid in ours), ours)
        agent = next(one for one in runtime.agents() if one["agent"] == "a")
        os.kill(agent["pid"], signal.SIGKILL)
        wait_until(lambda: not any(self.lives(pid) for pid in ours), "the end of all that the server started")

    @staticmethod
    def lives(pid):
        try:
            return ") Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False

    def test_a_server_that_is_not_there_stops_only_those_that_require_it(self):
        broken = {"command": "no-such-program-anywhere"}
        _, runtime = self.start({"broken": broken, "srv": self.server()}, calls("srv__echo"), text_answer("done"))
        events, end = runtime.turn("go")
        self.assertEqual((end["type"], self.results(events)["srv__echo"]), ("turn.completed", "ok"))
        self.assertIn("no-such-program-anywhere", self.logged(events))
        runtime.stop()
        _, runtime = self.start({"broken": {**broken, "required": True}}, text_answer("done"))
        _, end = runtime.turn("go")
        self.assertEqual((end["type"], end["error"]["code"]), ("turn.failed", "E_MCP_SERVER"))
        self.assertIn("no-such-program-anywhere", end["error"]["message"])

    def test_many_instances_at_once_share_the_pins(self):
        _, runtime = self.start({"srv": self.server()}, text_answer("done"))
        accepted = {runtime.submit("go", key=f"k{i}")["id"] for i in range(6)}
        ended = []
        while len(ended) < len(accepted):
            event = runtime.owner.observations.get(timeout=DEADLINE)
            if event["type"] in ("turn.completed", "turn.failed"):
                ended.append(event["type"])
        self.assertEqual(set(ended), {"turn.completed"})
        pins = json.loads((self.state / "mcp-pins.json").read_text())
        names = [pin["tool"] for pin in pins["tools"]]
        self.assertEqual((len(names), len(set(names))), (11, 11))


class Secrets(McpAgents):
    def check_nothing_leaks(self, servers, **environment):
        model, runtime = self.start(servers, calls("srv__leak"), calls("srv__fail"), text_answer("done"),
                                    files={".env": f"OF_A_FILE={SECRETS[2]}\n"}, **environment)
        events, end = runtime.turn("go")
        self.assertEqual(end["type"], "turn.completed", end)
        runtime.stop()
        self.assertIn("[redacted]", self.logged(events) + json.dumps(events))
        everything = {"the events": json.dumps(events), "what the model sees": json.dumps(model.requests)}
        for path in self.state.rglob("*"):
            if path.is_file():
                everything[str(path)] = path.read_bytes().decode("utf-8", "replace")
        for where, text in everything.items():
            for secret in SECRETS:
                self.assertNotIn(secret, text, where)

    def test_what_a_program_is_given_turns_up_nowhere(self):  # R27
        self.check_nothing_leaks({"srv": self.server(env={"PLAIN_NAME": {"valueFrom": {"env": "OUR_TOKEN"}},
                                                          "API_TOKEN": SECRETS[1]})}, OUR_TOKEN=SECRETS[0])

    def test_what_is_sent_in_headers_turns_up_nowhere(self):
        url = Changes.by_http(self)
        self.check_nothing_leaks({"srv": {"url": url, "headers": {
            "Authorization": "Bearer " + SECRETS[3], "X-Gate": {"valueFrom": {"env": "OF_A_FILE"}}}}})


if __name__ == "__main__":
    support.main()
