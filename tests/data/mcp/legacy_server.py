"""A legacy server whose tools do what their names say, well or badly."""
import json
import os
import subprocess
import sys
import time

from wire import OBJECT, answer, call, read, refuse, send, text, write


def echo(request):
    answer(request, text(call(request).get("text", "")))


def never(request):
    pass


def die(request):
    sys.stderr.write("about to die\nno memory left\n")
    sys.stderr.flush()
    os._exit(3)


def twice(request):
    echo(request)
    echo(request)


def wrong_id(request):
    for wrong in (request["id"] + 1000, str(request["id"]), None, -1):
        send({"id": wrong, "result": text("not yours")})
    echo(request)


def progress(request):
    token = request["params"].get("_meta", {}).get("progressToken")
    for done in (1, 2, 3):
        send({"method": "notifications/progress",
              "params": {"progressToken": token, "progress": done, "total": 3, "message": f"part {done}"}})
        send({"method": "notifications/progress", "params": {"progressToken": "other", "progress": 99}})
    echo(request)


def changed(request):
    send({"method": "notifications/tools/list_changed"})
    echo(request)


def log(request):
    send({"method": "notifications/message", "params": {"level": "warning", "logger": "disk", "data": "nearly full"}})
    sys.stderr.write("plain \x1b[31mwords\n")
    sys.stderr.flush()
    echo(request)


def ask(request):
    """Sends a request of its own and returns what came back."""
    send({"id": "mine", "method": call(request)["method"], "params": call(request).get("params", {})})
    while True:
        message = read()
        if message.get("id") == "mine":
            return answer(request, text(message))


def seen(request):
    """Waits for a notification and returns it."""
    while True:
        message = read()
        if "id" not in message:
            return answer(request, text(message))


def environment(request):
    answer(request, text(dict(os.environ)))


def structured(request):
    answer(request, text("", structuredContent=call(request)["value"]))


def failed(request):
    answer(request, text("no such file", isError=True, structuredContent=5))


def huge(request):
    answer(request, text("x" * (17 << 20)))


def raw(request):
    """A line as it stands in the arguments, with %ID for the id."""
    write(call(request)["line"].replace("%ID", str(request["id"])) + "\n")


def latin1(request):
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"caf\xe9"}]}}\n' % request["id"])


def deaf(request):
    """Reads no more."""
    answer(request, text("deaf from now on"))
    time.sleep(1000)


def child(request):
    process = subprocess.Popen(["sleep", "1000"])
    answer(request, text(str(process.pid)))


TOOLS = {name: globals()[name] for name in (
    "echo never die twice wrong_id progress changed log ask seen environment structured failed huge raw "
    "latin1 deaf child").split()}


def definition(name):
    tool = {"name": name, "inputSchema": OBJECT}
    if name in ("structured", "failed"):
        tool["outputSchema"] = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    return tool


def initialize(request, version=None, **more):
    answer(request, {"protocolVersion": version or request["params"]["protocolVersion"],
                     "capabilities": {"tools": {"listChanged": True}},
                     "serverInfo": {"name": "fake", "version": "1.2"}, "instructions": "Be kind.", **more})


def serve(request):
    """One request of a client that has been greeted."""
    if "id" not in request:
        return
    if request["method"] == "tools/list":
        answer(request, {"tools": [definition(name) for name in TOOLS]})
    elif request["method"] == "tools/call" and request["params"]["name"] in TOOLS:
        TOOLS[request["params"]["name"]](request)
    elif request["method"] == "initialize":
        initialize(request)
    elif request["method"] == "tools/call":
        refuse(request, -32602, "Unknown tool: " + request["params"]["name"])
    else:
        refuse(request, -32601, "Method not found")
