#!/usr/bin/env python3
"""Runs the ```console blocks of the documents: what stands after `$ ` is typed, what follows must be
printed. A line `...` stands for any lines. Blocks of one document share a scratch folder, which has the examples.

usage: readme_test.py GDN [FILE...]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def steps_of(text):
    """(command, expected output) for every command of every console block."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line)
        if command:
            yield command, expected


def fits(expected, got):
    pattern = "".join(".*" if line == "..." else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, got, re.S) is not None


def main():
    gdn = pathlib.Path(sys.argv[1]).resolve()
    files = [pathlib.Path(name) for name in sys.argv[2:]] or [
        ROOT / "README.md", ROOT / "README.ko.md", *sorted((ROOT / "docs").glob("*.md"))]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as state:
        path = f"{gdn.parent}:{ROOT / 'build' / 'npm' / 'bin'}:{os.environ['PATH']}"  # there are runtimes for scripts
        environment = dict(os.environ, PATH=path, GOONDAN_STATE_ROOT=state, LANG="C.UTF-8")
        for file in files:
            with tempfile.TemporaryDirectory() as scratch:
                pathlib.Path(scratch, "examples").symlink_to(ROOT / "examples")
                for command, expected in steps_of(file.read_text()):
                    done = subprocess.run(["sh", "-c", command], cwd=scratch, env=environment, text=True, timeout=120,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    if fits(expected, done.stdout):
                        passed += 1
                    else:
                        failed += 1
                        print(f"{file.name}: $ {command}\nexpected:\n" + "\n".join(expected) + f"\ngot:\n{done.stdout}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
