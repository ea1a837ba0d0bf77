"""Agents that talk to each other: real processes, the scripted model, the `agents` tool as S2 and S4 describe it."""
import os
import signal
import unittest

from swarm_support import SwarmTest, agent, swarm, wait_until


def replies(*given):
    return {"replies": list(given)}


def on_user(**answer):
    return {"when": {"role": "user"}, **answer}


def on_result(tool, **answer):
    return {"when": {"tool": tool}, **answer}


def call(tool, **args):
    return {"tool": tool, "args": args}


def results(events, tool):
    return [e for e in events if e["type"] == "tool.completed" and e["toolName"] == tool]


class AgentsTest(SwarmTest):
    def team(self, scripts, **spec):
        """Agents with the tools `agents` and `bash`, one for each script; the first is the entry agent."""
        names = list(scripts)
        self.bundle_of(*(agent(name, ["agents", "bash"]) for name in names), swarm(names[0], names, **spec),
                       files={f"{name}.script.yaml": script for name, script in scripts.items()})
        return self.orchestrator()

    def asking(self, **args):
        """Agent `a` that makes one request and tells what came of it."""
        return replies(on_user(calls=[call("agents__request", **args)]),
                       {"when": {"tool": "agents__request", "status": "ok"}, "text": "got {{output.response}}"},
                       {"when": {"tool": "agents__request", "status": "error"}, "text": "{{error.code}}: {{error.message}}"})

    def test_a_request_is_answered_by_an_agent_that_is_started_for_it(self):  # REQ: HAND-3 HAND-4 HAND-6
        runtime = self.team({"a": self.asking(target="b", input="how much?", metadata={"k": 1}),
                             "b": replies(on_user(text="42, since you ask '{{input}}'"))})
        events, end = runtime.turn("go", key="k1")
        self.assertEqual(end["response"], "got 42, since you ask 'how much?'")
        output = results(events, "agents__request")[0]
        self.assertEqual(output["status"], "ok")
        turns = {e["agentName"]: e for e in events if e["type"] == "turn.started"}
        self.assertEqual(turns["b"]["instanceKey"], "k1", "the caller's key is the default")
        self.assertEqual(turns["a"]["traceId"], turns["b"]["traceId"])
        self.assertTrue(turns["b"].get("parentSpanId"))

    def test_cycles_are_refused_at_once_with_their_chain(self):  # REQ: HAND-5
        for names in (["a"], ["a", "b"], ["a", "b", "c"]):
            with self.subTest(names=names):
                self.setUp()
                scripts = {name: self.asking(target=names[(i + 1) % len(names)], input="x", instanceKey=f"k{i}")
                           for i, name in enumerate(names)}
                runtime = self.team(scripts)
                events, end = runtime.turn("go")
                refused = [e for e in results(events, "agents__request") if e["status"] == "error"]
                self.assertEqual(len(refused), 1)
                self.assertEqual(refused[0]["error"]["code"], "E_AGENT_CYCLE")
                for name in names:
                    self.assertIn(f"{name}@", refused[0]["error"]["message"])
                self.assertIn(" -> a@", refused[0]["error"]["message"])
                self.assertEqual(end["type"], "turn.completed", "the caller goes on")
                runtime.stop()

    def test_unknown_targets_and_timeouts_are_error_results(self):  # REQ: HAND-5
        runtime = self.team({"a": self.asking(target="bb", input="x"), "b": replies(on_user(text="y"))})
        _, end = runtime.turn("go")
        self.assertIn("E_AGENT_NOT_FOUND", end["response"])
        self.assertIn("bb", end["response"])
        runtime.stop()
        self.setUp()
        runtime = self.team({"a": self.asking(target="b", input="x", timeoutMs=200),
                             "b": replies(on_user(text="late", delayMs=60000))})
        _, end = runtime.turn("go")
        self.assertIn("E_AGENT_TIMEOUT: agent request timeout (200ms): target=b", end["response"])

    def test_an_asynchronous_answer_reaches_the_caller_as_a_message(self):  # REQ: HAND-6 HAND-7
        runtime = self.team({
            "a": replies({"when": {"role": "user", "contains": "from b"}, "text": "heard it"},
                         on_user(calls=[call("agents__request", target="b", input="q", **{"async": True})]),
                         on_result("agents__request", text="asked: {{output.accepted}} {{output.async}} {{output.response}}")),
            "b": replies(on_user(text="from b", delayMs=3000))})
        events, end = runtime.turn("go")
        self.assertEqual(end["response"], "asked: true true null")
        events = runtime.owner.observe_until(
            lambda e: e["type"] == "turn.completed" and e["agentName"] == "a" and e.get("response") == "heard it")
        injected = [e for e in events if e["type"] == "message.injected"]
        self.assertEqual(len(injected), 1)
        self.assertIn("from b", injected[0]["text"])

    def test_a_message_without_answer(self):  # REQ: HAND-6
        runtime = self.team({"a": replies(on_user(calls=[call("agents__send", target="b", input="note this")]),
                                          on_result("agents__send", text="{{output.target}} {{output.accepted}}")),
                             "b": replies(on_user(text="noted {{input}}"))})
        events, end = runtime.turn("go")
        self.assertEqual(end["response"], "b true")
        if not any(e["type"] == "turn.completed" and e["agentName"] == "b" for e in events):
            runtime.owner.observe_until(lambda e: e["type"] == "turn.completed" and e["agentName"] == "b")

    def test_instances_are_spawned_listed_and_used_again(self):  # REQ: HAND-6
        runtime = self.team({"a": replies(
            {"when": {"role": "user", "contains": "spawn"}, "calls": [call("agents__spawn", target="b", instanceKey="task")]},
            {"when": {"role": "user", "contains": "list"}, "calls": [call("agents__list"), call("agents__catalog")]},
            on_result("agents__spawn", text="{{output.target}} {{output.instanceKey}} {{output.spawned}} {{output.cwd}}"),
            on_result("agents__list", text="{{outputs[0].count}} {{outputs[0].agents[0].target}} "
                                           "{{outputs[0].agents[0].instanceKey}} {{outputs[0].agents[0].ownerAgent}} "
                                           "{{outputs[1].callableAgents[0]}} {{outputs[1].availableCount}}")),
            "b": replies(on_user(text="y"))})
        self.assertEqual(runtime.turn("spawn")[1]["response"], "b task true null")
        self.assertEqual(runtime.turn("spawn")[1]["response"], "b task false null")
        self.assertEqual(runtime.turn("list")[1]["response"], "1 b task a b 2")

    def test_an_agent_that_dies_is_started_again_and_answers(self):  # REQ: HAND-8
        runtime = self.team({"a": self.asking(target="b", input="x"), "b": replies(on_user(text="alive", delayMs=4000))})
        runtime.submit("go", message="m1")
        runtime.owner.observe_until(lambda e: e["type"] == "turn.started" and e["agentName"] == "b")
        os.kill(next(one["pid"] for one in runtime.agents() if one["agent"] == "b"), signal.SIGKILL)
        events = runtime.owner.observe_until(lambda e: e["type"] == "message.finished" and e["id"] == "m1")
        self.assertEqual(events[-1]["response"], "got alive")
        self.assertTrue(any(e["type"] == "turn.started" and e.get("resumed") for e in events))

    def test_an_agent_that_dies_at_one_message_again_and_again_is_given_up(self):  # REQ: HAND-5
        runtime = self.team({"a": self.asking(target="b", input="x"), "b": replies(on_user(text="never", delayMs=60000))})
        runtime.submit("go", message="m1")
        for _ in range(3):
            runtime.owner.observe_until(lambda e: e["type"] == "turn.started" and e["agentName"] == "b")
            os.kill(next(one["pid"] for one in runtime.agents() if one["agent"] == "b"), signal.SIGKILL)
        events = runtime.owner.observe_until(lambda e: e["type"] == "message.finished" and e["id"] == "m1")
        self.assertIn("E_AGENT_CRASH", events[-1]["response"])

    def test_the_conversation_is_kept_through_everything(self):  # REQ: HAND-8
        runtime = self.team({"a": replies({"when": {"turn": 1}, "text": "one"}, {"when": {"turn": 2}, "text": "two"},
                                          {"when": {"turn": 3}, "text": "three"})})
        self.assertEqual(runtime.turn("x")[1]["response"], "one")
        os.kill(runtime.agents()[0]["pid"], signal.SIGKILL)
        runtime.owner.observe_until(lambda e: e["type"] == "agent.exited")
        self.assertEqual(runtime.turn("x")[1]["response"], "two")
        runtime.kill()
        runtime.start()
        self.assertEqual(runtime.turn("x")[1]["response"], "three")

    def test_all_processes_end_with_the_orchestrator(self):  # REQ: HAND-1
        runtime = self.team({"a": replies(on_user(calls=[call("bash__exec", command="echo $$ > pid; sleep 1000")]))})
        runtime.submit("go")
        runtime.owner.observe_until(lambda e: e["type"] == "tool.called")
        agents = [one["pid"] for one in runtime.agents()]
        wait_until(lambda: list(runtime.folder.glob("instances/*/*/workspace/pid")), "the command has begun")
        pid_file = next(runtime.folder.glob("instances/*/*/workspace/pid"))
        wait_until(lambda: pid_file.read_text().strip(), "the command has told its pid")
        runtime.kill()
        for pid in [*agents, int(pid_file.read_text())]:
            wait_until(lambda pid=pid: not os.path.exists(f"/proc/{pid}"), f"process {pid} has ended")


if __name__ == "__main__":
    unittest.main(argv=["agents_test"])
