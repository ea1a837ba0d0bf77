#!/usr/bin/env python3
"""An orchestrator that plays what it was told to, for tests of `gdn run`: speaks the frames of docs/protocol.md over
descriptor 3 or, with `--listen SOCKET`, over a socket.

The file named by GDN_FAKE_PLAY holds {"plays": [play, ...]}: one play for each start, the last one again for more. A
play is a list of steps, each an object with one key:
  say: {kind, ...}        sends an event
  observe: [{...}, ...]   sends observations; "$id" stands for the id of the last message that was submitted
  take: kind              waits for a request of that kind; answers it with the result of `with`, or the error of `refuse`
  ignore: kind            waits for it and does not answer
  raw: text               sends these bytes as they are
  spawn: [command, ...]   starts a process that outlives it; its number goes to the log
  log: text               writes to standard error
  die: signal name        ends by a signal;  exit: code  ends
  close: true             closes the connection and goes on (--listen: waits for the next one)
`watch` is always answered; `stop` ends every play with `stopped`. What came is appended to GDN_FAKE_LOG as lines
{start, kind, ...}."""
import json
import os
import signal
import socket
import struct
import subprocess
import sys


class Over(Exception):
    pass


class Fake:
    def __init__(self, connection, start, log):
        self.connection, self.start, self.log = connection, start, log
        self.id = None

    def send(self, payload):
        text = json.dumps({"type": "event", "from": "orchestrator", "to": "cli", "payload": payload})
        data = text.replace('"$id"', json.dumps(self.id)).encode()
        self.connection.sendall(struct.pack("<I", len(data)) + data)

    def exactly(self, size):
        data = b""
        while len(data) < size:
            piece = self.connection.recv(size - len(data))
            if not piece:
                raise Over
            data += piece
        return data

    def note(self, what):
        with open(self.log, "a") as log:
            log.write(json.dumps({"start": self.start, **what}) + "\n")

    def receive(self):
        (size,) = struct.unpack("<I", self.exactly(4))
        request = json.loads(self.exactly(size))["payload"]
        self.note(request)
        if request["kind"] == "submit":
            self.id = request["id"]
        return request

    def reply(self, request, **how):
        self.send({"kind": "reply", "requestId": request["requestId"], **how})

    def stop(self, request):
        self.reply(request, result={})
        self.send({"kind": "stopped", "reason": "asked for"})
        sys.exit(0)

    def take(self, kind):
        while True:
            request = self.receive()
            if request["kind"] == kind:
                return request
            if request["kind"] == "stop":
                self.stop(request)
            if request["kind"] == "watch":
                self.reply(request, result={})
            else:
                sys.exit(f"'{kind}' was expected, '{request['kind']}' came")

    def step(self, step):
        if "say" in step:
            self.send(step["say"])
        elif "observe" in step:
            self.send({"kind": "observe", "events": step["observe"]})
        elif "ignore" in step:
            self.take(step["ignore"])
        elif "take" in step:
            request = self.take(step["take"])
            if "refuse" in step:
                self.reply(request, error=step["refuse"])
            else:
                accepted = {"id": self.id, "agent": "writer", "instanceKey": "default", "accepted": True}
                self.reply(request, result=step.get("with", accepted if step["take"] == "submit" else {}))
        elif "raw" in step:
            self.connection.sendall(step["raw"].encode())
        elif "spawn" in step:
            self.note({"kind": "spawned", "pid": subprocess.Popen(step["spawn"]).pid})
        elif "log" in step:
            print(step["log"], file=sys.stderr, flush=True)
        elif "die" in step:
            os.kill(os.getpid(), getattr(signal, step["die"]))
        elif "exit" in step:
            sys.exit(step["exit"])
        elif "close" in step:
            self.connection.close()
            raise Over

    def play(self, steps):
        for step in steps:
            self.step(step)
        while True:
            request = self.receive()
            if request["kind"] == "stop":
                self.stop(request)
            self.reply(request, result={})


def next_start(log):
    """How many have begun before; each leaves a line."""
    with open(log, "a+") as file:
        file.seek(0)
        starts = sum(1 for line in file if json.loads(line)["kind"] == "start")
        file.write(json.dumps({"start": starts, "kind": "start", "argv": sys.argv}) + "\n")
    return starts


def main():
    log = os.environ["GDN_FAKE_LOG"]
    with open(os.environ["GDN_FAKE_PLAY"]) as file:
        plays = json.load(file)["plays"]
    if "--listen" not in sys.argv:
        start = next_start(log)
        try:
            Fake(socket.socket(fileno=3), start, log).play(plays[min(start, len(plays) - 1)])
        except Over:
            pass
        return
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[sys.argv.index("--listen") + 1])
    listener.listen()
    print("listening", flush=True)
    while True:
        connection, _ = listener.accept()
        start = next_start(log)
        try:
            Fake(connection, start, log).play(plays[min(start, len(plays) - 1)])
        except (Over, ConnectionError):
            connection.close()


main()
