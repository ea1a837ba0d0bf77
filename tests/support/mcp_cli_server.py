"""An MCP server of the legacy era for the tests of `gdn mcp`, over standard input and output or, with `--http`, at an
address of this machine, which it prints.

usage: mcp_cli_server.py TOOLS.json [--http]

TOOLS.json is the list of its tools, read anew for every request; the ones called `echo`, `ask`, `sample`, `roots`,
`image`, `fail`, `slow` and `env` do something."""
import http.server
import json
import os
import pathlib
import sys
import threading

TOOLS = pathlib.Path(sys.argv[1])
QUESTION = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {
    "name": {"type": "string", "default": "Mina"}, "age": {"type": "integer"}}}}
ASKS = {"ask": ("elicitation/create", QUESTION), "roots": ("roots/list", {}),
        "sample": ("sampling/createMessage", {"messages": [], "maxTokens": 9})}
PAGE = 2


def text(words, **more):
    return dict({"content": [{"type": "text", "text": words}]}, **more)


def call(name, arguments):
    if name == "echo":
        return text(json.dumps(arguments, ensure_ascii=False))
    if name == "image":
        return {"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]}
    if name == "env":
        return text(json.dumps({"names": sorted(os.environ), "token": os.environ.get("API_TOKEN"), "cwd": os.getcwd()}))
    if name == "fail":
        return text("there is no such city", isError=True)
    return text("done")


def page(items, key, params):
    start = int(params.get("cursor", 0))
    result = {key: items[start:start + PAGE]}
    if start + PAGE < len(items):
        result["nextCursor"] = str(start + PAGE)
    return result


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
                "serverInfo": {"name": "cli-server", "version": "1"}}
    if method == "tools/list":
        return page(json.loads(TOOLS.read_text()), "tools", params)
    if method == "tools/call":
        return call(params["name"], params.get("arguments", {}))
    if method == "resources/list":
        return page([{"uri": f"test://{i}", "name": f"number {i}"} for i in range(5)], "resources", params)
    if method == "resources/read" and params["uri"] == "test://bytes":
        return {"contents": [{"uri": "test://bytes", "mimeType": "image/png", "blob": "AAEC"}]}
    if method == "resources/read" and params["uri"] == "test://0":
        return {"contents": [{"uri": "test://0", "text": "한 줄\n"}]}
    if method == "prompts/list":
        return {"prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}, {"name": "how"}]}]}
    if method == "prompts/get":
        words = " ".join(f"{k}={v}" for k, v in sorted(params.get("arguments", {}).items()))
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Greet " + words}}]}
    return None


def respond(ident, result):
    if result is None:
        return {"jsonrpc": "2.0", "id": ident, "error": {"code": -32601, "message": "no such thing"}}
    return {"jsonrpc": "2.0", "id": ident, "result": result}


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def stdio():
    waiting = {}
    for line in sys.stdin:
        message = json.loads(line)
        method, ident, params = message.get("method"), message.get("id"), message.get("params", {})
        if method is None:  # an answer to a question of ours
            told = {key: message[key] for key in ("result", "error") if key in message}
            send(respond(waiting.pop(ident), text(json.dumps(told))))
        elif method == "tools/call" and params["name"] in ASKS:
            waiting["q" + str(ident)] = ident
            send(dict(zip(("method", "params"), ASKS[params["name"]]), jsonrpc="2.0", id="q" + str(ident)))
        elif method == "tools/call" and params["name"] == "slow":
            print("working", file=sys.stderr, flush=True)
        elif ident is not None:
            send(respond(ident, answer(method, params)))


class Post(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Authorization") != "Bearer good":
            return self.reply(401, b"")
        if "id" not in message:
            return self.reply(202, b"")
        self.reply(200, json.dumps(respond(message["id"], answer(message["method"], message.get("params", {})))).encode())

    def do_GET(self):
        self.reply(405, b"")

    do_DELETE = do_GET

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main():
    if "--http" not in sys.argv:
        return stdio()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Post)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    sys.stdin.read()  # until whoever started us goes


main()
