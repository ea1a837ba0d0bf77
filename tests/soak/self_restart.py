#!/usr/bin/env python3
"""A swarm restarts itself again and again while messages come in (R31).

No accepted message may be lost or answered twice, the process stays the same one, and there is never a second
orchestrator."""
import sys
import pathlib
import time

import soak_support

chosen = soak_support.options(__doc__, times=(50, 5))
from swarm_support import Orchestrator, agent, swarm  # noqa: E402  (reads the command line)

SCRIPT = [
    {"when": {"role": "user", "contains": "restart"}, "calls": [{"tool": "self-restart__request", "args": {}}]},
    {"when": {"tool": "self-restart__request"}, "text": "restarting"},
    {"when": {"role": "user"}, "text": "echo {{input}}"}]
KEYS = 4
PAUSE = 0.005  # between two messages while it restarts
FORK_TIME = 2  # seconds between a fork and the program that it is for, on a busy machine


def orchestrators():
    """Processes below ours that run an orchestrator."""
    return {pid for pid in soak_support.descendants() if "orchestrator" in soak_support.command_of(pid).split()[:2]}


def image_of(pid):
    """Tells a program that was run from a mere fork: a fork has its arguments where its parent has them."""
    try:
        return (pathlib.Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[45]
    except (OSError, IndexError):
        return ""


def is_doubled():
    """Whether there is more than one. What the orchestrator starts is a fork of it until it runs a program of its own: it
    counts if it has run one, or stays."""
    seen = orchestrators()
    if len(seen) <= 1:
        return False
    images = [{pid: image_of(pid) for pid in seen} for _ in range(2)]
    if images[0] == images[1] and "" not in images[0].values() and len(set(images[0].values())) > 1:
        return True
    time.sleep(FORK_TIME)
    return len(seen & orchestrators()) > 1


class Messages:
    def __init__(self, runtime):
        self.runtime = runtime
        self.expected = {}

    def send(self, text=None):
        """A message, by default one that is echoed."""
        number = len(self.expected)
        message = f"{soak_support.OURS}{number}"
        key = "restarter" if text else f"k{chosen.chance.randrange(KEYS)}"
        self.runtime.submit(text or f"m{number}", key=key, message=message)
        self.expected[message] = soak_support.response_is("restarting" if text else f"echo m{number}")


def restart_once(runtime, messages):
    """Seconds from asking for it to the word that it is done; how often there were two; None if it ended."""
    for _ in range(chosen.chance.randrange(10)):
        messages.send()
    messages.send("restart")
    begun, doubles = time.monotonic(), 0
    while True:
        messages.send()
        doubles += is_doubled()
        if not runtime.owner.notices.empty():
            said = runtime.owner.notices.get()
            if said is None:
                return None
            if said["kind"] == "started":
                return time.monotonic() - begun, doubles
        time.sleep(PAUSE)


def main():
    soak_support.adopt_orphans()
    documents = [*agent("a", ["self-restart"]), swarm("a", ["a"])]
    with soak_support.bundle(*documents, scripts={"a": SCRIPT}) as (folder, environment):
        runtime = Orchestrator(chosen.gdn, folder / "bundle", environment).start()
        ends, messages = soak_support.Ends(), Messages(runtime)
        ends.watch(runtime)
        restarts = []
        for _ in range(chosen.times):
            done = restart_once(runtime, messages)
            if done is None:
                return soak_support.finish(chosen, f"{len(restarts)} restarts", ["the orchestrator has ended"])
            restarts.append(done)
        ends.wait_for(messages.expected)
        problems = ends.problems(messages.expected)
        doubles = sum(twice for _, twice in restarts)
        if doubles:
            problems.append(f"{doubles} times a second orchestrator")
        code = runtime.stop()
        if code != 0:
            problems.append(f"exit code {code}")
        problems += soak_support.survivors() + soak_support.damaged_databases(folder / "state")
        times = [seconds for seconds, _ in restarts]
        summary = (f"{len(restarts)} restarts, p50 {soak_support.percentile(times, 0.5):.3f} s, slowest {max(times):.3f} s, "
                   f"{len(messages.expected)} messages")
        return soak_support.finish(chosen, summary, problems)


sys.exit(main())
