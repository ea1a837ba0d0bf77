"""What can go wrong around an agent: its model, its disk, its database. Each has one clear outcome, and the others go
on."""
import fcntl
import pathlib
import socket
import subprocess
import sys
import unittest

import support
from swarm_support import SwarmTest, agent, document, swarm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class ModelTest(SwarmTest):
    def talk(self, *answers, tools=("bash",), options=None):
        """One turn with a model that gives these answers."""
        model = FakeModel(*answers)
        self.addCleanup(model.close)
        self.bundle_of(
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint,
                                    "options": {"maxRetries": 1, "idleTimeoutMs": 500, **(options or {})}}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "prompt": {"system": "Be brief."},
                                    "tools": [{"ref": f"Tool/{tool}"} for tool in tools]}),
            swarm("a", ["a"]))
        runtime = self.orchestrator()
        events, end = runtime.turn("go")
        return model, events, end, runtime

    def failed(self, end, code):
        self.assertEqual(end["type"], "turn.failed", end)
        self.assertEqual(end["error"]["code"], code, end)

    def test_a_model_that_never_answers(self):
        _, _, end, _ = self.talk(None)
        self.failed(end, "E_MODEL_TIMEOUT")

    def test_a_model_that_sends_garbage(self):
        _, _, end, runtime = self.talk(STREAM + b"data: {\xff\xfe]]]\n\ndata: 7\n\n", STREAM + b"\x00" * 5000,
                                       text_answer("now it works"))
        self.failed(end, "E_MODEL_REPLY")
        self.assertEqual(runtime.turn("again")[1]["response"].strip(), "now it works")

    def test_half_a_stream(self):
        half = b'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"bash__exec","arguments":"{\\"comm'
        _, events, end, _ = self.talk(STREAM + half, STREAM + half)
        self.failed(end, "E_MODEL_REPLY")
        self.assertFalse([e for e in events if e["type"] == "tool.called"], "half a call is none")

    def test_a_server_that_is_not_there(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        self.bundle_of(document("Model", "m", {"provider": "openai", "model": "x", "endpoint": endpoint,
                                               "options": {"maxRetries": 0}}),
                       document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}}), swarm("a", ["a"]))
        _, end = self.orchestrator().turn("go")
        self.failed(end, "E_NETWORK")

    def test_a_megabyte_of_arguments(self):  # REQ: TURN-2
        text = "x" * 1_000_000
        _, events, end, _ = self.talk(call_answer(("c1", "text-transform__case", '{"text": "%s", "to": "upper"}' % text)),
                                      text_answer("done"), tools=("text-transform",))
        self.assertEqual(end.get("response", "").strip(), "done", str(end)[:500])

    def test_bad_calls_do_not_stop_the_good_ones(self):  # REQ: DEC-11 DEC-8
        model, events, end, _ = self.talk(
            call_answer(("c1", "bash__exec", '{"command": "echo good"}'), ("c1", "bash__exec", '{"command": "echo two"}'),
                        ("c3", "no__such", "{}"), ("c4", "bash__exec", '{"command": '), ("", "bash__exec", "[]")),
            text_answer("fine"))
        ends = [e for e in events if e["type"] == "tool.completed"]
        self.assertEqual(sorted(e["status"] for e in ends), ["error"] * 3 + ["ok"] * 2)
        codes = {e["error"]["code"] for e in ends if e["status"] == "error"}
        self.assertEqual(codes, {"E_TOOL_NOT_IN_CATALOG", "E_TOOL_INVALID_ARGS"})
        self.assertEqual(end["response"].strip(), "fine")
        messages = model.requests[-1]["messages"]
        calls = [call["id"] for m in messages if m["role"] == "assistant" for call in m.get("tool_calls", [])]
        results = [m["tool_call_id"] for m in messages if m["role"] == "tool"]
        self.assertEqual(calls, results, "each call has one result, in order")
        self.assertEqual(len(set(calls)), 5)
        self.assertEqual(messages[0], {"role": "system", "content": "Be brief."})

    def test_a_model_that_only_calls(self):  # REQ: TURN-1 DEC-9
        _, events, end, _ = self.talk(call_answer(("c", "bash__exec", '{"command": "true"}')))
        self.assertEqual(end["finishReason"], "max_steps")
        self.assertEqual(end["stepCount"], 32)

    def test_large_results_are_cut_and_can_be_read_on(self):  # REQ: CALL-11
        model, events, end, _ = self.talk(
            call_answer(("c1", "bash__exec", '{"command": "seq 1 100000"}')),
            text_answer("that is long"))
        result = next(m for m in model.requests[1]["messages"] if m["role"] == "tool")
        self.assertLess(len(result["content"]), 60_000)
        self.assertIn("handles__read", result["content"])
        self.assertIn("handles__read", [tool["function"]["name"] for tool in model.requests[1]["tools"]])
        self.assertNotIn("handles__read", [tool["function"]["name"] for tool in model.requests[0]["tools"]])


class StateTest(SwarmTest):
    def setUp(self):
        super().setUp()
        script = {"replies": [{"when": {"role": "user"}, "text": "heard {{input}}"}]}
        self.bundle_of(agent("a"), swarm("a", ["a"]), files={"a.script.yaml": script})

    def test_a_damaged_database_stops_one_instance_only(self):
        runtime = self.orchestrator()
        runtime.turn("x", key="good")
        runtime.turn("x", key="bad")
        runtime.stop()
        (state,) = [path for path in runtime.folder.glob("instances/a/*/state.db") if "bad" in path.parent.name]
        for leftover in state.parent.glob("state.db-*"):
            leftover.unlink()
        state.write_bytes(b"this is not a database" * 1000)
        runtime.start()
        _, end = runtime.turn("x", key="bad")
        self.assertEqual((end["type"], end["error"]["code"]), ("turn.failed", "E_STORE_CORRUPT"), end)
        self.assertIn("state.db", end["error"]["message"])
        self.assertEqual(runtime.turn("y", key="good")[1]["response"], "heard y")

    def test_a_database_that_someone_else_holds(self):
        runtime = self.orchestrator()
        runtime.turn("x", key="held")
        runtime.stop()
        (lock,) = runtime.folder.glob("instances/a/*/lock")
        with open(lock, "r+") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            runtime.start()
            _, end = runtime.turn("x", key="held")
            self.assertEqual(end["error"]["code"], "E_STORE_BUSY", end)
            self.assertEqual(runtime.turn("x", key="free")[1]["response"], "heard x")

    def test_a_full_disk(self):
        inside = [sys.executable, __file__, str(support.GDN), "--full-disk", str(self.bundle)]
        mount = "mount -t tmpfs -o size=2m none /mnt && exec \"$@\""
        done = subprocess.run([*support.in_namespaces("--mount"), "sh", "-c", mount, "sh", *inside], env=self.environment(),
                              capture_output=True, text=True, timeout=support.DEADLINE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_thousand_idle_agents(self):
        runtime = self.orchestrator()
        for number in range(1000):
            runtime.owner.post("spawn", agent="a", instanceKey=f"k{number}")
        ready = 0
        while ready < 1000:
            ready += runtime.owner.observations.get(timeout=support.DEADLINE)["type"] == "agent.ready"
        self.assertEqual(runtime.turn("x", key="k999")[1]["response"], "heard x")
        self.assertEqual(runtime.stop(), 0)


def full_disk(bundle):
    """In a namespace where /mnt is a file system of 2 MB: fill it, see the error, free it, go on."""
    import os
    from swarm_support import Orchestrator
    environment = dict(os.environ, GOONDAN_STATE_ROOT="/mnt/state")
    runtime = Orchestrator(support.GDN, bundle, environment).start()
    assert runtime.turn("before")[1]["response"] == "heard before"
    filler = os.open("/mnt/filler", os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(filler, b"x" * 4096)
    except OSError:
        os.close(filler)
    try:
        end = runtime.turn("during" + "x" * 50_000)[1]
        assert end["type"] == "turn.failed" and end["error"]["code"].startswith("E_STORE"), end
    except RuntimeError as error:
        assert error.args[0]["code"].startswith("E_STORE"), error
    os.unlink("/mnt/filler")
    end = runtime.turn("after")[1]
    assert end["response"] == "heard after", end
    assert runtime.stop() == 0


if __name__ == "__main__":
    if "--full-disk" in sys.argv:
        full_disk(pathlib.Path(sys.argv[-1]))
    else:
        unittest.main(argv=["bad_days_test"])
