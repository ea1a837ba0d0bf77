#!/usr/bin/env python3
"""Many agents ask each other while random ones are killed (R19).

Every message that was accepted must end exactly once, with the answer to its own question or with an error, and no
answer may reach another caller."""
import os
import signal
import sys
import time

import soak_support

chosen = soak_support.options(__doc__, seconds=(60.0, 5.0), agents=(50, 20), every=(0.2, 0.2), ahead=(200, 40))
from swarm_support import Orchestrator, agent, swarm  # noqa: E402  (reads the command line)

ASKER = [
    {"when": {"role": "user", "matches": "^ask (\\d+) (\\S+)$"},
     "calls": [{"tool": "agents__request",
                "args": {"target": "worker", "instanceKey": "w{{match[1]}}", "input": "{{match[2]}}"}}]},
    {"when": {"tool": "agents__request", "status": "ok"}, "text": "got {{output.response}}"},
    {"when": {"tool": "agents__request"}, "text": "error {{error.code}}"}]
WORKER = [{"when": {"role": "user"}, "text": "answer-{{input}}"}]
# submit and its reply; turn and turn_done; the asker's delegate, its reply and delegate_result; the worker's delegate
# and delegate_result. Observations come on top, in batches.
FRAMES = 9


class Load:
    """Asks as long as not too much is open, and notes when."""

    def __init__(self, runtime, ends):
        self.runtime, self.ends = runtime, ends
        self.half = max(1, chosen.agents // 2)
        self.expected, self.asked_at = {}, {}
        self.number = 0

    def right(self, token):
        def judge(end):
            said = end.get("response") or ""
            return said == f"got answer-{token}" or said.startswith("error E_") or "error" in end
        return judge

    def post(self, count):
        """So many questions at once; then their replies."""
        asked = []
        for _ in range(count):
            token, self.number = f"t{self.number}", self.number + 1
            message = soak_support.OURS + token
            asked.append((message, token, self.runtime.owner.post(
                "submit", id=message, agent="asker", instanceKey=f"a{self.number % self.half}",
                input=f"ask {chosen.chance.randrange(self.half)} {token}")))
            self.asked_at[message] = time.monotonic()
        for message, token, answer in asked:
            if "result" in answer.get(timeout=60):
                self.expected[message] = self.right(token)

    def times(self):
        """Seconds from asking to the end."""
        return [at - self.asked_at[message] for message, at in self.ends.ended_at.items()]

    def more(self):
        room = chosen.ahead - (len(self.expected) - len(self.ends.ends))
        if room < 20:
            time.sleep(0.002)
        else:
            self.post(20)


def kill_one(runtime):
    running = [one["pid"] for one in runtime.agents() if one["pid"]]
    if not running:
        return 0
    try:
        os.kill(chosen.chance.choice(running), signal.SIGKILL)
        return 1
    except ProcessLookupError:
        return 0


def main():
    soak_support.adopt_orphans()
    documents = [*agent("asker", ["agents"]), *agent("worker"), swarm("asker", ["asker", "worker"])]
    with soak_support.bundle(*documents, scripts={"asker": ASKER, "worker": WORKER}) as (folder, environment):
        runtime = Orchestrator(chosen.gdn, folder / "bundle", environment).start()
        ends = soak_support.Ends()
        ends.watch(runtime)
        load, kills = Load(runtime, ends), 0
        begun = time.monotonic()
        next_kill = begun + chosen.every
        while time.monotonic() < begun + chosen.seconds:
            load.more()
            if time.monotonic() >= next_kill:
                next_kill += chosen.every
                kills += kill_one(runtime)
        took = time.monotonic() - begun
        ends.wait_for(load.expected)
        problems = ends.problems(load.expected)
        code = runtime.stop()
        if code != 0:
            problems.append(f"exit code {code}")
        problems += soak_support.survivors() + soak_support.damaged_databases(folder / "state")
        answers = sum((end[0].get("response") or "").startswith("got ") for end in ends.ends.values())
        frames, times = FRAMES * len(load.expected), load.times()
        summary = (f"{len(load.expected)} requests in {took:.1f} s (about {frames} frames without observations, "
                   f"{ends.counts.total()} observations), {kills} kills, {answers} answers, "
                   f"{len(load.expected) - answers} errors, asked to ended p50 {soak_support.percentile(times, 0.5):.3f} s, "
                   f"p99 {soak_support.percentile(times, 0.99):.3f} s, longest {max(times, default=0):.3f} s")
        return soak_support.finish(chosen, summary, problems)


sys.exit(main())
