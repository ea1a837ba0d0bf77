"""A server of the modern era."""
import json
import sys

from wire import META, MODERN, OBJECT, answer, call, read, refuse, send, text


def discovery(**more):
    return {"resultType": "complete", "supportedVersions": [MODERN], "ttlMs": 0, "cacheScope": "private",
            "capabilities": {"tools": {"listChanged": True}}, "instructions": "Be modern.",
            "_meta": {META + "serverInfo": {"name": "fake", "version": "2"}}, **more}


def complete(request, result):
    answer(request, {"resultType": "complete", **result})


def inputs(request):
    """Asks for input three times, the last time with a state only; returns what it got."""
    params = request["params"]
    state = params.get("requestState")
    kept = json.loads(state) if state else []
    kept.append({"id": request["id"], "inputs": params.get("inputResponses")})
    if len(kept) == 4:
        return complete(request, text(kept))
    wanted = [{"one": {"method": "elicitation/create", "params": {"message": "name?", "requestedSchema": OBJECT}}},
              {"two": {"method": "sampling/createMessage", "params": {"messages": []}},
               "three": {"method": "roots/list"}}, None][len(kept) - 1]
    result = {"resultType": "input_required", "requestState": json.dumps(kept, ensure_ascii=False)}
    if wanted:
        result["inputRequests"] = wanted
    answer(request, result)


MODERN_TOOLS = {
    "echo": lambda r: complete(r, text(call(r).get("text", ""))),
    "meta": lambda r: complete(r, text(r["params"]["_meta"])),
    "inputs": inputs,
    "insatiable": lambda r: answer(r, {"resultType": "input_required", "requestState": "\t again \u00e9"}),
    "wants_nothing": lambda r: answer(r, {"resultType": "input_required"}),
    "old_result": lambda r: answer(r, text("no type")),
    "new_result": lambda r: answer(r, {"resultType": "task", "taskId": "5"}),
    "asks": lambda r: (send({"id": 77, "method": "ping"}), complete(r, text("asked"))),
}


def modern(refusal=None, first_code=None):
    listener = None
    refused = False
    while True:
        request = read()
        if "id" not in request:
            if request["method"] == "notifications/cancelled":
                sys.stderr.write("cancelled %s\n" % request["params"]["requestId"])
                sys.stderr.flush()
            continue
        if META + "protocolVersion" not in request.get("params", {}).get("_meta", {}):
            refuse(request, -32601 if request["method"] == "initialize" else -32602)
        elif first_code and not refused:
            refused = True
            refuse(request, int(first_code), data={"supported": [MODERN], "requested": MODERN})
        elif request["method"] == "server/discover":
            if refusal:
                refuse(request, int(refusal))
            else:
                complete(request, discovery())
        elif request["method"] == "tools/list":
            answer(request, {"resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                             "tools": [{"name": name, "inputSchema": OBJECT} for name in MODERN_TOOLS]})
        elif request["method"] == "subscriptions/listen":
            listener = request
            tag = {"_meta": {META + "subscriptionId": listener["id"]}}
            send({"method": "notifications/subscriptions/acknowledged",
                  "params": {**tag, "notifications": request["params"]["notifications"]}})
            send({"method": "notifications/tools/list_changed", "params": tag})
        elif request["method"] == "tools/call" and request["params"]["name"] in MODERN_TOOLS:
            MODERN_TOOLS[request["params"]["name"]](request)
        else:
            refuse(request, -32601)
