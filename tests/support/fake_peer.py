#!/usr/bin/env python3
"""The other end of docs/extension-protocol.md for tests: behaves well or badly as it is told.

Without an argument it says hello and serves calls, each on a thread; the first argument may name
another way to begin."""
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time

line = socket.socket(fileno=3)
writing = threading.Lock()
answers = {}
cancelled = {}
loaded = []
last_words = []
numbers = iter(range(1, 1 << 30))


def send(message):
    text = json.dumps(message).encode()
    with writing:
        line.sendall(struct.pack("<I", len(text)) + text)


def send_raw(data):
    with writing:
        line.sendall(data)


def receive():
    def exactly(count):
        data = b""
        while len(data) < count:
            piece = line.recv(min(count - len(data), 1 << 20))
            if not piece:
                for text in last_words:
                    send({"type": "notify", "call": 1, "method": "log", "params": {"text": text}})
                os._exit(0)
            data += piece
        return data

    return json.loads(exactly(struct.unpack("<I", exactly(4))[0]))


def ask(call, method, params):
    number = next(numbers)
    answers[number] = [threading.Event(), None]
    send({"type": "request", "id": number, "call": call, "method": method, "params": params})
    return number


def answer_of(number):
    answers[number][0].wait()
    return {key: answers[number][1].get(key) for key in ("ok", "error") if key in answers[number][1]}


def serve(call, method, params):
    if method == "ping":
        return None
    if method == "echo":
        return params
    if method == "load":
        loaded.append(params["module"])
        return {"handlers": params.get("exports", ["run"])}
    if method == "loaded":
        return loaded
    if method == "pid":
        return os.getpid()
    if method == "fail":
        raise RuntimeError("no luck")
    if method == "ask":
        return answer_of(ask(call, params["method"], params.get("params")))
    if method == "ask_many":
        asked = [ask(call, "runtime", {"n": n}) for n in range(params["count"])]
        return [answer_of(number) for number in asked]
    if method == "ask_outside":
        return answer_of(ask(None, params["method"], params.get("params")))
    if method == "tell":
        for n in range(params["count"]):
            send({"type": "notify", "call": call, "method": params["method"], "params": {"n": n}})
        return None
    if method == "tell_outside":
        send({"type": "notify", "call": None, "method": "said", "params": params})
        return None
    if method == "say_at_the_end":
        last_words.append(params)
        return None
    if method == "until_cancelled":
        send({"type": "notify", "call": call, "method": "waiting", "params": None})
        cancelled[call].wait()
        return "stopped"
    if method == "never":
        send({"type": "notify", "call": call, "method": "waiting", "params": None})
        time.sleep(3600)
    if method == "exit":
        sys.stderr.write(params.get("words", ""))
        sys.stderr.flush()
        os._exit(params["code"])
    if method == "signal":
        os.kill(os.getpid(), params["number"])
        time.sleep(3600)
    if method == "raw":
        send_raw(bytes(params["bytes"]))
        time.sleep(3600)
    if method == "flood":
        while True:
            send({"type": "request", "id": next(numbers), "call": call, "method": "next",
                  "params": "x" * params.get("size", 10)})
    if method == "flood_said":
        while not cancelled[call].is_set():
            send({"type": "notify", "call": call, "method": "log", "params": {"text": "x" * 1000}})
        return None
    if method == "close":
        line.shutdown(socket.SHUT_RDWR)
        time.sleep(3600)
    if method == "print":
        os.write(1, params["out"].encode("utf-8", "surrogateescape"))
        os.write(2, params["err"].encode("utf-8", "surrogateescape"))
        return None
    if method == "children":
        start_children(params["fifo"])
        return None
    raise KeyError(method)


def start_children(fifo):
    """Two that hold the fifo open: a child, and one that left the session."""
    hold = "import os, sys, time; f = os.open(sys.argv[1], os.O_WRONLY); os.write(f, b'x'); time.sleep(3600)"
    for session in (False, True):
        subprocess.Popen([sys.executable, "-c", hold, fifo], start_new_session=session,
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(message):
    call = message["id"]
    try:
        send({"type": "reply", "id": call, "ok": serve(call, message["method"], message["params"])})
    except Exception as error:  # the whole point: whatever it is, it is the call's error
        send({"type": "reply", "id": call,
              "error": {"message": str(error), "name": type(error).__name__, "code": "E_FAKE"}})


def main():
    begin = sys.argv[1] if len(sys.argv) > 1 else "hello"
    if begin == "silent":
        time.sleep(3600)
    if begin == "leave":
        sys.stderr.write("cannot go on\n")
        sys.exit(7)
    if begin == "wrong":
        send({"type": "hello", "version": 2})
    if begin == "rude":
        send({"type": "reply", "id": 1, "ok": None})
    if begin == "deaf":
        send({"type": "hello", "version": 1})
        time.sleep(3600)
    send({"type": "hello", "version": 1, "runtime": "fake"})
    while True:
        message = receive()
        if message["type"] == "call":
            cancelled[message["id"]] = threading.Event()
            if message["method"] == "block":  # nothing else is heard meanwhile
                time.sleep(3600)
            threading.Thread(target=run, args=(message,), daemon=True).start()
        elif message["type"] == "cancel":
            cancelled[message["id"]].set()
        elif message["type"] == "answer" and message["id"] in answers:
            answers[message["id"]][1] = message
            answers[message["id"]][0].set()


main()
