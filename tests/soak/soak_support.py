"""What the soak tests share: their command line, swarms in a scratch folder, what is left of processes and state, and
the summary.

Each soak is `NAME GDN [--short] [--seed N] [--COUNT N]…`: with full counts as `./dev soak` runs it, with `--short` as
`./dev test` does. It prints its seed first and one summary line last, and exits 1 if something was wrong."""
import argparse
import collections
import contextlib
import ctypes
import json
import os
import pathlib
import random
import sqlite3
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))

PR_SET_CHILD_SUBREAPER = 36
MEBIBYTE = 1 << 20


def options(description, **counts):
    """The command line; each count is (full, short). `chance` of the result is the source of everything random."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("gdn")
    arguments.add_argument("--short", action="store_true", help="the counts of ./dev test")
    arguments.add_argument("--seed", type=int, default=None)
    arguments.add_argument("--no-memory-check", action="store_true", help="print memory, do not judge it (sanitizers)")
    for name, (full, _) in counts.items():
        arguments.add_argument("--" + name.replace("_", "-"), type=type(full), default=None)
    chosen = arguments.parse_args()
    for name, (full, short) in counts.items():
        if getattr(chosen, name) is None:
            setattr(chosen, name, short if chosen.short else full)
    if chosen.seed is None:
        chosen.seed = random.SystemRandom().randrange(2**32)
    chosen.gdn = str(pathlib.Path(chosen.gdn).resolve())
    chosen.chance = random.Random(chosen.seed)
    sys.argv = [sys.argv[0], chosen.gdn]  # what the end-to-end helpers read
    print(f"seed {chosen.seed}", flush=True)
    return chosen


def finish(chosen, summary, problems):
    """Prints the problems and the summary; the exit code."""
    for problem in problems[:20]:
        print("PROBLEM", problem)
    if len(problems) > 20:
        print(f"PROBLEM … and {len(problems) - 20} more")
    print(f"{summary}, {len(problems)} problems, seed {chosen.seed}", flush=True)
    return 1 if problems else 0


@contextlib.contextmanager
def bundle(*documents, scripts):
    """A scratch folder with `bundle/` and `state/`; gives the folder and the environment."""
    with tempfile.TemporaryDirectory(prefix="gdn-soak-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "bundle").mkdir()
        flat = [text for one in documents for text in ([one] if isinstance(one, str) else one)]
        (folder / "bundle" / "goondan.yaml").write_text("\n---\n".join(flat) + "\n")
        for name, replies in scripts.items():
            (folder / "bundle" / f"{name}.script.yaml").write_text(json.dumps({"replies": replies}))
        yield folder, dict(os.environ, GOONDAN_STATE_ROOT=str(folder / "state"), NO_COLOR="1", LANG="C.UTF-8")


OURS = "soak_"  # how the ids of our messages begin; agents make others for what they ask each other


class Ends:
    """How each of our messages ended, over all runs of an orchestrator. Thread-safe."""

    def __init__(self):
        self.changed = threading.Condition()
        self.ends = collections.defaultdict(list)  # message id -> its ends
        self.ended_at = {}  # message id -> when we heard of it
        self.counts = collections.Counter()
        self.calls = []  # the ends of tool calls

    def watch(self, runtime):
        """Follows a run in a thread of its own until it ends."""
        def follow(observations):
            while (event := observations.get()) is not None:
                self.take(event)

        thread = threading.Thread(target=follow, args=(runtime.owner.observations,), daemon=True)
        thread.start()
        return thread

    def take(self, event):
        with self.changed:
            self.counts[event["type"]] += 1
            if event["type"] == "message.finished" and event["id"].startswith(OURS):
                self.ends[event["id"]].append(event)
                self.ended_at.setdefault(event["id"], time.monotonic())
            elif event["type"] == "tool.completed":
                self.calls.append(event)
            self.changed.notify_all()

    def wait(self, condition, seconds=120):
        """Whether `condition` came true in time."""
        with self.changed:
            return self.changed.wait_for(condition, timeout=seconds)

    def wait_for(self, messages, seconds=120):
        return self.wait(lambda: all(message in self.ends for message in messages), seconds)

    def open(self, messages):
        with self.changed:
            return sum(message not in self.ends for message in messages)

    def problems(self, expected):
        """`expected`: message id -> a function that says whether this end is right."""
        found = []
        with self.changed:
            for message, right in expected.items():
                ends = self.ends.get(message, [])
                if len(ends) != 1:
                    found.append(f"{message}: {len(ends)} ends: {[e.get('response') or e.get('error') for e in ends]}")
                elif not right(ends[0]):
                    found.append(f"{message}: {ends[0]}")
        return found


def response_is(text):
    return lambda end: end.get("response") == text


def adopt_orphans():
    """From now on whatever outlives the processes between comes to this one, where `descendants` finds it."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def parents():
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if after_name[0] != "Z":
                found[int(entry.name)] = int(after_name[1])
    return found


def descendants(of=None):
    """Living processes below one (this one if none is named)."""
    of = os.getpid() if of is None else of
    parent_of = parents()
    found, level = [], {of}
    while level:
        level = {pid for pid, parent in parent_of.items() if parent in level}
        found += level
    return found


def command_of(pid):
    try:
        return (pathlib.Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def survivors(seconds=60):
    """What still runs below this process; the dying have a moment."""
    end = time.monotonic() + seconds
    while (left := descendants()) and time.monotonic() < end:
        time.sleep(0.02)
    return [f"{pid}: {command_of(pid)}" for pid in left]


def resident(pid):
    """Bytes of memory that a process holds."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def descriptors(pid):
    """How many are open; None if we may not look (gdn keeps its memory private)."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except PermissionError:
        return None


def damaged_databases(state):
    """Databases below a state root that fail SQLite's own check."""
    found = []
    for path in sorted(pathlib.Path(state).rglob("*.db")):
        with contextlib.closing(sqlite3.connect(path)) as database:
            said = [row[0] for row in database.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            found.append(f"{path.name} of {path.parent.name}: {said[:3]}")
    return found


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0
