"""The client under test of the MCP conformance suite: each scenario as calls of `gdn mcp`.

mcp_conformance_client.py GDN URL, with the scenario's name in MCP_CONFORMANCE_SCENARIO and what it gives its clients as
JSON in MCP_CONFORMANCE_CONTEXT."""
import json
import os
import subprocess
import sys
import tempfile

GDN, URL = sys.argv[1], sys.argv[-1]
CONTEXT = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
DEADLINE = 25  # seconds for one command; the suite waits 30 for all of them


class Failed(Exception):
    pass


def gdn(verb, *words):
    command = [GDN, "mcp", verb, URL, *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=DEADLINE, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit code {done.returncode}")
    return done.stdout.decode()


def call(tool, arguments=None, *options):
    return gdn("call", tool, "--input", json.dumps(arguments or {}), *options)


def names():
    return gdn("tools", "--names").split()


def list_tools():
    names()


def request_metadata():
    # Everything that can be declared is declared. The server has nothing to read, which is not the point.
    with tempfile.TemporaryDirectory() as folder:
        gdn("read", "test://nothing", "--elicit", "defaults", "--sample", "hello", "--roots", folder)
    names()


def standard_headers():
    for tool in names():
        call(tool)
    for resource in json.loads(gdn("resources", "--json"))["resources"]:
        gdn("read", resource["uri"])
    for prompt in json.loads(gdn("prompts", "--json"))["prompts"]:
        gdn("prompt", prompt["name"])


def custom_headers():
    """A null stands for a parameter that is not given: as a value it does not fit the schemas, and gdn says so before
    the server sees it."""
    for one in CONTEXT["toolCalls"]:
        call(one["name"], {name: value for name, value in one["arguments"].items() if value is not None})


def invalid_headers():
    """A tool that is shown is called, with something for each of its parameters."""
    examples = {"string": "x", "object": {}, "array": [], "null": None, "number": 1.5}
    for tool in json.loads(gdn("tools", "--json"))["tools"]:
        properties = tool["inputSchema"]["properties"]
        call(tool["name"], {name: examples[schema["type"]] for name, schema in properties.items()})


def request_state():
    for tool in names():
        call(tool, {}, "--elicit", "defaults")


def preserved_schema():
    tool = json.loads(gdn("tools", "json_schema_2020_12_tool", "--json"))
    call("json_schema_echo", {"schema": tool["inputSchema"]})


SCENARIOS = {
    "initialize": list_tools,
    "tools_call": lambda: call("add_numbers", {"a": 5, "b": 3}),
    "elicitation-sep1034-client-defaults": lambda: call("test_client_elicitation_defaults", {}, "--elicit", "defaults"),
    "sse-retry": lambda: call("test_reconnection"),
    "request-metadata": request_metadata,
    "http-standard-headers": standard_headers,
    "http-custom-headers": custom_headers,
    "http-invalid-tool-headers": invalid_headers,
    "sep-2322-client-request-state": request_state,
    "json-schema-ref-no-deref": list_tools,
    "json-schema-2020-12-preservation": preserved_schema,
}


def main():
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    if scenario not in SCENARIOS:
        print(f"no way to play the scenario '{scenario}'", file=sys.stderr)
        return 2
    try:
        SCENARIOS[scenario]()
    except Failed as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


sys.exit(main())
