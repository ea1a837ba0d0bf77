#!/usr/bin/env python3
"""SIGTERM while many agents run a command and messages come in (R29).

The orchestrator ends with exit code 0 and leaves no process; calls that ran are cancelled; the databases are whole; and
the next start answers everything that was accepted, once."""
import signal
import sys
import threading
import time

import soak_support

chosen = soak_support.options(__doc__, rounds=(5, 1), agents=(50, 10))
from swarm_support import Gone, Orchestrator, agent, swarm  # noqa: E402  (reads the command line)

SLEEPER = [
    {"when": {"role": "user", "contains": "sleep"},
     "calls": [{"tool": "bash__exec", "args": {"command": "sleep 100", "timeoutMs": 200_000}}]},
    {"when": {"tool": "bash__exec", "status": "ok"}, "text": "slept"},
    {"when": {"tool": "bash__exec"}, "text": "ended by {{error.code}}"}]
ECHO = [{"when": {"role": "user"}, "text": "echo {{input}}"}]
ECHO_KEYS = 8
AHEAD = 50
EXIT_TIME = 60  # nothing here should come near it


def cut_off(end):
    return end.get("response") in ("ended by E_TOOL_CANCELLED", "ended by E_TOOL_INTERRUPTED")


class Load(threading.Thread):
    """Sends messages until the orchestrator takes no more. `unsure`: sent, and nobody said whether it was accepted."""

    def __init__(self, runtime, ends, first):
        super().__init__(daemon=True)
        self.runtime, self.ends, self.number = runtime, ends, first
        self.ended_before = len(ends.ends)
        self.expected, self.unsure = {}, None

    def run(self):
        while True:
            if self.runtime.owner.ended.is_set():
                return
            if len(self.expected) + self.ended_before - len(self.ends.ends) > AHEAD:
                time.sleep(0.001)
                continue
            message, text, self.number = f"{soak_support.OURS}{self.number}", f"m{self.number}", self.number + 1
            try:
                self.runtime.submit(text, "echo", f"e{self.number % ECHO_KEYS}", message)
            except Gone:
                self.unsure = (message, text)
                return
            except RuntimeError:  # it is stopping and says so
                return
            self.expected[message] = soak_support.response_is(f"echo {text}")


class Swarm:
    """One state over several runs."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.runtime = Orchestrator(chosen.gdn, folder / "bundle", environment)
        self.ends = soak_support.Ends()
        self.expected, self.problems = {}, []
        self.exits, self.cancelled, self.sent = [], 0, 0

    def sleepers(self, number):
        """Each agent runs its command."""
        self.runtime.start()
        self.ends.watch(self.runtime)
        called = self.ends.counts["tool.called"]
        for key in range(chosen.agents):
            message = f"{soak_support.OURS}sleep_{number}_{key}"
            self.runtime.submit("sleep", "sleeper", f"s{key}", message)
            self.expected[message] = cut_off
        if not self.ends.wait(lambda: self.ends.counts["tool.called"] >= called + chosen.agents):
            self.problems.append("not all commands began")

    def terminate(self):
        load = Load(self.runtime, self.ends, self.sent)
        load.start()
        time.sleep(chosen.chance.uniform(0.05, 0.5))
        before = len(self.ends.calls)
        begun = time.monotonic()
        self.runtime.process.send_signal(signal.SIGTERM)
        code = self.runtime.process.wait(timeout=EXIT_TIME)
        self.exits.append(time.monotonic() - begun)
        self.runtime.owner.ended.wait(timeout=EXIT_TIME)
        load.join(timeout=EXIT_TIME)
        self.sent = load.number
        self.expected.update(load.expected)
        if code != 0:
            self.problems.append(f"exit code {code}")
        self.problems += soak_support.survivors() + soak_support.damaged_databases(self.folder / "state")
        codes = [(call.get("error") or {}).get("code") for call in self.ends.calls[before:]]
        self.cancelled += codes.count("E_TOOL_CANCELLED")
        return load.unsure

    def recover(self, unsure):
        """The next start answers what is open."""
        self.runtime.start()
        self.ends.watch(self.runtime)
        if unsure:
            message, text = unsure
            self.runtime.submit(text, "echo", f"e{self.sent % ECHO_KEYS}", message)
            self.expected[message] = soak_support.response_is(f"echo {text}")
        waiting = self.ends.open(self.expected)
        self.ends.wait_for(self.expected)
        if self.runtime.stop() != 0:
            self.problems.append("the stop after it failed")
        return waiting


def main():
    soak_support.adopt_orphans()
    documents = [*agent("sleeper", ["bash"]), *agent("echo"), swarm("echo", ["sleeper", "echo"])]
    with soak_support.bundle(*documents, scripts={"sleeper": SLEEPER, "echo": ECHO}) as (folder, environment):
        swarm_state, resumed = Swarm(folder, environment), 0
        for number in range(chosen.rounds):
            swarm_state.sleepers(number)
            resumed += swarm_state.recover(swarm_state.terminate())
        problems = swarm_state.problems + swarm_state.ends.problems(swarm_state.expected)
        summary = (f"{chosen.rounds} x SIGTERM with {chosen.agents} commands running, exit after at most "
                   f"{max(swarm_state.exits):.2f} s, {swarm_state.cancelled} calls told as cancelled, "
                   f"{len(swarm_state.expected)} messages, {resumed} answered by the next start")
        return soak_support.finish(chosen, summary, problems)


sys.exit(main())
