"""gdn bundle log, diff and rollback, on a bundle in a Git repository."""
import os
import pathlib
import subprocess
import unittest

from support import AGENT, GdnTest


class BundleHistory(GdnTest):
    def git(self, *words):
        names = {"GIT_AUTHOR_NAME": "Mina", "GIT_AUTHOR_EMAIL": "m@example.com", "GIT_COMMITTER_NAME": "Mina",
                 "GIT_COMMITTER_EMAIL": "m@example.com"}
        return subprocess.run(["git", *words], cwd=self.folder, check=True, stdout=subprocess.PIPE,
                              env=dict(os.environ, **names)).stdout.decode()

    def make(self, offset=""):
        self.offset = offset
        self.bundle = self.folder / offset
        self.write({f"{offset}goondan.yaml": AGENT, f"{offset}notes.txt": "first\n"})
        self.git("init", "-q", "-b", "main", ".")
        self.git("config", "user.name", "Mina")
        self.git("config", "user.email", "m@example.com")
        self.commit("Begin")

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def in_bundle(self, *words):
        return self.gdn("bundle", *words, cwd=self.bundle)

    # REQ: CHG-1
    def test_log_diff_and_rollback(self):
        self.make("teams/one/")
        self.write({"teams/one/notes.txt": "second\n"})
        self.commit("Second")
        self.write({"other.txt": "x"})
        self.commit("Not the bundle")

        log = self.in_bundle("log")
        self.assertEqual(log.code, 0, log.err)
        lines = log.out.splitlines()
        self.assertEqual(len(lines), 3, log.out)
        self.assertIn("Mina", lines[1])
        self.assertIn("Second", lines[1])
        self.assertIn("Begin", lines[2])
        commits = self.gdn("bundle", "log", str(self.bundle), "--json").json["commits"]
        self.assertEqual([one["subject"] for one in commits], ["Second", "Begin"])
        self.assertEqual(len(self.in_bundle("log", "--limit", "1").out.splitlines()), 2)

        diff = self.in_bundle("diff")
        self.assertEqual(diff.code, 0, diff.err)
        self.assertIn("-first\n+second\n", diff.out)
        self.assertNotIn("other.txt", diff.out)
        first = commits[1]["sha"]
        self.assertEqual(self.in_bundle("diff", first, "HEAD").out, diff.out)
        self.assertEqual(self.in_bundle("diff", first[:10]).out, diff.out)
        same = self.in_bundle("diff", "HEAD", "HEAD")
        self.assertEqual((same.code, same.out), (0, ""))
        self.assertIn("same", same.err)

        back = self.in_bundle("rollback")
        self.assertEqual(back.code, 0, back.err)
        self.assertIn("1 changed, 0 added, 0 deleted", back.out)
        self.assertEqual((self.bundle / "notes.txt").read_text(), "first\n")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("log", "-1", "--format=%an %s").split(" ", 1)[0], "Mina")
        self.assertTrue((self.folder / "other.txt").exists())
        again = self.in_bundle("rollback", "HEAD~1", "-m", "Forth again", "--json")
        self.assertEqual(again.json["status"], "ok")
        self.assertEqual((self.bundle / "notes.txt").read_text(), "second\n")
        self.assertIn("Forth again", self.in_bundle("log").out)

    def test_rollback_refuses_what_would_lose_work_or_break_the_bundle(self):
        self.make()
        self.write({"goondan.yaml": "kind: Nonsense\n"})
        self.commit("Broken")
        self.write({"goondan.yaml": AGENT, "notes.txt": "third\n"})
        self.commit("Mended")
        head = self.git("rev-parse", "HEAD")
        broken = self.in_bundle("rollback", "HEAD~1")
        self.assertEqual(broken.code, 4, broken.err)
        self.assertIn("valid", broken.err)
        self.write({"notes.txt": "mine\n"})
        dirty = self.in_bundle("rollback", "HEAD~2")
        self.assertEqual(dirty.code, 3, dirty.err)
        self.assertIn("notes.txt", dirty.err)
        self.assertEqual((self.bundle / "notes.txt").read_text(), "mine\n")
        self.assertEqual(self.git("rev-parse", "HEAD"), head)

    def test_mistakes_are_answered_with_the_next_step(self):
        nothing = self.in_bundle_of(self.folder, "log")
        self.assertEqual(nothing.code, 3)
        self.assertIn("goondan.yaml", nothing.err)
        self.write({"goondan.yaml": AGENT})
        plain = self.in_bundle_of(self.folder, "log")
        self.assertEqual(plain.code, 3, plain.err)
        self.assertIn("git init", plain.err)
        self.git("init", "-q", "-b", "main", ".")
        self.assertIn("git add", self.in_bundle_of(self.folder, "diff").err)
        self.commit("Begin")
        unknown = self.in_bundle_of(self.folder, "diff", "nobody")
        self.assertNotEqual(unknown.code, 0)
        self.assertIn("gdn bundle log", unknown.err)
        only = self.in_bundle_of(self.folder, "rollback")
        self.assertNotEqual(only.code, 0)
        self.assertIn("no earlier commit", only.err)
        self.assertEqual(self.gdn("bundle").code, 2)
        self.assertEqual(self.gdn("bundle", "lgo").code, 2)

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_a_repository_of_another_user(self):
        self.make()
        for path in [self.folder, *self.folder.rglob("*")]:
            os.lchown(path, 12345, 12345)
        git = subprocess.run(["git", "log"], cwd=self.folder, capture_output=True)
        if git.returncode == 0:
            self.skipTest("this machine trusts every repository")
        log = self.in_bundle("log")
        self.assertEqual(log.code, 3, log.err)
        self.assertIn("safe.directory", log.err)

    def in_bundle_of(self, folder: pathlib.Path, *words):
        return self.gdn("bundle", *words, cwd=folder)


if __name__ == "__main__":
    unittest.main(argv=["changesets_test"])
