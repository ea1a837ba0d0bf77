#!/usr/bin/env python3
"""Measures what DESIGN promises and writes bench.md and bench.json into the build folder.

In-process rows come from core_bench (Google Benchmark, median of repetitions), cold starts from
hyperfine without a shell. Figures of the original are those its design notes give for the same work.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import tempfile

import agents

# row, benchmark, original (Bun), aim in nanoseconds
ROWS = [
    ("executor call, catalog of 10", "executor_call/10", "0.54 µs", 300),
    ("executor call, catalog of 1000", "executor_call/1000", "2.7 µs", 300),
    ("executor call through 10 middlewares", "executor_ten_middlewares", "8 µs", 800),
    ("executor call, handler on its own thread", "executor_call_own_thread/real_time", "–", None),
    ("eight calls of one response, own threads", "run_all_eight/real_time", "–", None),
    ("catalog of 1000 tools, unchanged", "catalog_unchanged", "2.1 ms", 10_000),
    ("catalog of 1000 tools, after a change", "catalog_after_a_change", "2.1 ms", None),
    ("catalog of 1000 tools, unchanged, with the extension oauth", "catalog_with_oauth", "–", 10_000),
    ("schema check, ten fields", "schema_ten_fields", "–", 2_000),
    ("schema compile, ten fields", "schema_compile", "–", None),
    ("plugin call, worker process", "plugin_worker/real_time", "–", None),
    ("plugin call, in process", "plugin_in_process/real_time", "–", None),
    ("TypeScript tool call, Bun", "script_call/bun/min_warmup_time:1.000/real_time", "–", 100_000),
    ("TypeScript tool call, Node", "script_call/node/min_warmup_time:1.000/real_time", "–", 100_000),
    ("the same in the first dialect, with its context, Node", "old_call/min_warmup_time:1.000/real_time", "–", None),
    ("ctx.oauth.getAccessToken, a valid grant, seen by the handler", "old_token/iterations:25/manual_time", "–", None),
    ("store of tokens, read a grant", "oauth_store_get/real_time", "–", None),
    ("store of tokens, write a grant to the disk", "oauth_store_put/real_time", "–", None),
    ("changeset: open, edit a file of 52, check, commit", "changeset_open_and_commit/real_time", "–", None),
]
# row, name in builtin_bench, original (Bun), aim in nanoseconds, aim for growth in bytes
BUILTIN = [
    ("bash__exec true", "bash_true", "5.0 ms", 1_500_000, None),
    ("50 MB of shell output", "bash_50_megabytes", "339 ms, 585 MB", 120_000_000, 16_000_000),
    ("read first 100 kB of a 100 MB file", "file_read", "25 ms, 418 MB", 200_000, 1_000_000),
    ("list a folder of 100,000 files", "file_list", "3.4 s", 350_000_000, None),
    ("json-query in 50 MB", "json_query", "720 ms, 850 MB", 60_000_000, None),
    ("replace in 10 MB", "text_replace", "138 ms", 20_000_000, None),
    ("split 10 MB into lines", "text_split", "43 ms", 20_000_000, None),
    ("upper-case 10 MB", "text_upper", "98 ms", 20_000_000, None),
    ("http-fetch of 1 kB, 32 at once, each", "http_fetch", "51 k/s", 19_600, None),
]
COLD = [
    ("gdn --version, cold", ["--version"], "–", 5_000_000),
    ("gdn --help, cold", ["--help"], "86 ms", 5_000_000),
    ("gdn validate, cold", ["validate", "{bundle}"], "135 ms", 10_000_000),
]


def text_of(nanoseconds):
    if nanoseconds is None:
        return "–"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def in_process(build):
    output = subprocess.run(
        [build / "core_bench", "--benchmark_format=json", "--benchmark_repetitions=5",
         "--benchmark_report_aggregates_only=true", "--benchmark_min_time=0.2"],
        check=True, capture_output=True, text=True).stdout
    medians = {}
    for row in json.loads(output)["benchmarks"]:
        if row.get("aggregate_name") == "median" and not row.get("error_occurred"):
            medians[row["run_name"]] = row["real_time"]
    return medians


def growth_text(size):
    return "–" if size is None else f"{size / 1e6:.3g} MB"


def builtin(build, name):
    output = subprocess.run([build / "builtin_bench", name], check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def builtin_table(build):
    lines = ["| built-in tool, warm process | original (Bun) | aim | measured | memory growth |", "| --- | --- | --- | --- | --- |"]
    rows = []
    for row, name, original, aim, growth_aim in BUILTIN:
        got = builtin(build, name)
        measured = text_of(got["ns"]) + (f" ({got['perSecond'] / 1000:.3g} k/s)" if got["perSecond"] else "")
        wanted = f"≤ {text_of(aim)}" + (f", ≤ {growth_text(growth_aim)}" if growth_aim else "")
        lines.append(f"| {row} | {original} | {wanted} | {measured} | {growth_text(got['growthBytes'])} |")
        rows.append({"work": row, "aimNs": aim, "measuredNs": got["ns"], "growthBytes": got["growthBytes"]})
    return lines, rows


def one_line(*command):
    """The figure that a program prints; nothing if it cannot run here."""
    try:
        done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, timeout=120)
        return json.loads(done.stdout)["ns"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None


def mcp_table(build, root):
    """A call of an MCP tool over pipes, with our client and with that of the official SDK, on the same servers."""
    npm = root / "build/npm"
    node = npm / "bin/node"
    everything = [node, npm / "node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio"]
    work = [("the smallest server, in C++", "echo", "{}", [build / "mcp_echo_server"]),
            ("server-everything, in Node", "echo", '{"message":"hi"}', everything)]
    lines = ["| MCP call over pipes | official SDK's client (Node) | ours, through the executor |", "| --- | --- | --- |"]
    rows = []
    for row, tool, arguments, command in work:
        theirs = one_line(node, root / "bench/mcp_sdk_client.mjs", npm / "node_modules", tool, arguments, *command)
        ours = one_line(build / "mcp_bench", tool, arguments, *command)
        lines.append(f"| {row} | {text_of(theirs)} | {text_of(ours)} |")
        rows.append({"work": "MCP call, " + row, "sdkNs": theirs, "measuredNs": ours})
    return lines, rows


def tool_search_table(build):
    output = subprocess.run([build / "tool_search_bench", "--benchmark_format=json", "--benchmark_repetitions=5",
                             "--benchmark_report_aggregates_only=true", "--benchmark_min_time=0.1"],
                            check=True, capture_output=True, text=True).stdout
    lines = ["| tool-search, 10,000 tools | aim | measured |", "| --- | --- | --- |"]
    rows = []
    for row in json.loads(output)["benchmarks"]:
        if row.get("aggregate_name") != "median":
            continue
        name = row["run_name"].rsplit("/", 1)[0].replace("/", ", ").replace("_", " ")
        scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[row["time_unit"]]
        aim = 2_000_000 if "query" in name or "search" in name else None
        lines.append(f"| {name} | {'≤ ' + text_of(aim) if aim else '–'} | {text_of(row['real_time'] * scale)} |")
        rows.append({"work": "tool-search: " + name, "aimNs": aim, "measuredNs": row["real_time"] * scale})
    return lines, rows


def agent_table(build):
    lines = ["| agents, real processes, scripted model | original (Bun) | aim | measured |", "| --- | --- | --- | --- |"]
    rows = []
    for row, original, aim, value, unit in agents.measure(str(build / "gdn")):
        text = text_of if unit == "ns" else growth_text
        lines.append(f"| {row} | {original} | {'≤ ' + text(aim) if aim else '–'} | {text(value)} |")
        rows.append({"work": row, "aim": aim, "measured": value, "unit": unit})
    return lines, rows


def cold(build, words, bundle):
    command = " ".join([str(build / "gdn")] + [word.format(bundle=bundle) for word in words])
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run(["hyperfine", "-N", "--warmup", "20", "--runs", "200", "--export-json", out.name, command],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.load(open(out.name))["results"][0]["median"] * 1e9


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--update-docs", action="store_true", help="also write docs/benchmarks.md")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    os.environ.setdefault("GOONDAN_GDN", str(build / "gdn"))
    medians = in_process(build)
    rows = [(row, original, aim, medians.get(name)) for row, name, original, aim in ROWS]
    rows += [(row, original, aim, cold(build, words, root / "examples/tools-tour")) for row, words, original, aim in COLD]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True).stdout.strip()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
    table = ["| work | original (Bun) | aim | measured |", "| --- | --- | --- | --- |"]
    table += [f"| {row} | {original} | {'≤ ' + text_of(aim) if aim else '–'} | {text_of(value)} |" for row, original, aim, value in rows]
    builtin_lines, builtin_rows = builtin_table(build)
    agent_lines, agent_rows = agent_table(build)
    mcp_lines, mcp_rows = mcp_table(build, root)
    search_lines, search_rows = tool_search_table(build)
    page = "\n".join(table) + "\n\n" + "\n".join(builtin_lines) + "\n\n" + "\n".join(agent_lines) + "\n\n" + "\n".join(mcp_lines) + "\n\n" + "\n".join(search_lines) + f"\n\nMedians; {machine}; commit {commit}.\n"
    (build / "bench.md").write_text(page)
    (build / "bench.json").write_text(json.dumps(
        {"machine": machine, "commit": commit,
         "rows": [{"work": row, "aimNs": aim, "measuredNs": value} for row, _, aim, value in rows] + builtin_rows + agent_rows + mcp_rows + search_rows}, indent=2, ensure_ascii=False))
    if arguments.update_docs:
        (root / "docs/benchmarks.md").write_text(
            "# Benchmarks\n\nWritten by `./dev bench --update-docs`. The figures of the original (TypeScript on Bun) and the "
            "aims are those of the design; only the last column was measured here.\n\n" + page)
    print(page, end="")


main()
