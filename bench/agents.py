"""Measures agents: a real orchestrator, real processes, the scripted model. `measure(gdn)` returns rows of
(what, original, aim, measured) as texts and numbers."""
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

SPAWNS = 50
REQUESTS = 300
TURNS = 300
CROWD = 1000

ASKER = {"replies": [
    {"when": {"role": "user", "contains": "ask"},
     "calls": [{"tool": "agents__request", "args": {"target": "worker", "input": "x"}}]},
    {"when": {"role": "tool"}, "text": "done"},
    {"when": {"role": "user"}, "text": "hello"}]}
WORKER = {"replies": [{"text": "y"}]}


def private_bytes(pid):
    total = 0
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(("Private_Clean:", "Private_Dirty:")):
            total += int(line.split()[1]) * 1024
    return total


def spawn(runtime, agent, key):
    """Nanoseconds from asking for an instance to its being ready."""
    begun = time.perf_counter_ns()
    runtime.owner.ask("spawn", agent=agent, instanceKey=key)
    runtime.owner.observe_until(lambda e: e["type"] == "agent.ready" and e["instanceKey"] == key)
    return time.perf_counter_ns() - begun


def call_times(gdn, environment, workspace):
    """Nanoseconds of every agents__request in the traces."""
    import subprocess
    listed = subprocess.run([gdn, "trace", "--json", "--limit", "10000", "--workspace", workspace], env=environment,
                            check=True, capture_output=True, text=True).stdout
    times = []
    for trace in json.loads(listed)[:REQUESTS]:
        spans = json.loads(subprocess.run([gdn, "trace", trace["traceId"], "--json", "--workspace", workspace],
                                          env=environment, check=True, capture_output=True, text=True).stdout)
        times += [s["endNs"] - s["startNs"] for s in spans if s["name"] == "execute_tool agents__request"]
    return times


def measure(gdn):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "e2e"))
    from swarm_support import Orchestrator, agent, swarm
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        bundle = folder / "bundle"
        bundle.mkdir()
        (bundle / "goondan.yaml").write_text("\n---\n".join(
            [*agent("asker", ["agents"]), *agent("worker"), swarm("asker", ["asker", "worker"])]))
        (bundle / "asker.script.yaml").write_text(json.dumps(ASKER))
        (bundle / "worker.script.yaml").write_text(json.dumps(WORKER))
        environment = dict(os.environ, GOONDAN_STATE_ROOT=str(folder / "state"), NO_COLOR="1")
        runtime = Orchestrator(gdn, bundle, environment).start()
        runtime.turn("hello", key="main")
        spawns = [spawn(runtime, "worker", f"s{i}") for i in range(SPAWNS)]
        idle = [private_bytes(one["pid"]) for one in runtime.agents() if one["instanceKey"].startswith("s")]
        turns = []
        for _ in range(TURNS):
            begun = time.perf_counter_ns()
            runtime.turn("hello", key="main")
            turns.append(time.perf_counter_ns() - begun)
        runtime.turn("ask", key="asking")
        for _ in range(REQUESTS):
            runtime.turn("ask", key="asking")
        begun = time.perf_counter_ns()
        for i in range(CROWD):
            runtime.owner.post("spawn", agent="worker", instanceKey=f"c{i}")
        ready = 0
        while ready < CROWD:
            ready += runtime.owner.observations.get(timeout=120)["type"] == "agent.ready"
        crowd = time.perf_counter_ns() - begun
        memory = sum(private_bytes(one["pid"]) for one in runtime.agents())
        requests = call_times(gdn, environment, runtime.info["workspace"])
        begun = time.perf_counter_ns()
        runtime.stop()
        stopped = time.perf_counter_ns() - begun
    return [
        ("agent spawn to ready", "64 ms", 5_000_000, statistics.median(spawns), "ns"),
        ("idle agent, private memory", "9 MB", 1_000_000, statistics.median(idle), "bytes"),
        ("agent-to-agent request, no model time", "3.6 ms", 400_000, statistics.median(requests), "ns"),
        ("turn without model time, seen by the client", "–", None, statistics.median(turns), "ns"),
        ("1,000 idle agents: until all are ready", "–", None, crowd, "ns"),
        ("1,000 idle agents: private memory of all", "–", None, memory, "bytes"),
        ("1,000 idle agents: until all have ended", "–", None, stopped, "ns"),
    ]


if __name__ == "__main__":
    for row in measure(sys.argv[1]):
        print(row)
