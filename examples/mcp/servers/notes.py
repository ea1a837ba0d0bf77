"""A small MCP server over standard input and output: notes that last as long as it runs."""
import json
import sys

NOTES = []
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": False}
TOOLS = [{"name": "add", "description": "Keeps a note.", "inputSchema": TEXT},
         {"name": "search", "description": "Finds notes that contain a text.", "inputSchema": TEXT}]


def call(name, text):
    if name == "add":
        NOTES.append(text)
        return f"kept, {len(NOTES)} in all"
    return json.dumps([note for note in NOTES if text.lower() in note.lower()], ensure_ascii=False)


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1.0.0"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": call(params["name"], params["arguments"]["text"])}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params", {}))
    reply = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
