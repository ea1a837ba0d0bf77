#!/usr/bin/env python3
"""What a run makes of entries that fail: scripts/run_ctest.sh over small programs instead of tests."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "run_ctest.sh"
PASSES, FAILS = "true", "echo broken for good; false"
# Fails once, and says so.
UNSTEADY = 'test -e "$0.seen" || { touch "$0.seen"; echo stumbled; false; }'


class RunCtest(unittest.TestCase):
    def run_entries(self, *programs, strict=False):
        """The exit code and what was printed for entries t0, t1, ... that run these."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        lines = [f'add_test(t{number} "sh" "-c" "{self.quoted(program)}" "{self.folder}/t{number}")'
                 for number, program in enumerate(programs)]
        (self.folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
        environment = {key: value for key, value in os.environ.items() if key != "GDN_STRICT"}
        if strict:
            environment["GDN_STRICT"] = "1"
        done = subprocess.run(["sh", SCRIPT, self.folder, "-j", "2"], env=environment, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    @staticmethod
    def quoted(program):
        return program.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")

    def log(self):
        path = self.folder / "Testing" / "first-failures.log"
        return path.read_text() if path.exists() else None

    def test_a_run_without_failures_says_nothing(self):
        code, out = self.run_entries(PASSES, PASSES)
        self.assertEqual((code, "UNSTEADY" in out, self.log()), (0, False, None), out)

    def test_what_passes_the_second_time_is_told_at_the_very_end(self):
        code, out = self.run_entries(PASSES, UNSTEADY, PASSES, UNSTEADY)
        self.assertEqual(code, 0, out)
        last = out.splitlines()[-2:]
        for line, name in zip(last, ("t1", "t3")):
            self.assertIn(f"UNSTEADY: {name} failed once and passed when run alone; see {self.folder}/Testing/first-failures.log",
                          line)
        self.assertEqual((self.log().splitlines().count("stumbled"), "t0" in self.log()), (2, False))

    def test_what_fails_twice_fails_the_run(self):
        code, out = self.run_entries(UNSTEADY, FAILS)
        self.assertNotEqual(code, 0)
        self.assertIn("failed twice", out)
        self.assertNotIn("UNSTEADY", out)
        self.assertIn("broken for good", self.log())

    def test_many_failures_are_not_tried_again(self):
        code, out = self.run_entries(*[UNSTEADY] * 4)
        self.assertNotEqual(code, 0)
        self.assertIn("4 entries failed", out)
        self.assertEqual(self.run_entries(*[UNSTEADY] * 3)[0], 0)

    def test_a_strict_run_fails_at_once(self):
        code, out = self.run_entries(UNSTEADY, strict=True)
        self.assertNotEqual(code, 0)
        self.assertNotIn("running again", out)


if __name__ == "__main__":
    unittest.main()
