#!/usr/bin/env python3
"""Many agents ask each other while random ones are killed.

Every message that was accepted must end in exactly one turn, with the answer to its own question or with an error, and
no answer may reach another caller. usage: kill_agents.py GDN [--seconds N] [--agents N] [--seed N]"""
import argparse
import collections
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
arguments = argparse.ArgumentParser()
arguments.add_argument("gdn")
arguments.add_argument("--seconds", type=float, default=60)
arguments.add_argument("--agents", type=int, default=50)
arguments.add_argument("--seed", type=int, default=None)
arguments.add_argument("--every", type=float, default=0.2, help="seconds between two kills")
options = arguments.parse_args()
sys.argv = [sys.argv[0], options.gdn]

from swarm_support import Orchestrator, agent, swarm  # noqa: E402  (reads the command line)

SCRIPTS = {
    "asker": {"replies": [
        {"when": {"role": "user"},
         "calls": [{"tool": "agents__request",
                    "args": {"target": "worker", "instanceKey": "w{{match[1]}}", "input": "{{match[2]}}"}}]},
        {"when": {"tool": "agents__request", "status": "ok"}, "text": "got {{output.response}}"},
        {"when": {"tool": "agents__request"}, "text": "error {{error.code}}"}]},
    "worker": {"replies": [{"when": {"role": "user"}, "text": "answer-{{input}}"}]},
}
SCRIPTS["asker"]["replies"][0]["when"]["matches"] = "^ask (\\d+) (\\S+)$"


def write_bundle(folder):
    import json
    folder.mkdir()
    documents = [*agent("asker", ["agents"]), *agent("worker"), swarm("asker", ["asker", "worker"])]
    (folder / "goondan.yaml").write_text("\n---\n".join(documents))
    for name, script in SCRIPTS.items():
        (folder / f"{name}.script.yaml").write_text(json.dumps(script))


class Checker:
    """The history of messages, and what must hold for it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.accepted = {}  # message id -> token
        self.turns = {}  # turn id -> message id
        self.ends = collections.defaultdict(list)  # message id -> how it ended
        self.counts = collections.Counter()

    def observe(self, event):
        with self.lock:
            kind = event["type"]
            self.counts[kind] += 1
            if kind == "turn.started":
                self.turns[event["turnId"]] = event["id"]
            elif kind in ("turn.completed", "turn.failed"):
                message = event.get("id") or self.turns.get(event.get("turnId"))
                self.ends[message].append(event)

    def open(self):
        with self.lock:
            return sum(1 for message in self.accepted if message not in self.ends)

    def problems(self):
        found = []
        for message, token in self.accepted.items():
            ends = self.ends.get(message, [])
            if len(ends) != 1:
                found.append(f"{message}: {len(ends)} ends: {[end['type'] for end in ends]}")
                continue
            response = ends[0].get("response") or ""
            right = response == f"got answer-{token}"
            if not right and ends[0]["type"] == "turn.completed" and not response.startswith("error E_"):
                found.append(f"{message}: asked {token}, got {response!r}")
            self.counts["answers" if right else "errors"] += 1
        return found


def main():
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    half = max(1, options.agents // 2)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_bundle(folder / "bundle")
        environment = dict(os.environ, GOONDAN_STATE_ROOT=str(folder / "state"))
        runtime = Orchestrator(options.gdn, folder / "bundle", environment).start()
        checker = Checker()

        def watch():
            while (event := runtime.owner.observations.get()) is not None:
                checker.observe(event)

        threading.Thread(target=watch, daemon=True).start()
        kills = 0
        number = 0
        end = time.monotonic() + options.seconds
        next_kill = time.monotonic() + options.every
        while time.monotonic() < end:
            if checker.open() < options.agents * 2:
                token = f"t{number}"
                accepted = runtime.submit(f"ask {chance.randrange(half)} {token}", "asker", f"a{number % half}")
                with checker.lock:
                    checker.accepted[accepted["id"]] = token
                number += 1
            else:
                time.sleep(0.002)
            if time.monotonic() >= next_kill:
                next_kill += options.every
                running = [one for one in runtime.agents() if one["pid"]]
                if running:
                    try:
                        os.kill(chance.choice(running)["pid"], signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass
        limit = time.monotonic() + 120
        while checker.open() > 0 and time.monotonic() < limit:
            time.sleep(0.05)
        problems = checker.problems()
        exit_code = runtime.stop()
        print(f"{len(checker.accepted)} requests, {kills} kills, {checker.counts['answers']} answers, "
              f"{checker.counts['errors']} errors, {checker.open()} open, exit {exit_code}")
        print(f"observations: {dict(checker.counts)}")
        for problem in problems[:20]:
            print("PROBLEM", problem)
        return 1 if problems or exit_code != 0 else 0


sys.exit(main())
