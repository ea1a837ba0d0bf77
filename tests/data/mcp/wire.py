"""Messages of a fake server: one JSON object a line."""
import json
import sys

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
OBJECT = {"type": "object"}


def write(text):
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.buffer.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def read():
    """The next message; ends the program at the end of the input."""
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def answer(request, result):
    send({"id": request["id"], "result": result})


def refuse(request, code, message="refused", data=None):
    error = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    send({"id": request["id"], "error": error})


def text(value, **more):
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}], **more}


def call(request):
    return request["params"].get("arguments", {})
