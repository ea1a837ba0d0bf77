#!/usr/bin/env python3
"""An MCP server over pipes for tests: `fake_server.py MODE`. What it does well and what it does
badly is chosen by the mode, which is a function here, and by the tool that is called."""
import json
import os
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True

from legacy_server import initialize, serve  # noqa: E402
from modern_server import discovery, modern  # noqa: E402
from wire import MODERN, OBJECT, answer, read, refuse, send, write  # noqa: E402


def legacy():
    while True:
        serve(read())


def version(which):
    while True:
        request = read()
        if request["method"] == "initialize":
            initialize(request, which)
        else:
            serve(request)


def picky():
    """Refuses all versions but an old one, and says so."""
    while True:
        request = read()
        if request["method"] == "initialize" and request["params"]["protocolVersion"] != "2025-03-26":
            refuse(request, -32602, "Unsupported protocol version", {"supported": ["2025-03-26"]})
        else:
            serve(request)


def silent():
    """Says nothing until `initialize`, then answers the probe late."""
    probe = read()
    greeting = read()
    answer(probe, discovery())
    initialize(greeting)
    legacy()


def slow_modern():
    """Was so slow to start that the client has given up probing."""
    probe = read()
    greeting = read()
    answer(probe, discovery())
    refuse(greeting, -32601, "Method not found")
    modern()


def touchy():
    """Ends when the first thing it hears is not `initialize`."""
    request = read()
    if request["method"] != "initialize":
        sys.exit(1)
    initialize(request)
    legacy()


def agreeable():
    """Answers everything with an empty result until it is greeted."""
    while True:
        request = read()
        if request["method"] == "server/discover":
            answer(request, {})
        else:
            serve(request)


def nameless():
    """Answers the probe with an error for no id."""
    read()
    send({"id": None, "error": {"code": -32600, "message": "Invalid Request"}})
    legacy()


def mute():
    while True:
        read()


def gone():
    sys.stderr.write("missing configuration\n")
    sys.exit(7)


def garbage():
    write("Welcome!\n\n   \n[1,2]\n{\"level\":\"info\"}\n" + "=" * 300 + "\n")
    legacy()


def flood():
    while True:
        write("y\n" * 1000)


def noise():
    """Floods with messages that nobody wants, and with words."""
    def shout(count):
        for number in range(count):
            send({"method": "notifications/nothing", "params": {"n": number}})
            sys.stderr.write("noise\n")
    while True:
        shout(2000)
        serve(read())


def chatter():
    """Never stops talking, on both of its outputs, and works all the same."""
    def talk():
        while True:  # in pieces that the system writes as one
            os.write(1, b'{"jsonrpc":"2.0","method":"notifications/nothing"}\n' * 50 + b"\n" * 50)
            os.write(2, b"words and words\n" * 100)
    threading.Thread(target=talk, daemon=True).start()
    legacy()


def endless_line():
    while True:
        write("x" * 100000)


def stubborn():
    """Ignores the end of its input and the polite signal, and has a child."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            time.sleep(1000)
        serve(json.loads(line))


def pages(kind):
    """Lists of tools in pages: `ends`, `loops` and `endless`."""
    while True:
        request = read()
        if request.get("method") != "tools/list":
            serve(request)
            continue
        cursor = request["params"].get("cursor")
        tool = {"name": f"after-{cursor}", "inputSchema": OBJECT}
        following = {"ends": lambda: {None: "", "": "second"}.get(cursor),
                     "loops": lambda: {None: "a", "a": "b", "b": "a"}.get(cursor),
                     "endless": lambda: str(int(cursor or 0) + 1),
                     "number": lambda: 5}[kind]()
        answer(request, {"tools": [tool], **({"nextCursor": following} if following is not None else {})})


def future():
    """Speaks only versions that nobody knows yet."""
    while True:
        request = read()
        if "id" in request:
            refuse(request, -32022, data={"supported": ["2099-01-01"], "requested": MODERN})


def both():
    """Answers the probe, but knows old versions only."""
    while True:
        request = read()
        if request["method"] == "server/discover":
            answer(request, discovery(supportedVersions=["2024-11-05", "2025-06-18"]))
        else:
            serve(request)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
