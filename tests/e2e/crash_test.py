"""kill -9 at every commit of a run of twenty calls: it is resumed, and nothing happens twice."""
import collections
import contextlib
import json
import pathlib
import sqlite3
import sys
import unittest

from swarm_support import Gone, SwarmTest, agent, swarm

CRASHING = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
STEPS, CALLS = 4, 5


class CrashTest(SwarmTest):
    def run_with(self, database, at):
        """Runs the twenty calls, killing whoever makes the `at`-th commit to `database`. Returns whether someone was
        killed."""
        self.setUp()
        effects, counter = self.folder / "effects", self.folder / "counter"
        effects.touch()
        counter.mkdir()
        script = {"replies": [
            *({"when": {"step": step}, "calls": [
                {"tool": "bash__exec", "args": {"command": f"echo {step}-{number} >> {effects}"}} for number in range(CALLS)]}
              for step in range(1, STEPS + 1)),
            {"when": {"step": STEPS + 1}, "text": "all done"}]}
        self.bundle_of(agent("a", ["bash"]), swarm("a", ["a"]), files={"a.script.yaml": script})
        environment = {"GDN_KILL_AT": f"{database}:{at}:{counter}", "GOONDAN_GDN": str(CRASHING)}
        starts = 0
        runtime = end = None
        while end is None:
            starts += 1
            self.assertLessEqual(starts, 3, "one death needs one more start")
            try:
                if runtime is None:
                    runtime = self.orchestrator(gdn=CRASHING, **environment)
                else:
                    runtime.start()
                known = runtime.submit("go", message="m1").get("duplicate")
                if known and runtime.owner.ask("status")["queued"] == 0 and not self.working(runtime):
                    end = self.stored_end(runtime)  # the one who should have told of it died first
                    break
                end = runtime.owner.observe_until(lambda e: e["type"] == "message.finished" and e["id"] == "m1")[-1]
            except (Gone, RuntimeError):
                runtime = runtime or None
        self.assertEqual(end["response"], "all done", end)
        happened = collections.Counter(effects.read_text().split())
        self.assertEqual([name for name, count in happened.items() if count > 1], [], "no effect twice")
        self.assertGreaterEqual(len(happened), STEPS * CALLS - CALLS, "only calls that were cut off may be missing")
        commits = (counter / "count").stat().st_size
        runtime.stop()
        return commits >= at

    @staticmethod
    def stored_end(runtime):
        """What the agent's database says of the message."""
        (state,) = runtime.folder.glob("instances/a/*/state.db")
        with contextlib.closing(sqlite3.connect(f"file:{state}?mode=ro", uri=True)) as database:
            ((outcome,),) = database.execute("SELECT outcome FROM turns WHERE message_id = 'm1'").fetchall()
        return json.loads(outcome)

    @staticmethod
    def working(runtime):
        return any(one["state"] in ("working", "spawning") for one in runtime.agents())

    def every_commit(self, database, stride=1):
        at = 1
        while self.run_with(database, at):
            at += stride
        print(f"killed at each of {at - 1} commits to {database}")
        return at - 1

    def test_the_orchestrator_dies_at_every_commit(self):
        self.assertGreater(self.every_commit("orchestrator.db"), 2)

    def test_the_agent_dies_at_every_commit(self):
        self.assertGreater(self.every_commit("state.db"), STEPS * CALLS)


if __name__ == "__main__":
    unittest.main(argv=["crash_test"])
