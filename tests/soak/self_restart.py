#!/usr/bin/env python3
"""A swarm restarts itself again and again while messages come in.

No accepted message may be lost or answered twice, the process stays the same one, and there is never a second
orchestrator. usage: self_restart.py GDN [--times N]"""
import argparse
import json
import os
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
arguments = argparse.ArgumentParser()
arguments.add_argument("gdn")
arguments.add_argument("--times", type=int, default=50)
options = arguments.parse_args()
sys.argv = [sys.argv[0], options.gdn]

from swarm_support import Orchestrator, agent, swarm  # noqa: E402

SCRIPT = {"replies": [
    {"when": {"role": "user", "contains": "restart"}, "calls": [{"tool": "self-restart__request", "args": {}}]},
    {"when": {"tool": "self-restart__request"}, "text": "restarting"},
    {"when": {"role": "user"}, "text": "echo {{input}}"}]}


def orchestrators(state):
    """Processes that run an orchestrator for this state root."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"orchestrator" in words[:2] and str(state).encode() in words:
                found.append(int(entry.name))
    return found


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        bundle, state = folder / "bundle", folder / "state"
        bundle.mkdir()
        (bundle / "goondan.yaml").write_text("\n---\n".join(
            [*agent("a", ["self-restart"]), swarm("a", ["a"])]))
        (bundle / "a.script.yaml").write_text(json.dumps(SCRIPT))
        runtime = Orchestrator(options.gdn, bundle, dict(os.environ, GOONDAN_STATE_ROOT=str(state))).start()
        ends, turns, accepted = {}, {}, []
        restarts, slowest, doubles = 0, 0.0, 0
        changed = threading.Condition()

        def watch():
            while (event := runtime.owner.observations.get()) is not None:
                with changed:
                    if event["type"] == "turn.started":
                        turns[event["turnId"]] = event["id"]
                    elif event["type"] in ("turn.completed", "turn.failed"):
                        ends.setdefault(event.get("id") or turns.get(event["turnId"]), []).append(event)
                    changed.notify_all()

        threading.Thread(target=watch, daemon=True).start()
        number = 0
        for _ in range(options.times):
            for _ in range(5):
                accepted.append((runtime.submit(f"m{number}", key=f"k{number % 4}")["id"], f"echo m{number}"))
                number += 1
            begun = time.monotonic()
            accepted.append((runtime.submit("restart", key="restarter")["id"], "restarting"))
            while True:
                accepted.append((runtime.submit(f"m{number}", key=f"k{number % 4}")["id"], f"echo m{number}"))
                number += 1
                doubles += len(orchestrators(state)) > 1
                notice = runtime.owner.notices
                if not notice.empty():
                    said = notice.get()
                    if said is None:
                        print("the orchestrator has ended")
                        return 1
                    if said["kind"] == "restarting":
                        begun = time.monotonic()
                    if said["kind"] == "started":
                        break
                time.sleep(0.005)
            slowest = max(slowest, time.monotonic() - begun)
            runtime.owner.ask("watch")
            restarts += 1
        with changed:
            changed.wait_for(lambda: all(message in ends for message, _ in accepted), timeout=120)
            wrong = [(message, expected, ends.get(message)) for message, expected in accepted
                     if len(ends.get(message, [])) != 1 or ends[message][0].get("response") != expected]
        print(f"{restarts} restarts, slowest {slowest:.3f} s, {len(accepted)} messages, {len(wrong)} wrong, "
              f"{doubles} times a second orchestrator")
        for problem in wrong[:10]:
            print("PROBLEM", problem)
        code = runtime.stop()
        return 1 if wrong or doubles or code != 0 else 0


sys.exit(main())
