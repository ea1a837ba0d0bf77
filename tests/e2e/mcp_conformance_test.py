#!/usr/bin/env python3
"""The client side of the official MCP conformance suite, with `gdn mcp` as the client: every scenario for both eras but
those for authorization."""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

import npm_support
import support
from support import GdnTest

SUITE = npm_support.MODULES / "@modelcontextprotocol/conformance/dist/index.js"
DRIVER = pathlib.Path(__file__).resolve().parents[1] / "support/mcp_conformance_client.py"
REVISIONS = ("2025-11-25", "2026-07-28")
# The suite's own lists; a scenario that is new there must not go unnoticed.
EXPECTED = {("2025-11-25", 5), ("2026-07-28", 8)}


def scenarios():
    """(name, revision) of all that are not about authorization or extensions of the protocol."""
    listed = subprocess.run([npm_support.NODE, SUITE, "list", "--client"], stdout=subprocess.PIPE, check=True,
                            timeout=support.DEADLINE).stdout.decode()
    found = re.findall(r"^\s*- (\S+) \[([^\]]*)\]", listed, re.MULTILINE)
    return [(name, revision) for name, revisions in found for revision in REVISIONS
            if not name.startswith("auth/") and revision in revisions.split(",")]


class Conformance(GdnTest):
    def run_scenario(self, name, revision):
        out = self.folder / revision / name
        out.mkdir(parents=True)
        command = shlex.join([sys.executable, str(DRIVER), str(support.GDN)])
        done = subprocess.run([npm_support.NODE, SUITE, "client", "--command", command, "--scenario", name,
                               "--spec-version", revision, "-o", out],
                              env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=support.DEADLINE)
        checks = [check for file in out.rglob("checks.json") for check in json.loads(file.read_text())]
        return done, checks

    def judge(self, done, checks):
        bad = [f"{check['id']}: {check['status']} {check.get('errorMessage', '')}" for check in checks
               if check["status"] in ("FAILURE", "WARNING")]
        good = [check for check in checks if check["status"] == "SUCCESS"]
        text = done.stdout.decode("utf-8", "replace")
        self.assertEqual(bad, [], text)
        self.assertTrue(good, text)
        self.assertEqual(done.returncode, 0, text)

    def test_passes_every_scenario_without_a_failure_or_a_warning(self):
        # REQ: issue 5, the client side of the conformance suite
        cases = scenarios()
        for revision, count in EXPECTED:
            self.assertEqual(len([case for case in cases if case[1] == revision]), count, cases)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [(case, pool.submit(self.run_scenario, *case)) for case in cases]
        for (name, revision), run in runs:
            with self.subTest(scenario=name, revision=revision):
                self.judge(*run.result())


if __name__ == "__main__":
    npm_support.need_packages()
    support.main()
