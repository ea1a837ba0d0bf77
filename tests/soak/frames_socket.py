#!/usr/bin/env python3
"""Nonsense over the real control socket and from an agent process, while a swarm works (R20).

The orchestrator must go on, cut off whoever speaks nonsense, hold no more memory than before, and answer every good
message meanwhile. The agent that speaks nonsense is a real one: a plugin inside its process (liar.cc, built
as --plugin liar.so) writes to its socket."""
import base64
import collections
import json
import select
import shutil
import socket
import struct
import sys
import threading
import time

import soak_support
from soak_support import MEBIBYTE

chosen = soak_support.options(__doc__, frames=(100_000, 4_000), lies=(200, 10), line=(100, 20), plugin=("", ""))
from swarm_support import Orchestrator, agent, document, swarm  # noqa: E402  (reads the command line)

ECHO = [{"when": {"role": "user"}, "text": "echo {{input}}"}]
LIAR = [{"when": {"role": "user"}, "calls": [{"tool": "liar__say", "args": {"bytes": "{{input}}"}}]},
        {"when": {"role": "tool"}, "text": "said it"}]
# None that stops, restarts or cancels all if it loses the name of whom it means.
TEMPLATES = [
    {"kind": "watch"}, {"kind": "status"}, {"kind": "submit", "id": "x", "agent": "nobody", "input": "hello"},
    {"kind": "spawn", "agent": "nobody"}, {"kind": "handles.list"}, {"kind": "delete"},
    {"kind": "handles.wait", "handle": "h", "timeoutMs": 1}, {"kind": "handles.cancel", "handle": "h"},
    {"kind": "handles.complete", "handle": "h", "output": {"a": [1, 2]}}]
VALUES = ["null", "true", "0", "-1", "1e999", "9223372036854775808", '""', '"\\ud800"', '"\xff"', "[]", "[[[]]]", "{}",
          '{"a":1,"a":2}', '"' + "x" * 5000 + '"']
CONNECTIONS = 16
MOST_OPEN = 80  # more than the orchestrator takes
GOOD_KEYS = 4
CUT_OFF_TIME = 60  # seconds; nothing here should come near it


def frame(body):
    return struct.pack("<I", len(body)) + body


def mutated():
    """A request, changed somewhere, now and then without its length; and whether it must be refused."""
    chance = chosen.chance
    body = bytearray(json.dumps({"type": "event", "from": "cli", "to": "orchestrator", "payload": {
        **chance.choice(TEMPLATES), "requestId": f"r{chance.randrange(100)}"}}).encode())
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(body) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            body[at:at + 1] = bytes([chance.randrange(256)])
        elif kind == 1:
            del body[at:at + chance.randrange(9)]
        elif kind == 2:
            body[at:at] = body[chance.randrange(len(body) + 1):][:chance.randrange(20)]
        elif (colon := body.find(b": ", at)) >= 0:
            ends = [end for end in (body.find(b",", colon), body.find(b"}", colon)) if end >= 0]
            body[colon + 2:min(ends, default=len(body))] = chance.choice(VALUES).encode("latin-1")
    if chance.randrange(100) == 0:
        return bytes(body), True
    return frame(bytes(body)), not is_json(body)


def is_json(body):
    try:
        json.loads(body)
        return True
    except ValueError:
        return False


NAMED = [b"[" * 100_000, b"{\"type\":" + b"[" * 100_000 + b"]" * 100_000 + b"}", b"\xff\xfe\xfd", b"", b"null", b"{}",
         b'{"type":"event","type":"shutdown","from":"a","to":"b"}',
         *(b'{"type":"event","from":"cli","to":"orchestrator","payload":{"kind":"status","requestId":' + value + b"}}"
           for value in (b"1", b"null", b"[]", b"{}", b"true", b"1.5", b'"' + b"r" * 100_000 + b'"'))]


class Socket:
    """Connections to the control socket, made again when one is cut off."""

    def __init__(self, path):
        self.path, self.open, self.cut_off, self.sent = str(path), {}, 0, 0

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.path)  # waits while the queue is full
        connection.settimeout(CUT_OFF_TIME)
        return connection

    def send(self, which, data, refused=False):
        """Sends; `refused`: waits until the connection is cut off for it. False if that does not come."""
        self.sent += 1
        if which not in self.open:
            self.open[which] = self.connect()
        try:
            self.open[which].sendall(data)
            ended = self.read(self.open[which], CUT_OFF_TIME if refused else 0)
        except OSError:
            ended = True
        if ended:
            self.open.pop(which).close()
            self.cut_off += 1
        return ended or not refused

    @staticmethod
    def read(connection, seconds):
        """Takes what comes within that time; whether the stream has ended."""
        end = time.monotonic() + seconds
        while select.select([connection], [], [], max(0, end - time.monotonic()))[0]:
            if not connection.recv(1 << 16):
                return True
            if time.monotonic() > end:  # it watches, and there is always more
                break
        return False

    def huge_line(self, mebibytes):
        """How much of a line without end is taken."""
        connection, taken = self.connect(), 0
        with connection:
            try:
                while taken < mebibytes * MEBIBYTE:
                    taken += connection.send(b"x" * 65536)
            except OSError:
                pass
        return taken

    def close(self):
        for connection in self.open.values():
            connection.close()
        self.open = {}


class Good(threading.Thread):
    """Sends good messages as the owner, one after the other, until told to stop."""

    def __init__(self, runtime):
        super().__init__(daemon=True)
        self.runtime, self.stop, self.expected, self.problem = runtime, threading.Event(), {}, None
        self.slowest = 0

    def run(self):
        try:
            while not self.stop.is_set():
                number, begun = len(self.expected), time.monotonic()
                message = f"{soak_support.OURS}{number}"
                self.expected[message] = soak_support.response_is(f"echo m{number}")
                self.runtime.submit(f"m{number}", "echo", f"k{number % GOOD_KEYS}", message)
                self.slowest = max(self.slowest, time.monotonic() - begun)
                time.sleep(0.005)
        except Exception as error:  # whatever it was, it is a problem of the swarm
            self.problem = repr(error)


def speak(control, frames, problems):
    for _ in range(frames):
        data, refused = mutated()
        if not control.send(chosen.chance.randrange(CONNECTIONS), data, refused):
            problems.append(f"not cut off after {data!r}")


def noise(control, problems):
    for body in NAMED:
        control.send(0, frame(body))
    control.send(0, struct.pack("<I", 100 * MEBIBYTE) + b"x" * 1000)
    taken = control.huge_line(chosen.line)
    if taken > 8 * MEBIBYTE:
        problems.append(f"{taken} bytes of a line without end were taken")
    crowd = [control.connect() for _ in range(MOST_OPEN)]
    for connection in crowd:
        connection.close()
    speak(control, chosen.frames, problems)
    for which in range(CONNECTIONS):  # half a frame, and gone
        control.send(which, struct.pack("<I", 1000) + b"{")
    control.close()


def lies():
    """What the agent process says in its own name, as bytes."""
    kinds = [{"kind": "turn_done", "id": "x", "status": "ok"}, {"kind": "ready", "pid": 1},
             {"kind": "request", "requestId": "q", "method": "agents.list", "params": []},
             {"kind": "injected", "id": 7}, {"kind": "observe", "events": {"a": 1}}, {"kind": "start_failed"}]
    bodies = [json.dumps({"type": kind, "from": "echo@k0", "to": "orchestrator", "payload": payload,
                          "correlationId": "c"}).encode()
              for kind in ("event", "delegate", "delegate_result", "shutdown_ack") for payload in (*kinds, [], 7, None)]
    choice = chosen.chance.randrange(4)
    if choice == 0:
        return chosen.chance.randbytes(chosen.chance.randrange(1, 5000))
    if choice == 1:
        return struct.pack("<I", 1 << 30) + b"x" * 100
    if choice == 2:
        return frame(chosen.chance.choice(NAMED))[:200_000]
    return b"".join(frame(chosen.chance.choice(bodies)) for _ in range(50))


def lying_agents(runtime, ends, problems):
    """Agents that say nonsense; their messages end somehow, once."""
    messages = {}
    for number in range(chosen.lies):
        message = f"{soak_support.OURS}liar{number}"
        runtime.submit(base64.b64encode(lies()).decode(), "liar", f"l{number % 20}", message)
        messages[message] = lambda end: True
    if not ends.wait_for(messages, 240):
        problems.append(f"{ends.open(messages)} messages to agents that lie have no end")
    return messages


def main():
    soak_support.adopt_orphans()
    tool = document("Tool", "liar", {"entry": "./liar.so", "isolation": "inProcess", "exports": [
        {"name": "say", "parameters": {"type": "object"}}]})
    documents = [*agent("echo"), *agent("liar", ["liar"]), tool, swarm("echo", ["echo", "liar"])]
    with soak_support.bundle(*documents, scripts={"echo": ECHO, "liar": LIAR}) as (folder, environment):
        shutil.copy(chosen.plugin, folder / "bundle" / "liar.so")
        runtime = Orchestrator(chosen.gdn, folder / "bundle", environment).start()
        ends, problems = soak_support.Ends(), []
        ends.watch(runtime)
        good = Good(runtime)
        good.start()
        control = Socket(runtime.folder / "orchestrator.sock")
        speak(control, 200, problems)
        before, begun = soak_support.resident(runtime.process.pid), time.monotonic()
        files = soak_support.descriptors(runtime.process.pid)
        noise(control, problems)
        took = time.monotonic() - begun
        after = soak_support.resident(runtime.process.pid)
        lying = lying_agents(runtime, ends, problems)
        good.stop.set()
        good.join(timeout=60)
        if good.problem:
            problems.append(f"good messages: {good.problem}")
        ends.wait_for(good.expected)
        problems += ends.problems({**good.expected, **lying})
        if after - before > 16 * MEBIBYTE and not chosen.no_memory_check:
            problems.append(f"memory of the orchestrator: {before} bytes, then {after}")
        crashed = ends.counts["agent.exited"]
        if runtime.process.poll() is not None:
            problems.append(f"the orchestrator has ended: {runtime.process.returncode}")
        code = runtime.stop()
        if code != 0:
            problems.append(f"exit code {code}")
        problems += soak_support.survivors() + soak_support.damaged_databases(folder / "state")
        ends_of_lies = collections.Counter(
            (end[0].get("error") or {}).get("code", "answered") for m, end in ends.ends.items() if m in lying)
        summary = (f"{control.sent} frames over the socket in {took:.1f} s, {control.cut_off} connections cut off, memory "
                   f"{before / MEBIBYTE:.1f} to {after / MEBIBYTE:.1f} MiB ({files} descriptors), {len(lying)} messages to "
                   f"lying agents ({dict(ends_of_lies)}, {crashed} processes ended), {len(good.expected)} good messages "
                   f"meanwhile (slowest to be accepted {good.slowest * 1000:.0f} ms)")
        return soak_support.finish(chosen, summary, problems)


sys.exit(main())
