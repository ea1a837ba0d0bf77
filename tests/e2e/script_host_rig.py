"""Plays the runtime against script-host/host.mjs: a socket pair and frames."""
import json
import os
import pathlib
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import textwrap
import time
import unittest

from npm_packages import BUN, NODE, ROOT, needed

HOST = ROOT / "script-host" / "host.mjs"
DEADLINE = 60  # seconds; nothing here should come near it

CONTEXT = {"agentName": "", "instanceKey": "k", "turnId": "turn", "traceId": "trace", "toolCallId": "call",
           "workdir": "/", "message": None}
LAYER_CONTEXT = {"agentName": "a", "instanceKey": "k", "turnId": "turn", "traceId": "trace", "metadata": {}}
AGENT = {"name": "a", "instanceKey": "k", "workdir": "/w", "bundleRoot": "/b", "prompt": "Be brief.",
         "swarm": {"swarmName": "s", "entryAgent": "a", "selfAgent": "a", "availableAgents": ["a", "b"],
                   "callableAgents": ["b"]}}


_TAKEN = [os.open(os.devnull, os.O_RDONLY) for _ in range(4)]  # so that no pipe of ours gets the number 3


def give(descriptor):
    os.dup2(descriptor, 3)


def node_of_path():
    found = shutil.which("node")
    if found is None:
        raise AssertionError("node is not in PATH")
    return found


class Refusal(Exception):
    """Raised by what answers a request: becomes its error."""

    def __init__(self, **error):
        super().__init__(error["message"])
        self.error = error


class HostProcess:
    def __init__(self, program, cwd):
        ours, theirs = socket.socketpair()
        self.socket = ours
        self.socket.settimeout(DEADLINE)
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program, HOST], cwd=cwd, stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=self.output, pass_fds=(3,), preexec_fn=lambda: give(theirs.fileno()))
        theirs.close()
        self.received = b""
        self.begin()
        self.hello = self.receive()

    def begin(self):
        self.last = 0
        self.seen = []  # everything but replies and answers' requests, in order

    def close(self):
        self.socket.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.output.close()

    def printed(self):
        self.output.seek(0)
        return self.output.read().decode()

    @staticmethod
    def frame(message):
        text = json.dumps(message, ensure_ascii=False).encode()
        return struct.pack("<I", len(text)) + text

    def send(self, message):
        self.socket.sendall(self.frame(message))

    def receive(self):
        """The next message; None at the end."""
        while True:
            if len(self.received) >= 4:
                end = 4 + struct.unpack("<I", self.received[:4])[0]
                while len(self.received) < end:
                    pieces = [self.received]
                    length = len(self.received)
                    while length < end:
                        pieces.append(self._read())
                        length += len(pieces[-1])
                    self.received = b"".join(pieces)
                text, self.received = self.received[4:end], self.received[end:]
                return json.loads(text)
            piece = self._read()
            if piece == b"":
                return None
            self.received += piece

    def _read(self):
        try:
            return self.socket.recv(1 << 20)
        except ConnectionResetError:
            return b""

    def start(self, method, params):
        self.last += 1
        self.send({"type": "call", "id": self.last, "method": method, "params": params})
        return self.last

    def call(self, method, params, answers=None):
        return self.finish(self.start(method, params), answers)

    def finish(self, call, answers=None):
        """Waits for the reply: `{"ok": …}` or `{"error": …}`. Requests are answered from `answers`: values, or
        functions of the params that may raise Refusal."""
        while True:
            message = self.receive()
            if message is None:
                raise EOFError(self.printed())
            if message["type"] == "reply" and message["id"] == call:
                return {key: message[key] for key in ("ok", "error") if key in message}
            self.seen.append(message)
            if message["type"] == "request":
                self.answer(message, answers or {})

    def answer(self, request, answers):
        answer = {"type": "answer", "id": request["id"]}
        try:
            given = answers.get(request["method"])
            answer["ok"] = given(request["params"]) if callable(given) else given
        except Refusal as refusal:
            answer["error"] = refusal.error
        self.send(answer)

    def until(self, matches):
        while True:
            message = self.receive()
            if message is None:
                raise EOFError(self.printed())
            self.seen.append(message)
            if matches(message):
                return message

    def ends(self):
        """Reads to the end of the stream; the exit code."""
        while self.receive() is not None:
            pass
        return self.process.wait(DEADLINE)

    def of(self, method):
        return [message for message in self.seen if message.get("method") == method]

    def logged(self):
        return [(line["params"]["level"], line["params"]["text"], line["call"]) for line in self.of("log")]


def own_host(test):
    """For tests that end the process, or that look at what others could have left in it."""
    test.own_host = True
    return test


class HostTest(unittest.TestCase):
    """One folder for each test, and one host for all of a class but those with `own_host`: starting it takes longer than
    most tests. Subclasses say on what it runs."""
    ending = "mjs"
    shared = None

    @classmethod
    def program(cls):
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.end_shared()
        cls.scratch.cleanup()

    @classmethod
    def end_shared(cls):
        if cls.shared is not None:
            cls.shared.close()
        cls.shared = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.scratch.name)).resolve()
        if hasattr(getattr(self, self._testMethodName), "own_host"):
            self.host = HostProcess(self.program(), self.folder)
            self.addCleanup(self.host.close)
        else:
            self.host = self.shared_host()
            self.addCleanup(self.settle)
        self.hello = self.host.hello

    @classmethod
    def shared_host(cls):
        if cls.shared is None:
            cls.shared = HostProcess(cls.program(), cls.scratch.name)
        cls.shared.begin()
        return cls.shared

    def settle(self):
        """Takes what is still on its way, so that the next test does not find it."""
        try:
            self.host.call("ping", None)
        except Exception:
            self.end_shared()
            raise

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def load(self, path, kind="tool", **more):
        return self.host.call("load", {"module": str(path), "path": str(path), "kind": kind} | more)

    def tool(self, handlers, head="", **more):
        """Loads a module with these handlers, written as the inside of an object."""
        self.module = str(self.write(f"tool.{self.ending}", f"{head}\nexport const handlers = {{ {handlers} }};\n"))
        loaded = self.load(self.module, **more)
        self.assertIn("ok", loaded, loaded)
        return loaded["ok"]

    def params(self, export, input=None, **context):
        context = CONTEXT | {"workdir": str(self.folder)} | context
        return {"module": self.module, "export": export, "input": input or {}, "context": context}

    def run_tool(self, export, input=None, answers=None, **context):
        return self.host.call("tool", self.params(export, input, **context), answers)

    def extension(self, source, answers=None, config=None, state=None, name="x", module=None, **more):
        """Loads and registers an extension, written as the inside of `register(api, config)`."""
        if module is None:
            module = str(self.write(f"{name}.{self.ending}",
                                    f"export async function register(api, config) {{ {source} }}\n"))
        loaded = self.load(module, "extension")
        if "error" in loaded:
            return loaded
        return self.host.call("register", {"extension": name, "module": module, "config": config or {},
                                           "state": state, "agent": AGENT} | more, answers)

    def run_layer(self, kind, number=0, answers=None, name="x", **context):
        params = {"extension": name, "layer": number, "kind": kind, "context": LAYER_CONTEXT | context}
        return self.host.call("layer", params, answers)

    def still_works(self):
        self.assertEqual(self.run_tool("ping"), {"ok": "pong"})


def silent(stream, seconds):
    """Whether nothing can be read for so long."""
    return not select.select([stream], [], [], seconds)[0]


def wait_until(condition):
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        time.sleep(0.005)


class OnNodeOfPath:
    @classmethod
    def program(cls):
        return node_of_path()


class OnNode:
    ending = "ts"

    @classmethod
    def program(cls):
        return needed(NODE)


class OnBun:
    ending = "ts"

    @classmethod
    def program(cls):
        return needed(BUN)
