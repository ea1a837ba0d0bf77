#!/usr/bin/env python3
"""Writes docs/builtin-tools.md and docs/builtin-tools.ko.md: the prose of docs/templates with the
parameters put in that `gdn tools --json` tells of each built-in tool, so that the two never differ.

In a template, `<!-- parameters: bash__exec -->` stands for that export's table. Korean words for the
parameters are in docs/templates/builtin-tools.ko.json, `{"bash__exec": {"command": "..."}}`.

usage: builtin_docs.py GDN [--check]     --check writes nothing and fails if a page is out of date
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
SECONDS = 30
MARK = re.compile(r"^<!-- parameters: (\S+) -->$", re.M)
HEADS = {
    "en": ("parameter", "type", "required", "default", "meaning", "yes", "no", "No parameters."),
    "ko": ("파라미터", "타입", "필수", "기본값", "뜻", "예", "아니오", "파라미터가 없습니다."),
}


def builtin_tools(gdn):
    """Name and parameters of every built-in export; an empty folder has no bundle to add others."""
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run([gdn, "tools", "--json"], cwd=empty, capture_output=True, text=True, timeout=SECONDS, check=True)
    return {item["name"]: item.get("parameters", {}) for item in json.loads(done.stdout)}


def type_text(schema):
    if "enum" in schema:
        return " \\| ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in schema["enum"])
    kinds = schema.get("type", "any")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    items = schema.get("items", {}).get("type")
    return " \\| ".join(f"{items}[]" if kind == "array" and isinstance(items, str) else kind for kind in kinds)


def table(name, parameters, language, korean):
    parameter, kind, required, default, meaning, yes, no, none = HEADS[language]
    properties = parameters.get("properties", {})
    if not properties:
        return none
    rows = [f"| {parameter} | {kind} | {required} | {default} | {meaning} |", "| --- | --- | --- | --- | --- |"]
    for key, schema in properties.items():
        words = schema.get("description", "") if language == "en" else korean.get(name, {}).get(key, "")
        if not words:
            raise SystemExit(f"{name}: no {language} description of '{key}'")
        standard = f"`{json.dumps(schema['default'], ensure_ascii=False)}`" if "default" in schema else "–"
        rows.append(f"| `{key}` | {type_text(schema)} | {yes if key in parameters.get('required', []) else no} | {standard} | "
                    + " ".join(words.split()).replace("|", "\\|") + " |")
    return "\n".join(rows)


def page(language, tools, korean):
    suffix = "" if language == "en" else ".ko"
    template = (DOCS / "templates" / f"builtin-tools{suffix}.md").read_text()
    named = MARK.findall(template)
    missing, unknown = sorted(set(tools) - set(named)), sorted(set(named) - set(tools))
    if missing or unknown or len(named) != len(set(named)):
        raise SystemExit(f"builtin-tools{suffix}.md: without a section: {missing}; not a tool: {unknown}")
    text = MARK.sub(lambda found: table(found[1], tools[found[1]], language, korean), template)
    note = "<!-- Written by scripts/builtin_docs.py; change docs/templates or src/builtin/*/tool.yaml instead. -->\n\n"
    return DOCS / f"builtin-tools{suffix}.md", note + text


def main():
    tools = builtin_tools(pathlib.Path(sys.argv[1]).resolve())
    korean = json.loads((DOCS / "templates" / "builtin-tools.ko.json").read_text())
    stale = [f"{name}.{key}" for name, words in korean.items() for key in words
             if key not in tools.get(name, {}).get("properties", {})]
    if stale:
        raise SystemExit(f"builtin-tools.ko.json names what is no parameter: {stale}")
    for language in ("en", "ko"):
        path, text = page(language, tools, korean)
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            raise SystemExit(f"{path.name} is out of date; run scripts/builtin_docs.py GDN")


main()
