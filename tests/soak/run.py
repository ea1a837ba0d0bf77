#!/usr/bin/env python3
"""Runs the soak tests one after the other and prints a line for each: `./dev soak [NAME…] [--short] [--seed N]`."""
import argparse
import os
import pathlib
import platform
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ["cancel_calls", "frames"]
SCRIPTS = ["frames_socket", "kill_agents", "orchestrator_kills", "self_restart", "sigterm_under_load", "growth"]


def command(name, build):
    gdn = str(build / "gdn")
    if name in PROGRAMS:
        return [str(build / "tests" / "soak" / name), gdn]
    more = ["--plugin", str(build / "tests" / "soak" / "liar.so")] if name == "frames_socket" else []
    return [sys.executable, str(HERE / f"{name}.py"), gdn, *more]


def machine():
    memory = next(line.split()[1] for line in open("/proc/meminfo") if line.startswith("MemTotal:"))
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True)
    return (f"{os.cpu_count()} cores, {int(memory) / 2**20:.0f} GiB, {platform.machine()}, {platform.system()} "
            f"{platform.release()}; commit {commit.stdout.strip() or 'unknown'}")


def run(name, build, more):
    """Whether it was well."""
    begun = time.monotonic()
    done = subprocess.run([*command(name, build), *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines() or ["said nothing"]
    well = done.returncode == 0
    if not well:
        print(done.stdout)
    print(f"{name}: {'ok' if well else f'FAILED ({done.returncode})'}: {lines[-1]} ({time.monotonic() - begun:.0f} s)",
          flush=True)
    return well


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROGRAMS + SCRIPTS))
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    arguments.add_argument("--short", action="store_true")
    arguments.add_argument("--seed")
    chosen = arguments.parse_args()
    unknown = [name for name in chosen.names if name not in PROGRAMS + SCRIPTS]
    if unknown:
        arguments.error(f"no soak test is called {', '.join(unknown)}; there are {', '.join(PROGRAMS + SCRIPTS)}")
    more = (["--short"] if chosen.short else []) + (["--seed", chosen.seed] if chosen.seed else [])
    print(machine(), flush=True)
    results = [run(name, chosen.build.resolve(), more) for name in chosen.names or PROGRAMS + SCRIPTS]
    return 0 if all(results) else 1


sys.exit(main())
