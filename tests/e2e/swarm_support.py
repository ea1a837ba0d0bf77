"""Swarms for the end-to-end tests: a bundle with scripted models, its orchestrator as a child of the test, and a client
that speaks the frames of docs/protocol.md."""
import json
import os
import pathlib
import queue
import signal
import socket
import struct
import subprocess
import threading
import time
import uuid

import support
from support import DEADLINE

HEAD = "apiVersion: goondan.ai/v1\n"


def document(kind, name, spec):
    """One YAML document; JSON is YAML."""
    return json.dumps({"apiVersion": "goondan.ai/v1", "kind": kind, "metadata": {"name": name}, "spec": spec})


def agent(name, tools=(), script=None, **spec):
    """An agent with a scripted model of its own, `<name>.script.yaml`."""
    return [document("Model", name + "-model", {"provider": "scripted", "model": f"./{script or name}.script.yaml"}),
            document("Agent", name, {"modelConfig": {"modelRef": f"Model/{name}-model"},
                                     "tools": [{"ref": f"Tool/{tool}"} for tool in tools], **spec})]


def swarm(entry, agents, **spec):
    return document("Swarm", "default", {"entryAgent": f"Agent/{entry}",
                                         "agents": [{"ref": f"Agent/{name}"} for name in agents], **spec})


class Gone(Exception):
    """The other side of a connection has ended."""


class Connection:
    """Frames over a socket. Replies go to whoever asked, observations to `observations`."""

    def __init__(self, connected):
        self.socket = connected
        self.observations = queue.Queue()
        self.notices = queue.Queue()  # started, restarting, stopped ...
        self._replies = {}
        self._lock = threading.Lock()
        self._sending = threading.Lock()  # a large frame goes out in pieces
        self.ended = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            if not piece:
                raise Gone
            data += piece
        return data

    def _read(self):
        try:
            while True:
                (size,) = struct.unpack("<I", self._exactly(4))
                self._take(json.loads(self._exactly(size)))
        except (Gone, OSError):
            self.ended.set()
            with self._lock:
                waiting, self._replies = self._replies, {}
            for answer in waiting.values():
                answer.put(None)
            self.notices.put(None)
            self.observations.put(None)

    def _take(self, message):
        payload = message["payload"]
        kind = payload.get("kind")
        if kind == "reply":
            with self._lock:
                answer = self._replies.pop(payload["requestId"], None)
            if answer is not None:
                answer.put(payload)
        elif kind == "observe":
            for event in payload["events"]:
                self.observations.put(event)
        else:
            self.notices.put(payload)

    def post(self, kind, **params):
        """Sends a request; the queue that its answer will come in."""
        request, answer = uuid.uuid4().hex, queue.Queue()
        text = json.dumps({"type": "event", "from": "cli", "to": "orchestrator",
                           "payload": {"kind": kind, "requestId": request, **params}}).encode()
        with self._lock:
            if self.ended.is_set():
                raise Gone
            self._replies[request] = answer
        try:
            with self._sending:
                self.socket.sendall(struct.pack("<I", len(text)) + text)
        except OSError as error:
            raise Gone from error
        return answer

    def ask(self, kind, **params):
        """The result of a request; an error of the orchestrator as RuntimeError."""
        payload = self.post(kind, **params).get(timeout=DEADLINE)
        if payload is None:
            raise Gone
        if "error" in payload:
            raise RuntimeError(payload["error"])
        return payload["result"]

    def observe_until(self, wanted):
        """All observations up to the first that `wanted` accepts."""
        seen = []
        while True:
            event = self.observations.get(timeout=DEADLINE)
            if event is None:
                raise Gone
            seen.append(event)
            if wanted(event):
                return seen

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()


class Orchestrator:
    """`gdn orchestrator` with the test as its owner."""

    def __init__(self, gdn, bundle, environment, *words):
        self.gdn, self.bundle, self.environment, self.words = gdn, bundle, environment, words
        self.process = self.owner = None

    def start(self):
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [str(self.gdn), "orchestrator", "--bundle", str(self.bundle), "--swarm", "default", "--state-root",
             self.environment["GOONDAN_STATE_ROOT"], *self.words],
            env=self.environment, stdin=subprocess.DEVNULL, close_fds=False, start_new_session=True,
            preexec_fn=lambda: os.dup2(theirs.fileno(), 3, inheritable=True))
        theirs.close()
        self.owner = Connection(ours)
        self.owner.post("watch")  # before anything can happen
        notice = self.owner.notices.get(timeout=DEADLINE)
        if notice is None or notice["kind"] != "started":
            self.process.wait(timeout=DEADLINE)
            raise RuntimeError(notice)
        self.info = notice
        return self

    @property
    def folder(self):
        return pathlib.Path(self.environment["GOONDAN_STATE_ROOT"]) / "workspaces" / self.info["workspace"]

    def submit(self, text, agent=None, key=None, message=None, **surroundings):
        """`surroundings`: the `origin` and `auth` of the turn."""
        params = {"id": message or "msg_" + uuid.uuid4().hex, "input": text, **surroundings}
        if agent:
            params["agent"] = agent
        if key:
            params["instanceKey"] = key
        return self.owner.ask("submit", **params)

    def turn(self, text, **where):
        """Submits a message; what was observed until its turn was over, and how it ended."""
        accepted = self.submit(text, **where)
        started = None

        def over(event):
            nonlocal started
            if event["type"] == "turn.started" and event.get("id") == accepted["id"]:
                started = event["turnId"]
            if event["type"] == "turn.failed" and event.get("id") == accepted["id"]:
                return True
            return event["type"] in ("turn.completed", "turn.failed") and event.get("turnId") == started

        seen = self.owner.observe_until(over)
        return seen, seen[-1]

    def agents(self):
        return self.owner.ask("status")["agents"]

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=DEADLINE)
        self.owner.ended.wait(timeout=DEADLINE)

    def stop(self):
        if self.process is None:
            return None
        self.owner.close()
        return self.process.wait(timeout=DEADLINE)


def wait_until(condition, what="the condition"):
    """For conditions that no event announces."""
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true")
        time.sleep(0.01)


class SwarmTest(support.GdnTest):
    """Each test has a bundle, a state root and an orchestrator of its own."""

    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.bundle = self.folder / "bundle"
        self.bundle.mkdir()

    def environment(self, **extra):
        return {**super().environment(**extra), "GOONDAN_STATE_ROOT": str(self.state)}

    def bundle_of(self, *documents, files=None):
        """Documents are JSON texts or lists of them; `files` are written beside goondan.yaml."""
        flat = [text for one in documents for text in ([one] if isinstance(one, str) else one)]
        (self.bundle / "goondan.yaml").write_text("\n---\n".join(flat) + "\n")
        for name, text in (files or {}).items():
            path = self.bundle / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))

    def orchestrator(self, *words, gdn=None, **extra):
        started = Orchestrator(gdn or support.GDN, self.bundle, self.environment(**extra), *words)
        self.addCleanup(self._end, started)
        return started.start()

    @staticmethod
    def _end(started):
        if started.process is not None and started.process.poll() is None:
            try:
                os.killpg(started.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            started.process.wait(timeout=DEADLINE)
