#!/usr/bin/env python3
"""An MCP server over standard input and output for tests: legacy era, and as bad as it is told.

Arguments are words that say how it behaves: `hang` (answers nothing), `die` (ends at once),
`silent-list` (does not answer tools/list), `deaf` (ignores the end of its input and SIGTERM),
`flood` (writes notifications for ever), `pid=FILE` (writes its process id there)."""
import json
import os
import signal
import subprocess
import sys
import threading

WORDS = set(sys.argv[1:])
LOCK = threading.Lock()
DESCRIPTION = ["says what it is told"]
CANCELLED = set()


def send(message):
    with LOCK:
        sys.stdout.write(json.dumps(dict({"jsonrpc": "2.0"}, **message)) + "\n")
        sys.stdout.flush()


def tools():
    echo = {"name": "echo", "description": DESCRIPTION[0],
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
    others = ["image", "fail", "hang", "die", "change", "progress", "env", "flood", "child", "big"]
    return [echo] + [{"name": name, "description": name, "inputSchema": {"type": "object"}} for name in others]


def text(value, **more):
    return dict({"content": [{"type": "text", "text": value}]}, **more)


def call(name, arguments, ident, meta):
    if name == "echo":
        return text(arguments.get("text", ""))
    if name == "image":
        return {"content": [{"type": "text", "text": "a dot"},
                            {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]}
    if name == "fail":
        return text("there is no such city", isError=True)
    if name == "hang":
        return None
    if name == "die":
        print("I fall", file=sys.stderr, flush=True)
        os._exit(3)
    if name == "change":
        DESCRIPTION[0] = arguments.get("to", "something else")
        send({"method": "notifications/tools/list_changed"})
        return text("changed")
    if name == "progress":
        token = meta.get("progressToken")
        for i in range(3):
            send({"method": "notifications/progress",
                  "params": {"progressToken": token, "progress": i + 1, "total": 3, "message": f"part {i + 1}"}})
        return text("through")
    if name == "env":
        return text(json.dumps({"names": sorted(os.environ), "cwd": os.getcwd(), "token": os.environ.get("TOKEN")}))
    if name == "flood":
        for i in range(20000):
            send({"method": "notifications/message", "params": {"level": "info", "data": f"line {i} " + "x" * 100}})
            print("noise " * 10, file=sys.stderr)
        return text("wet")
    if name == "child":
        return text(str(subprocess.Popen(["sleep", "1000"], start_new_session=True).pid))
    if name == "big":
        return text("x" * int(arguments.get("size", 1 << 20)))
    raise KeyError(name)


def answer(message):
    method, ident, params = message.get("method"), message.get("id"), message.get("params") or {}
    if ident is None or "hang" in WORDS:
        return
    if method == "initialize":
        send({"id": ident, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
                                      "serverInfo": {"name": "fake", "version": "1"}}})
    elif method == "tools/list":
        if "silent-list" not in WORDS:
            send({"id": ident, "result": {"tools": tools()}})
    elif method == "tools/call":
        result = call(params["name"], params.get("arguments") or {}, ident, params.get("_meta") or {})
        if result is not None:
            send({"id": ident, "result": result})
    elif method == "ping":
        send({"id": ident, "result": {}})
    else:
        send({"id": ident, "error": {"code": -32601, "message": "no such method"}})


def flood():
    while True:
        send({"method": "notifications/tools/list_changed"})


def main():
    for word in WORDS:
        if word.startswith("pid="):
            with open(word[4:], "w") as out:
                out.write(str(os.getpid()))
    if "die" in WORDS:
        print("no, not today", file=sys.stderr)
        sys.exit(7)
    if "deaf" in WORDS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "flood" in WORDS:
        threading.Thread(target=flood, daemon=True).start()
    for line in sys.stdin:
        answer(json.loads(line))
    while "deaf" in WORDS:
        signal.pause()


main()
