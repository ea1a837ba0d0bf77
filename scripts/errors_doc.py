#!/usr/bin/env python3
"""Writes docs/errors.md from what `gdn explain --json` says, so that the two never differ.

usage: errors_doc.py GDN [--check]     --check writes nothing and fails if the file is out of date
"""
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "errors.md"
SECONDS = 30

HEAD = """\
# Errors

<!-- Written by scripts/errors_doc.py from `gdn explain --json`; change src/cli/explanations.cc instead. -->

Every failure has a code that programs can compare, a message that names what was wrong, and mostly a
suggestion. `gdn explain CODE` prints the same text as this page, offline. A tool may have codes of its own
beside these.
"""

# The first group whose pattern matches a code takes it; the last takes the rest.
GROUPS = [
    ("Tool calls", r"E_TOOL", "Results of a call, as a model sees them. `gdn call` prints them and ends with 1, after Ctrl-C with 130."),
    ("Middleware", r"E_MIDDLEWARE", "Results of a call that went through a faulty middleware."),
    ("Loading native tools", r"E_PLUGIN", "`gdn` ends with 3."),
    ("Files, hosts and services", r"E_(PATH|URL|HOST_NOT_ALLOWED|NETWORK|TLS|HTTP|TOKEN|SERVICE)",
     "Results of a call, mostly of a built-in tool."),
    ("What is needed to run", r"E_(HOST|RUNTIME)_", "`gdn` ends with 1."),
    ("Schemas and JSON", r"E_(SCHEMA|JSON)", ""),
    ("Bundles", r"E_CONFIG", "`gdn validate` lists them all and ends with 4; other commands end with 3."),
    ("Other", r"", "`gdn` ends with 2 for `E_USAGE`, 8 for `E_LIMIT`, 1 for the others."),
]


def escaped(text):
    """Plain text as Markdown in a table cell; what stands between backticks is left alone."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"[<*]|(?<!\w)_+|_+(?!\w)", lambda found: "".join("\\" + c for c in found.group()), parts[i])
    return "`".join(parts).replace("|", "\\|")


def grouped(explanations):
    """(title, note, explanations) of every group that has any, each code once."""
    left = list(explanations)
    for title, pattern, note in GROUPS:
        mine = [each for each in left if re.match(pattern, each["code"])]
        left = [each for each in left if each not in mine]
        if mine:
            yield title, note, mine


def page(explanations):
    lines = [HEAD]
    for title, note, group in grouped(explanations):
        lines += [f"## {title}\n", *([note + "\n"] if note else [])]
        lines += ["| code | name | meaning | what to do |", "| --- | --- | --- | --- |"]
        for each in group:
            lines.append(f"| `{each['code']}` | `{each['name']}` | {escaped(each['meaning'])} | {escaped(each['remedy'])} |")
        lines.append("")
    return "\n".join(lines)


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    answer = subprocess.run([sys.argv[1], "explain", "--json"], check=True, capture_output=True, timeout=SECONDS)
    text = page(json.loads(answer.stdout))
    if not sys.argv[2:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/errors.md is out of date; run: scripts/errors_doc.py build/release/gdn", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
