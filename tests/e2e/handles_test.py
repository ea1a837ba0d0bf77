"""Pending results: they are kept through everything, and their completion reaches the agent exactly once."""
import json
import unittest

from support import GDN
from swarm_support import SwarmTest, agent, document, swarm

JOB = """
#include <goondan/plugin.h>
using namespace goondan;
Result<Json> start(ToolContext&, const JsonObject& input) {
  return JsonObject{{"__async", true}, {"handle", input.at("handle")}, {"eta", 5}};
}
GDN_PLUGIN({"start", start})
"""


class HandlesTest(SwarmTest):
    def setUp(self):
        super().setUp()
        script = {"replies": [
            {"when": {"role": "user", "contains": "begin"},
             "calls": [{"tool": "job__start", "args": {"handle": "job-1"}}]},
            {"when": {"role": "user", "contains": "wait"},
             "calls": [{"tool": "handles__wait", "args": {"handle": "job-1", "timeoutMs": 50000}}]},
            {"when": {"role": "user", "contains": "cancel"},
             "calls": [{"tool": "handles__cancel", "args": {"handle": "job-1"}}]},
            {"when": {"role": "user", "contains": "list"}, "calls": [{"tool": "handles__list", "args": {}}]},
            {"when": {"role": "user"}, "text": "heard: {{input}}"},
            {"when": {"tool": "job__start", "status": "pending"}, "text": "started {{handle}}"},
            {"when": {"tool": "handles__wait"}, "text": "waited: {{output.status}} {{output.output.file}}"},
            {"when": {"tool": "handles__cancel"}, "text": "cancelled"},
            {"when": {"tool": "handles__list"}, "text": "{{output.count}} {{output.handles[0].status}}"}]}
        tool = {"entry": "./job.cc", "exports": [
            {"name": "start", "parameters": {"type": "object", "properties": {"handle": {"type": "string"}}}}]}
        self.bundle_of(document("Tool", "job", tool), agent("a", ["job", "handles"]), swarm("a", ["a"]),
                       files={"a.script.yaml": script, "job.cc": JOB})

    def environment(self, **extra):
        return {**super().environment(**extra), "GOONDAN_CACHE_ROOT": self._state.name}

    def handles(self, *words):
        return self.gdn("handles", *words, "--json", "--bundle", str(self.bundle))

    def test_completion_reaches_an_idle_agent_as_a_new_turn(self):  # REQ: CALL-7
        runtime = self.orchestrator()
        _, end = runtime.turn("begin")
        self.assertEqual(end["response"], "started job-1")
        self.assertEqual(self.handles("list").json["handles"][0]["status"], "pending")
        done = self.handles("complete", "job-1", "--output", '{"file": "a.mp4"}')
        self.assertEqual(done.code, 0, done.err)
        events = runtime.owner.observe_until(lambda e: e["type"] == "turn.completed")
        self.assertIn("job-1", events[-1]["response"])
        self.assertIn("a.mp4", events[-1]["response"])
        again = self.handles("complete", "job-1", "--output", "1")
        self.assertEqual(again.code, 1)
        self.assertIn("E_HANDLE_CLOSED", again.err)
        self.assertIn("E_HANDLE_NOT_FOUND", self.handles("complete", "job-2").err)

    def test_handles_survive_the_death_of_every_process(self):  # REQ: CALL-7
        runtime = self.orchestrator()
        runtime.turn("begin")
        runtime.kill()
        self.assertEqual(self.handles("list").json["handles"][0]["status"], "pending")
        self.assertEqual(self.handles("complete", "job-1", "--output", '{"file": "b.mp4"}').code, 0)
        runtime.start()
        events = runtime.owner.observe_until(lambda e: e["type"] == "turn.completed")
        self.assertIn("b.mp4", events[-1]["response"])
        runtime.kill()
        runtime.start()
        _, end = runtime.turn("list")
        self.assertEqual(end["response"], "1 ok", "the completion is not told twice")

    def test_waiting_takes_the_outcome(self):  # REQ: CALL-7
        runtime = self.orchestrator()
        runtime.turn("begin")
        runtime.submit("wait")
        runtime.owner.observe_until(lambda e: e["type"] == "tool.called" and e["toolName"] == "handles__wait")
        self.handles("complete", "job-1", "--output", '{"file": "c.mp4"}')
        events = runtime.owner.observe_until(lambda e: e["type"] == "turn.completed")
        self.assertEqual(events[-1]["response"], "waited: ok c.mp4")
        events = runtime.owner.observe_until(lambda e: e["type"] == "runtime.idle")
        self.assertFalse([e for e in events if e["type"] == "turn.started"])

    def test_cancelling(self):  # REQ: CALL-7
        runtime = self.orchestrator()
        runtime.turn("begin")
        self.assertEqual(runtime.turn("cancel")[1]["response"], "cancelled")
        self.assertIn("E_HANDLE_CLOSED", self.handles("complete", "job-1").err)
        self.assertEqual(json.loads(self.handles("list").out)["handles"][0]["status"], "cancelled")


if __name__ == "__main__":
    assert GDN
    unittest.main(argv=["handles_test"])
