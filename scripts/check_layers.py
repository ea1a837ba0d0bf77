#!/usr/bin/env python3
"""Checks that a room includes only the rooms that src/LAYERS allows, and that exceptions are caught
only where the style says. Prints each violation; exits 1 if there is one."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATCH_ALLOWED = {
    "src/tool/execution.cc",       # the end of a handler's and a middleware's exceptions
    "src/agent/layered.h",         # the end of the exceptions of turn and step middleware
    "src/extension/event_bus.cc",  # listeners are foreign code
    "src/tool/worker_threads.cc",  # std::thread reports failure by throwing
    "src/cli/command_line.cc",     # CLI11 reports problems by throwing
    "src/host/sdk/guarded.h",      # the trampoline: nothing may cross the C border
    "src/host/native/extension_in_process.cc",  # takes what a layer throws around the C border
}


def read_layers():
    allowed, public = {}, {}
    for line in (ROOT / "src/LAYERS").read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        if "=" in line:
            header, room = (part.strip() for part in line.split("="))
            public[header] = room
        else:
            room, rooms = line.split(":")
            allowed[room.strip()] = set(rooms.split()) | {room.strip()}
    return allowed, public


def room_of(path, public):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "src" else public["goondan/" + path.name]


def main():
    allowed, public = read_layers()
    problems = []
    sources = [p for p in (ROOT / "src").rglob("*") if p.suffix in (".h", ".cc") and len(p.relative_to(ROOT).parts) > 2]
    headers = list((ROOT / "include/goondan").glob("*.h"))
    for header in headers:
        if "goondan/" + header.name not in public:
            problems.append(f"{header.name}: has no line in src/LAYERS")
    for path in sources + headers:
        name = str(path.relative_to(ROOT))
        room = room_of(path, public)
        if room not in allowed:
            problems.append(f"{name}: room '{room}' has no line in src/LAYERS")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#include\s+(?:"([a-z0-9_]+)/|<(goondan/[a-z_]+\.h)>)', line)
            if found:
                other = found[1] or public.get(found[2])
                test = name.endswith("_test.cc")
                if other in ("support",) and test:
                    continue
                if other in allowed and other not in allowed[room] and not test:
                    problems.append(f"{name}:{number}: room '{room}' may not include '{other}'")
                if path in headers and found[1]:
                    problems.append(f"{name}:{number}: a public header includes src/")
            if re.search(r"[{,\s]\.\w+ = GDN_TRY|\bnew \w+\(.*GDN_TRY", line):
                problems.append(f"{name}:{number}: GDN_TRY inside braces or new leaks what is already made; use a local")
            if re.search(r"\bcatch\s*\(", line) and name not in CATCH_ALLOWED and not name.endswith("_test.cc"):
                problems.append(f"{name}:{number}: exceptions are caught only at the borders listed in {pathlib.Path(__file__).name}")
    for problem in problems:
        print(problem)
    print(f"{len(sources) + len(headers)} files, {len(problems)} violations")
    return 1 if problems else 0


sys.exit(main())
