#!/usr/bin/env python3
"""The commands that look at swarms and intervene, against a real one: ps, logs, trace, instance, restart, handles; and
how `gdn run` itself ends.

usage: swarm_cli_test.py GDN"""
import json
import os
import pathlib
import re
import signal
import subprocess

import support
from support import DEADLINE, GDN
from swarm_support import SwarmTest, agent, document, swarm, wait_until

COMMANDS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "commands.md"
JOB = """
#include <goondan/plugin.h>
using namespace goondan;
Result<Json> start(ToolContext&, const JsonObject& input) {
  return JsonObject{{"__async", true}, {"handle", input.at("handle")}};
}
GDN_PLUGIN({"start", start})
"""
SCRIPT = {"replies": [
    {"when": {"role": "user", "contains": "sleep"}, "text": "Wait a little.",
     "calls": [{"tool": "bash__exec", "args": {"command": "echo begun > begun; sleep 50"}}]},
    {"when": {"role": "user", "contains": "list"}, "calls": [{"tool": "bash__exec", "args": {"command": "echo 하나"}}]},
    {"when": {"role": "user", "contains": "ask"},
     "calls": [{"tool": "agents__request", "args": {"target": "helper", "input": "help"}}]},
    {"when": {"role": "user", "contains": "busy"}, "error": {"code": "E_MODEL_BUSY", "message": "too many"}},
    {"when": {"role": "user", "contains": "locked"}, "error": {"code": "E_MODEL_AUTH", "message": "no such key"}},
    {"when": {"role": "user"}, "text": "heard {{input}}"},
    {"when": {"tool": "bash__exec", "status": "ok"}, "text": "it said {{output.stdout}}"},
    {"when": {"tool": "bash__exec", "status": "error"}, "text": "it failed: {{error.code}}"},
    {"when": {"tool": "agents__request", "status": "ok"}, "text": "helper: {{output.response}}"}]}
HELPER = {"replies": [{"text": "turn {{turn}}"}]}


class SwarmCliTest(SwarmTest):
    def setUp(self):
        super().setUp()
        self.write_bundle()

    def write_bundle(self, *more, **files):
        self.bundle_of(agent("worker", ["bash", "agents"]), agent("helper"), swarm("worker", ["worker", "helper"]), *more,
                       files={"worker.script.yaml": SCRIPT, "helper.script.yaml": HELPER, **files})

    def cli(self, *words, **more):
        return self.gdn(*words, cwd=self.bundle, **more)

    def good(self, *words, **more):
        done = self.cli(*words, **more)
        self.assertEqual(done.code, 0, done.err)
        return done

    def start(self, *words, **streams):
        """`gdn` in the bundle's folder, in a process group of its own."""
        process = subprocess.Popen([GDN, *words], cwd=self.bundle, env=self.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **streams)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def begun(self, key="default"):
        """Until the shell command of the worker runs."""
        wait_until(lambda: list(self.state.glob(f"workspaces/*/instances/worker/{key}/workspace/begun")), "the call")

    def state_of(self, agent, key="default"):
        swarms = self.good("ps", "--json").json
        return next((one["state"] for one in swarms[0]["agents"]
                     if (one["agent"], one["instanceKey"]) == (agent, key)), None) if swarms else None


class Looking(SwarmCliTest):
    def test_nothing_runs(self):
        for words in (("ps",), ("ps", "--json")):
            done = self.good(*words)
            self.assertEqual(done.out, "[]\n" if "--json" in words else "")
        self.assertIn("nothing runs", self.good("ps").err)
        for words in (("logs",), ("trace", "last"), ("instance", "list"), ("handles", "list"), ("restart",)):
            done = self.cli(*words)
            self.assertEqual((done.code, done.out), (1, ""), words)
            self.assertIn("has not been run yet", done.err)

    def test_ps_shows_agents_and_what_they_do(self):
        runtime = self.orchestrator()
        self.assertIn("no agent has been started yet", self.good("ps").out)
        runtime.turn("ask")
        text = self.good("ps").out
        self.assertRegex(text, r"default  workspace default-[0-9a-f]{8}  pid " + str(runtime.process.pid))
        self.assertRegex(text, r"\n  worker +default +idle +\d+ +0 +1 +0 +\d+ MB\n")
        self.assertRegex(text, r"\n  helper +default +idle ")
        runtime.submit("sleep", key="other")
        self.begun("other")
        self.assertEqual(self.state_of("worker", "other"), "working")
        runtime.kill()
        self.assertIn("nothing runs", self.good("ps").err)

    def test_a_bundle_that_is_broken_meanwhile_hides_nothing(self):
        runtime = self.orchestrator()
        runtime.turn("hello")
        (self.bundle / "goondan.yaml").write_text("x: [\n")
        self.assertIn("worker", self.good("ps").out)
        self.assertIn("hello", self.good("logs").out)
        self.assertIn("invoke_agent worker", self.good("trace", "last").out)
        self.assertIn("worker", self.good("instance").out)
        self.good("handles")

    def test_logs_with_filters(self):
        runtime = self.orchestrator()
        _, end = runtime.turn("ask")
        runtime.turn("hello", key="k")
        text = self.good("logs").out
        for part in ("worker  turn: ask", "calls agents__request", "helper  turn: help", "worker@k  turn: hello"):
            self.assertIn(part, text)
        self.assertEqual(self.good("logs", "-n", "2").out, "".join(text.splitlines(True)[-2:]))
        self.assertEqual(self.good("logs", "-n", "0").out, "")
        self.assertNotIn(" worker", self.good("logs", "--agent", "helper").out)
        self.assertNotIn("ask", self.good("logs", "--instance-key", "k").out)
        trace = self.good("logs", "--trace", end["traceId"][:12], "--json").out.splitlines()
        events = [json.loads(line) for line in trace]
        self.assertEqual({event["traceId"] for event in events}, {end["traceId"]})
        self.assertEqual({event["agentName"] for event in events}, {"worker", "helper"})
        nobody = self.good("logs", "--agent", "nobody")
        self.assertEqual((nobody.out, nobody.err), ("", "nothing in the log fits\n"))
        for wrong in ("-1", "many"):
            self.assertEqual(self.cli("logs", "-n", wrong).code, 2)

    def test_logs_follow_through_a_restart_and_end_with_ctrl_c(self):
        runtime = self.orchestrator()
        runtime.turn("first")
        following = self.start("logs", "-f", "-n", "1")
        self.assertIn(b"turn done", following.stdout.readline())
        runtime.turn("second")
        self.assertIn(b"turn: second", following.stdout.readline())
        self.good("restart")
        self.assertEqual(runtime.owner.notices.get(timeout=DEADLINE)["kind"], "restarting")
        self.assertEqual(runtime.owner.notices.get(timeout=DEADLINE)["kind"], "started")
        runtime.owner.post("watch")
        runtime.turn("third")
        seen = b""
        while b"turn: third" not in seen:
            line = following.stdout.readline()
            self.assertTrue(line, seen)
            seen += line
        following.send_signal(signal.SIGINT)
        self.assertEqual(following.wait(timeout=DEADLINE), 0)
        self.assertEqual(following.stderr.read(), b"")

    def test_trace_as_text_json_and_otlp(self):
        runtime = self.orchestrator()
        _, end = runtime.turn("ask")
        text = self.good("trace", "last").out
        self.assertRegex(text, r"(?s)^invoke_agent worker.*execute_tool agents__request.*invoke_agent helper.*chat ")
        self.assertEqual(self.good("trace", end["traceId"][:10]).out, text)
        self.assertRegex(self.good("trace").out, rf"^{end['traceId']}  .* spans  invoke_agent worker\n$")
        spans = self.good("trace", "last", "--format", "json").json
        self.assertEqual({span["traceId"] for span in spans}, {end["traceId"]})
        known = {span["spanId"] for span in spans}
        self.assertEqual(len([span for span in spans if span["parentSpanId"] not in known]), 1, "one tree")
        otlp = self.good("trace", "last", "--format", "otlp").json
        exported = [span for resource in otlp["resourceSpans"] for scope in resource["scopeSpans"]
                    for span in scope["spans"]]
        self.assertEqual(len(exported), len(spans))
        keys = {attribute["key"] for span in exported for attribute in span["attributes"]}
        self.assertLessEqual({"gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.agent.name"}, keys)
        self.assertEqual(len(self.good("trace", "--json", "--limit", "1").json), 1)
        none = self.cli("trace", "zzz")
        self.assertEqual(none.code, 1)
        self.assertIn("there is no trace 'zzz'", none.err)


class Intervening(SwarmCliTest):
    def test_instances_are_listed_and_deleted_whether_the_swarm_runs_or_not(self):
        runtime = self.orchestrator()
        runtime.turn("hello")
        runtime.turn("hello", key="k")
        listed = self.good("instance", "list", "--json").json
        self.assertEqual([(one["agent"], one["instanceKey"], one["messages"]) for one in listed],
                         [("worker", "default", 2), ("worker", "k", 2)])
        self.assertIn("deleted worker@k", self.good("instance", "delete", "worker", "k").err)
        self.assertNotIn(" k ", self.good("instance").out)
        runtime.kill()
        self.good("instance", "delete", "worker", "default")
        self.assertIn("there are no instances", self.good("instance", "list").err)
        self.assertFalse(list(runtime.folder.glob("instances/*/*/state.db")))
        gone = self.cli("instance", "delete", "worker", "k")
        self.assertEqual(gone.code, 1)
        self.assertIn("there is no instance 'worker@k'", gone.err)

    def test_an_instance_that_works_can_be_deleted(self):
        runtime = self.orchestrator()
        sent = runtime.submit("sleep")
        self.begun()
        self.good("instance", "delete", "worker", "default")
        events = runtime.owner.observe_until(
            lambda e: e.get("id") == sent["id"] and e["type"] in ("message.finished", "turn.failed"))
        self.assertIn("error", events[-1])
        self.assertEqual(self.good("instance", "list", "--json").json, [])
        _, end = runtime.turn("hello")
        self.assertEqual(end["response"], "heard hello", "the next message begins a new conversation")

    def helper_turn(self, runtime):
        return runtime.turn("?", agent="helper")[1]["response"]

    def await_restart(self, runtime):
        for kind in ("restarting", "started"):
            self.assertEqual(runtime.owner.notices.get(timeout=DEADLINE)["kind"], kind)
        runtime.owner.post("watch")

    def test_restart_keeps_conversations_and_fresh_forgets_them(self):
        runtime = self.orchestrator()
        self.assertEqual(self.helper_turn(runtime), "turn 1")
        self.good("restart")
        self.await_restart(runtime)
        self.assertEqual(self.helper_turn(runtime), "turn 2")
        self.good("restart", "--fresh")
        self.await_restart(runtime)
        self.assertEqual(self.helper_turn(runtime), "turn 1")

    def test_restart_of_one_agent(self):
        runtime = self.orchestrator()
        self.helper_turn(runtime)
        runtime.turn("hello")
        pids = {one["agent"]: one["pid"] for one in runtime.agents()}
        (self.bundle / "helper.script.yaml").write_text(json.dumps({"replies": [{"text": "new {{turn}}"}]}))
        self.good("restart", "--agent", "helper")
        wait_until(lambda: self.helper_turn(runtime).startswith("new "), "the new script")
        after = {one["agent"]: one["pid"] for one in runtime.agents()}
        self.assertEqual(after["worker"], pids["worker"])
        self.assertNotEqual(after["helper"], pids["helper"])
        self.good("restart", "--agent", "helper", "--fresh")
        wait_until(lambda: self.helper_turn(runtime) == "new 1", "the new conversation")
        unknown = self.cli("restart", "--agent", "nobody")
        self.assertNotEqual(unknown.code, 0)
        self.assertIn("nobody", unknown.err)

    def test_a_broken_bundle_is_not_restarted_with(self):
        runtime = self.orchestrator()
        self.helper_turn(runtime)
        good = (self.bundle / "goondan.yaml").read_text()
        (self.bundle / "goondan.yaml").write_text(good.replace("Agent/helper", "Agent/hepler"))
        refused = self.cli("restart")
        self.assertEqual(refused.code, 3, refused.err)
        self.assertIn("hepler", refused.err)
        self.assertEqual(self.helper_turn(runtime), "turn 2", "the old one goes on")
        (self.bundle / "goondan.yaml").write_text(good)
        self.good("restart")
        self.await_restart(runtime)
        self.assertEqual(self.helper_turn(runtime), "turn 3")

    def test_restart_where_nothing_runs(self):
        self.good("run", "hello")
        done = self.cli("restart")
        self.assertEqual(done.code, 1)
        self.assertIn("E_NOT_RUNNING", done.err)


class Handles(SwarmTest):
    def environment(self, **extra):
        return {**super().environment(**extra), "GOONDAN_CACHE_ROOT": self._state.name}

    def cli(self, *words):
        return self.gdn("handles", *words, "--bundle", str(self.bundle))

    def setUp(self):
        super().setUp()
        script = {"replies": [
            {"when": {"role": "user", "matches": "begin (.+)"},
             "calls": [{"tool": "job__start", "args": {"handle": "{{match[1]}}"}}]},
            {"when": {"role": "user"}, "text": "heard: {{input}}"},
            {"when": {"tool": "job__start"}, "text": "started {{handle}}"}]}
        tool = {"entry": "./job.cc", "exports": [
            {"name": "start", "parameters": {"type": "object", "properties": {"handle": {"type": "string"}}}}]}
        self.bundle_of(document("Tool", "job", tool), agent("a", ["job"]), swarm("a", ["a"]),
                       files={"a.script.yaml": script, "job.cc": JOB})

    def test_list_wait_complete_cancel(self):
        runtime = self.orchestrator()
        for handle in ("h1", "h2", "h3"):
            runtime.turn("begin " + handle)
        self.assertRegex(self.cli("list").out, r"h1 +pending +a +default +job__start ")
        self.assertEqual(self.cli("wait", "h1", "--timeout-ms", "50").code, 8)
        self.assertEqual(self.cli("complete", "h1", "--output", '{"broken').code, 0)
        waited = self.cli("wait", "h1", "--json")
        self.assertEqual((waited.code, waited.json["output"]), (0, '{"broken'), "what is no JSON is text")
        self.assertEqual(self.cli("complete", "h2", "--error", "no space").code, 0)
        self.assertEqual(self.cli("wait", "h2", "--json").json["error"]["message"], "no space")
        self.assertEqual(self.cli("cancel", "h3").code, 0)
        self.assertEqual(self.cli("complete", "h1", "--output", "1", "--error", "x").code, 2)
        self.assertEqual(self.cli("complete").code, 2)
        statuses = {one["handle"]: one["status"] for one in self.cli("list", "--json").json["handles"]}
        self.assertEqual(statuses, {"h1": "ok", "h2": "error", "h3": "cancelled"})

    def test_where_nothing_runs(self):
        runtime = self.orchestrator()
        runtime.turn("begin h1")
        runtime.kill()
        self.assertIn("E_NOT_RUNNING", self.cli("wait", "h1").err)
        self.assertEqual(self.cli("complete", "h1", "--output", "5").code, 0)
        self.assertEqual(self.cli("wait", "h1", "--json").json["output"], 5)
        self.assertIn("E_HANDLE_NOT_FOUND", self.cli("wait", "h9").err)
        done = self.gdn("run", str(self.bundle))
        self.assertEqual(done.code, 0, done.err)
        self.assertIn("h1", done.out, "its agent hears of it with the next run")


class Documented(SwarmTest):
    def options_of(self, *words):
        return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", self.gdn(*words, "--help").out))

    def test_every_option_is_on_the_page_of_commands_and_every_one_there_exists(self):
        page = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", COMMANDS.read_text()))
        commands = set(re.findall(r"^  (\w+) {2,}", self.gdn("--help").out.partition("Subcommands:")[2], re.MULTILINE))
        self.assertLessEqual({"run", "ps", "call"}, commands)
        verbs = {"auth": ("login", "list", "status", "logout", "rotate-key"), "bundle": ("log", "diff", "rollback"), "instance": ("list", "delete"),
                 "handles": ("list", "wait", "complete", "cancel"), "new": ("tool",),
                 "mcp": ("list", "tools", "call", "resources", "read", "prompts", "prompt", "approve", "import")}
        found = self.options_of()
        for command in commands:
            for words in [(command, verb) for verb in verbs.get(command, ())] or [(command,)]:
                found |= self.options_of(*words)
        self.assertEqual(found - page, set(), "not documented")
        self.assertEqual(page - found, set(), "documented and not there")


class Running(SwarmCliTest):
    def test_exit_codes_of_failures(self):
        for message, code, name in (("busy", 10, "E_MODEL_BUSY"), ("locked", 6, "E_MODEL_AUTH")):
            done = self.cli("run", message)
            self.assertEqual(done.code, code, done.err)
            self.assertIn(name, done.err)
            self.assertEqual(done.out, "")
            result = json.loads(self.cli("run", "--json", message).out.splitlines()[-1])
            self.assertEqual((result["type"], result["status"], result["error"]["code"]), ("run.result", "error", name))
        mixed = self.cli("run", stdin=b"hello\nbusy\nbye\n")
        self.assertEqual((mixed.code, mixed.out), (10, "heard hello\nheard bye\n"), "the others are answered")

    def test_refused_command_lines(self):
        for words, code, text in ((("--agent", "wroker", "hi"), 3, "Did you mean worker?"),
                                  (("--swarm", "none", "hi"), 3, "--swarm: default"),
                                  (("--env-file", "none", "hi"), 3, "there is no file 'none'"),
                                  (("two", "words", "more"), 2, "put the message into quotes"),
                                  (("../nowhere",), 2, "there is no folder '../nowhere'"),
                                  (("nowhere", "hi"), 2, "there is no folder 'nowhere'"),
                                  (("",), 2, "the message is empty")):
            done = self.cli("run", *words)
            self.assertEqual((done.code, done.out), (code, ""), done.err)
            self.assertIn(text, done.err)
        elsewhere = self.gdn("run", "examples/nowhere")
        self.assertEqual(elsewhere.code, 3)
        self.assertIn("'examples/nowhere' was taken for the message", elsewhere.err)

    def test_a_missing_key_is_told_once_with_its_place(self):
        path = self.bundle / "goondan.yaml"
        model = document("Model", "worker-model", {"provider": "anthropic", "model": "m",
                                                   "apiKey": {"valueFrom": {"env": "GDN_TEST_NO_SUCH_KEY"}}})
        path.write_text(model + "\n---\n" + path.read_text().split("\n---\n", 1)[1])
        done = self.cli("run", "hi")
        self.assertEqual(done.code, 3)
        self.assertEqual(done.err.count("is not set"), 1, done.err)
        self.assertRegex(done.err, r"goondan\.yaml:\d+:\d+: .*GDN_TEST_NO_SUCH_KEY")
        self.assertIn(".env", done.err)

    def test_closed_standard_streams(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- 2>&-"):
            for message in ("", "hello"):
                done = subprocess.run(["sh", "-c", f'exec "$0" run {message} {closed}', GDN], cwd=self.bundle,
                                      env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=DEADLINE)
                lost = message and closed == ">&-"
                self.assertEqual(done.returncode, 1 if lost else 0, (closed, message, done.stderr))
                if message and not lost:
                    self.assertEqual(done.stdout, b"heard hello\n")

    def test_one_interrupt_cancels_the_call_and_the_turn_goes_on(self):  # REQ: CALL-10
        running = self.start("run", "sleep")
        self.begun()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=DEADLINE)
        self.assertEqual((running.returncode, out), (0, b"it failed: E_TOOL_CANCELLED\n"), err)
        self.assertIn(b"stopping", err)

    def test_sigterm_and_sighup_leave_and_the_next_run_goes_on(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            key = f"k{int(number)}"
            running = self.start("run", "--instance-key", key, "sleep")
            self.begun(key)
            pids = [self.good("ps", "--json").json[0]["pid"]]
            running.send_signal(number)
            self.assertEqual(running.wait(timeout=DEADLINE), 130)
            wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "the end of all")
            self.assertIn("nothing runs", self.good("ps").err)
            left = self.good("run", "--instance-key", key)
            self.assertRegex(left.out, r"^it failed: E_TOOL_(INTERRUPTED|CANCELLED)\n$", left.err)

    def test_a_second_run_goes_on_when_the_first_leaves(self):
        first = self.start("run", "--instance-key", "one", "sleep")
        self.begun("one")
        second = self.start("run", "--instance-key", "two", "sleep")
        self.begun("two")
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(timeout=DEADLINE), 130)
        out, err = second.communicate(timeout=DEADLINE)
        self.assertEqual(second.returncode, 0, err)
        self.assertRegex(out.decode(), r"^it failed: E_TOOL_(INTERRUPTED|CANCELLED)\n$")
        self.assertIn(b"attached", err)
        self.assertNotIn(b"unexpectedly", err)


if __name__ == "__main__":
    support.main()
