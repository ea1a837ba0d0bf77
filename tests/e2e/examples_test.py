"""The examples, and what `gdn init` makes, as a newcomer runs them: with no key, and nothing set up."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import DEADLINE, GDN, Done, GdnTest, main

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")


class ExamplesTest(GdnTest):
    """Each test has a state root of its own; built plugins are shared."""

    def setUp(self):
        super().setUp()
        state = tempfile.TemporaryDirectory()
        self.addCleanup(state.cleanup)
        self.state = pathlib.Path(state.name).resolve()

    def environment(self, **extra):
        own = {"GOONDAN_STATE_ROOT": str(self.state), "GOONDAN_CACHE_ROOT": self._state.name}
        found = super().environment(**extra)
        return {**{name: value for name, value in found.items() if name not in KEYS}, **own}

    def copy(self, name):
        """The example in the scratch folder, so that nothing is left in the sources."""
        return pathlib.Path(shutil.copytree(ROOT / "examples" / name, self.folder / name))

    def events(self, *words):
        """The events of a run that ends well, its result last."""
        done = self.gdn("run", *words, "--json")
        self.assertEqual(done.code, 0, done.err)
        return [json.loads(line) for line in done.out.splitlines()]

    def of_type(self, events, kind):
        return [event for event in events if event.get("type") == kind]

    def in_workspace(self, agent, name):
        """A file that an agent's tools have written."""
        found = list(self.state.glob(f"workspaces/*/instances/{agent}/default/workspace/{name}"))
        self.assertEqual(len(found), 1, f"{agent} has no {name}")
        return found[0].read_text()


class Quickstart(ExamplesTest):
    def test_the_writer_lets_the_reviewer_improve_the_haiku(self):  # REQ: HAND-1, HAND-3, HAND-4
        events = self.events(str(self.copy("quickstart")), "Write a haiku about the sea.")
        self.assertIn("The reviewed haiku is in haiku.txt, 71 bytes in all.", events[-1]["response"])
        self.assertEqual(self.in_workspace("writer", "haiku.txt"),
                         "The grey sea at dawn,\na lone boat goes out.\nThe gulls count the waves.\n")
        turns = {event["agentName"]: event["traceId"] for event in self.of_type(events, "turn.completed")}
        self.assertEqual(set(turns), {"writer", "reviewer"})
        self.assertEqual(len(set(turns.values())), 1, "one trace through both")
        failed = [event for event in self.of_type(events, "tool.completed") if event["status"] == "error"]
        self.assertEqual([event["error"]["code"] for event in failed], ["E_TOOL_INVALID_ARGS"])

    def test_the_demo_shows_it(self):
        done = Done(subprocess.run(["sh", self.copy("quickstart") / "demo.sh", GDN], env=self.environment(), timeout=DEADLINE,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.assertEqual(done.code, 0, done.err)
        for text in ("The reviewed haiku is in haiku.txt", "agents__request", "invoke_agent reviewer", "gdn init"):
            self.assertIn(text, done.out)


class TypeScript(ExamplesTest):
    def environment(self, **extra):
        return super().environment(**{"GOONDAN_SCRIPT_RUNTIME": str(GDN.parent.parent / "npm/bin/bun"), **extra})

    def test_its_tool_needs_no_agent(self):
        done = self.gdn("call", "words__count", "text=to be or not to be", "--bundle", str(self.copy("typescript")), "--json")
        self.assertEqual(done.json["output"], {"words": 6, "most": [
            {"word": "be", "times": 2}, {"word": "to", "times": 2}, {"word": "not", "times": 1}]})

    def test_its_extension_counts_over_restarts(self):  # REQ: MW-4, MW-5
        bundle = str(self.copy("typescript"))
        answers = [self.events(bundle, "to be or not to be")[-1]["response"] for _ in range(2)]
        self.assertEqual(answers, ["That was worth 1 calls so far.", "That was worth 3 calls so far."])
        self.assertIn("[debug] 4 different words", self.gdn("logs", "--bundle", bundle).out, "only gdn logs shows these")


class McpServer(ExamplesTest):
    def test_the_tools_of_the_server_are_the_agents(self):
        events = self.events(str(self.copy("mcp")), "buy milk")
        self.assertEqual(events[-1]["response"], 'Notes about milk: ["buy milk"]')
        self.assertEqual([event["toolName"] for event in self.of_type(events, "tool.completed")],
                         ["notes__add", "notes__search"])

    def test_the_trace_shows_how_long_the_server_took_to_start(self):
        bundle = self.copy("mcp")
        slow = bundle / "servers" / "notes.py"
        slow.write_text("import time\ntime.sleep(0.1)\n" + slow.read_text())
        self.events(str(bundle), "buy milk")
        self.assertIn("wait for MCP servers", self.gdn("trace", "last", "--bundle", str(bundle)).out)

    def test_it_can_be_tried_without_a_model(self):
        bundle = str(self.copy("mcp"))
        self.assertIn("notes", self.gdn("mcp", "list", "--bundle", bundle).out)
        self.assertIn("Keeps a note.", self.gdn("mcp", "tools", "notes", "--bundle", bundle).out)
        done = self.gdn("mcp", "call", "notes", "add", "text=buy milk", "--bundle", bundle, "--json")
        self.assertEqual(done.json["output"], "kept, 1 in all")


class ResearchTeam(ExamplesTest):
    def test_both_answers_reach_the_lead_later(self):  # REQ: HAND-6, HAND-7
        events = self.events(str(self.copy("research-team")), "Tell me about the octopus.")
        told = [event["text"] for event in self.of_type(events, "message.injected")]
        self.assertEqual(len(told), 2, told)
        report = self.in_workspace("lead", "report.md")
        for text in ("Aristotle described the octopus", "An octopus has three hearts"):
            self.assertEqual(report.count(text), 1, report)
            self.assertEqual(sum(text in one for one in told), 1, told)
        turns = self.of_type(events, "turn.completed")
        self.assertEqual({event["agentName"] for event in turns}, {"lead", "historian", "biologist"})
        self.assertIn("both answers are in report.md", events[-1]["response"])


class LongJob(ExamplesTest):
    def demo(self):
        return Done(subprocess.run(["sh", self.copy("long-job") / "demo.sh", GDN], env=self.environment(), timeout=DEADLINE,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))

    def test_the_result_reaches_the_agent_in_a_later_run(self):  # REQ: CALL-7
        done = self.demo()
        self.assertEqual(done.code, 0, done.err)
        begun, heard = done.out.index("Rendering has begun"), done.out.index("The film is ready.")
        self.assertLess(begun, heard)
        self.assertIn("the-sea.mp4", done.out[heard:])
        again = self.gdn("run", cwd=self.folder / "long-job")
        self.assertEqual((again.code, again.out), (0, ""), "it is told once")

    def test_a_job_that_fails_is_told_as_well(self):  # REQ: CALL-7
        bundle = self.copy("long-job")
        started = self.gdn("run", "The Sea", cwd=bundle)
        self.assertEqual(started.code, 0, started.err)
        handle = self.gdn("handles", "list", "--json", cwd=bundle).json["handles"][0]["handle"]
        failed = self.gdn("handles", "complete", handle, "--error", "out of film", cwd=bundle)
        self.assertEqual(failed.code, 0, failed.err)
        heard = self.gdn("run", cwd=bundle)
        self.assertEqual(heard.code, 0, heard.err)
        self.assertIn("The film could not be rendered.", heard.out)
        self.assertIn("out of film", heard.out)


class LocalModel(ExamplesTest):
    def test_asks_the_server_that_the_endpoint_names(self):  # REQ: TURN-2
        server = FakeModel(call_answer(("call_1", "file-system__write", '{"path": "a.txt", "content": "hi"}')),
                           text_answer("There is one file."))
        self.addCleanup(server.close)
        bundle = self.copy("local-model")
        text = (bundle / "goondan.yaml").read_text()
        self.assertIn("http://127.0.0.1:11434/v1", text)
        (bundle / "goondan.yaml").write_text(text.replace("http://127.0.0.1:11434/v1", server.endpoint))
        done = self.gdn("run", str(bundle), "List the files here.")
        self.assertEqual((done.code, done.out.strip()), (0, "There is one file."), done.err)
        self.assertEqual(self.in_workspace("helper", "a.txt"), "hi")
        self.assertEqual(server.keys, ["", ""], "no key is needed")
        first, second = server.requests
        self.assertEqual((first["model"], first["temperature"], first["max_tokens"], first["stream"]),
                         ("qwen3:8b", 0.2, 1000, True))
        self.assertEqual([message["role"] for message in first["messages"]], ["system", "user"])
        self.assertEqual(first["messages"][1]["content"], "List the files here.")
        self.assertIn("file-system__read", [tool["function"]["name"] for tool in first["tools"]])
        self.assertEqual([message["role"] for message in second["messages"]], ["system", "user", "assistant", "tool"])
        self.assertEqual(second["messages"][3]["tool_call_id"], "call_1")

    def test_a_server_that_does_not_run_is_named(self):
        bundle = self.copy("local-model")
        server = FakeModel(None)
        text = (bundle / "goondan.yaml").read_text().replace("http://127.0.0.1:11434/v1", server.endpoint)
        server.close()
        (bundle / "goondan.yaml").write_text(text.replace("  endpoint:", "  options: { maxRetries: 0 }\n  endpoint:"))
        done = self.gdn("run", str(bundle), "Hello?")
        self.assertEqual(done.code, 5, done.err)
        self.assertIn("Model/local", done.err)
        self.assertIn(f"127.0.0.1:{server.port}", done.err)


class Extension(ExamplesTest):
    def outcomes(self, bundle):
        events = self.events(str(bundle), "Go on.")
        ended = self.of_type(events, "tool.completed")
        return sorted((event["toolName"], event["status"], event.get("error", {}).get("code", "")) for event in ended)

    def test_a_budget_is_kept_also_in_the_next_run(self):  # REQ: MW-1, MW-2, MW-4, MW-5, CAT-3, CAT-4
        bundle = self.copy("extension")
        left, ran = ("budget__left", "ok", ""), ("bash__exec", "ok", "")
        self.assertEqual(self.outcomes(bundle), sorted([ran, ran, ("bash__exec", "error", "E_BUDGET"), left]))
        gone = ("bash__exec", "error", "E_TOOL_NOT_IN_CATALOG")
        self.assertEqual(self.outcomes(bundle), sorted([gone, gone, gone, left]))
        yaml = bundle / "goondan.yaml"
        yaml.write_text(yaml.read_text().replace("  config:", "  isolation: inProcess\n  config:"))
        self.assertEqual(self.outcomes(bundle), sorted([gone, gone, gone, left]), "in process, with the same state")

    def test_a_setup_that_fails_stops_the_agent_and_says_why(self):  # REQ: MW-6
        bundle = self.copy("extension")
        yaml = bundle / "goondan.yaml"
        yaml.write_text(yaml.read_text().replace("limits:", "limit:"))
        done = self.gdn("run", str(bundle), "Go on.")
        self.assertNotEqual(done.code, 0)
        for text in ("E_EXT_INIT", "call-budget", "config.limits is missing"):
            self.assertIn(text, done.err)


class Newcomer(ExamplesTest):
    def test_a_new_bundle_runs_at_once_without_a_key(self):  # REQ: TURN-2
        made = self.gdn("init", "mine")
        self.assertEqual(made.code, 0, made.err)
        self.assertIn('gdn run "', made.out)
        bundle = self.folder / "mine"
        strict = self.gdn("validate", "--strict", cwd=bundle)
        self.assertEqual((strict.code, strict.out), (0, "no problems found\n"))
        for message in ("Remember the milk.", "And the bread."):
            done = self.gdn("run", message, cwd=bundle)
            self.assertEqual(done.code, 0, done.err)
            self.assertIn("Noted in", done.out)
            self.assertIn("goondan.yaml says how to give me a real model", done.out)
        self.assertEqual(self.in_workspace("assistant", "notes.txt"), "Remember the milk.\nAnd the bread.\n")

    def real_models(self):
        """The two `spec`s of models that the comment of a new bundle shows."""
        lines = (self.folder / "goondan.yaml").read_text().splitlines()
        shown = [line[2:] for line in lines if line.startswith("#   ")]
        return shown[:3], shown[3:]

    def with_model(self, spec):
        text = (self.folder / "goondan.yaml").read_text()
        scripted = "  provider: scripted\n  model: ./scripts/assistant.yaml\n"
        self.assertEqual(text.count(scripted), 1)
        return text.replace(scripted, "\n".join(spec) + "\n")

    def test_the_models_of_its_comment_can_take_the_place_of_the_script(self):
        self.assertEqual(self.gdn("init").code, 0)
        anthropic, local = self.real_models()
        whole = self.with_model(anthropic)
        server = FakeModel(text_answer("Hello from a server."))
        self.addCleanup(server.close)
        served = self.with_model(local).replace("http://127.0.0.1:11434/v1", server.endpoint)
        (self.folder / "goondan.yaml").write_text(served)
        self.assertEqual(self.gdn("validate", "--strict").code, 0)
        self.assertEqual(self.gdn("run", "Hello").out.strip(), "Hello from a server.")
        (self.folder / "goondan.yaml").write_text(whole)
        self.assertEqual(self.gdn("validate", "--strict").code, 0)
        done = self.gdn("run", "Hello")
        self.assertEqual(done.code, 3, done.err)
        self.assertIn("ANTHROPIC_API_KEY", done.err)


if __name__ == "__main__":
    main()
