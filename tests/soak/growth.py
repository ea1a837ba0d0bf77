#!/usr/bin/env python3
"""Very many turns of one agent: what the agent and the orchestrator hold must not grow with the turns.

The conversation itself does grow, and the agent holds it; its memory may follow that and nothing else. Descriptors and
threads stay what they were, and the orchestrator's memory too."""
import contextlib
import os
import pathlib
import sqlite3
import sys
import time

import soak_support
from soak_support import MEBIBYTE

chosen = soak_support.options(__doc__, turns=(20_000, 800))
from swarm_support import Orchestrator, agent, swarm  # noqa: E402  (reads the command line)

SCRIPT = [{"when": {"role": "user", "contains": "call"},
           "calls": [{"tool": "text-transform__case", "args": {"text": "{{input}}", "to": "upper"}}]},
          {"when": {"role": "tool"}, "text": "called"},
          {"when": {"role": "user"}, "text": "heard {{input}}"}]
AHEAD = 64
WARM = 0.1  # of the turns come before the first look
SLACK = 16 * MEBIBYTE
# What a message of the conversation takes in memory, in terms of its text on disk.
IN_MEMORY = 4


class Look:
    """What the two processes hold at one moment."""

    def __init__(self, runtime):
        pids = [one["pid"] for one in runtime.agents() if one["pid"]]
        self.agent = self.of(pids[0])
        self.orchestrator = self.of(runtime.process.pid)
        self.conversation = conversation_bytes(runtime.folder)

    @staticmethod
    def of(pid):
        return {"rss": soak_support.resident(pid), "fds": soak_support.descriptors(pid),
                "threads": len(os.listdir(f"/proc/{pid}/task"))}


def conversation_bytes(folder):
    total = 0
    for path in folder.glob("instances/*/*/state.db"):
        with contextlib.closing(sqlite3.connect(path)) as database:
            for table in ("base", "events"):
                total += database.execute(f"SELECT coalesce(sum(length(message)), 0) FROM {table}").fetchone()[0]
    return total


def size_of(folder, name):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob(name + "*"))


class Turns:
    def __init__(self, runtime, ends):
        self.runtime, self.ends, self.expected = runtime, ends, {}

    def run(self, until):
        """Turns, some of them with a call, until so many have been asked for; then waits for the last."""
        while len(self.expected) < until:
            number = len(self.expected)
            message = f"{soak_support.OURS}{number}"
            calls = chosen.chance.random() < 0.25
            self.expected[message] = soak_support.response_is("called" if calls else f"heard {number}")
            self.runtime.submit(f"call {number}" if calls else str(number), message=message)
            self.ends.wait(lambda: len(self.expected) - len(self.ends.ends) < AHEAD)
        self.ends.wait_for(self.expected)


def growth_problems(first, last):
    found = []
    for name in ("agent", "orchestrator"):
        before, after = getattr(first, name), getattr(last, name)
        for what in ("fds", "threads"):
            if before[what] != after[what]:
                found.append(f"{what} of the {name}: {before[what]}, then {after[what]}")
        allowed = SLACK + (IN_MEMORY * (last.conversation - first.conversation) if name == "agent" else 0)
        if after["rss"] - before["rss"] > allowed and not chosen.no_memory_check:
            found.append(f"memory of the {name} grew by {after['rss'] - before['rss']} bytes")
    return found


def grown(first, last, name):
    before, after = getattr(first, name), getattr(last, name)
    return (f"{name} {before['rss'] / MEBIBYTE:.1f} to {after['rss'] / MEBIBYTE:.1f} MiB, {after['fds']} descriptors, "
            f"{after['threads']} threads")


def main():
    soak_support.adopt_orphans()
    documents = [*agent("a", ["text-transform"]), swarm("a", ["a"])]
    with soak_support.bundle(*documents, scripts={"a": SCRIPT}) as (folder, environment):
        runtime = Orchestrator(chosen.gdn, folder / "bundle", environment).start()
        ends = soak_support.Ends()
        ends.watch(runtime)
        turns, begun = Turns(runtime, ends), time.monotonic()
        turns.run(int(chosen.turns * WARM))
        first, early = Look(runtime), time.monotonic() - begun
        turns.run(chosen.turns)
        last, took = Look(runtime), time.monotonic() - begun
        problems = ends.problems(turns.expected) + growth_problems(first, last)
        code = runtime.stop()
        if code != 0:
            problems.append(f"exit code {code}")
        problems += soak_support.survivors() + soak_support.damaged_databases(folder / "state")
        summary = (f"{chosen.turns} turns in {took:.1f} s (the first {int(chosen.turns * WARM)} in {early:.1f} s), "
                   f"{grown(first, last, 'agent')}, {grown(first, last, 'orchestrator')}, conversation "
                   f"{first.conversation / MEBIBYTE:.1f} to {last.conversation / MEBIBYTE:.1f} MiB, state.db "
                   f"{size_of(folder, 'state.db') / MEBIBYTE:.1f} MiB, orchestrator.db "
                   f"{size_of(folder, 'orchestrator.db') / MEBIBYTE:.1f} MiB, events.jsonl "
                   f"{size_of(folder, 'events.jsonl') / MEBIBYTE:.1f} MiB")
        return soak_support.finish(chosen, summary, problems)


sys.exit(main())
