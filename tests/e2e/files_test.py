"""The file-system tool as gdn runs it: full disks, read-only disks, kills in the middle, attacks; each also where the
kernel has no openat2."""
import ctypes
import errno
import json
import os
import platform
import select
import socket
import struct
import subprocess
import sys
import time

from support import DEADLINE, GDN, Done, GdnTest, in_namespaces, main

OPENAT2 = 437  # on every architecture
OPENAT = {"x86_64": 257}.get(platform.machine(), 56)
FLAGS_OF_OPENAT = 32  # where a filter finds the low half of its third argument
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, FAIL_WITH = 0x7FFF0000, 0x00050000


def with_filter(*steps):
    """For a child before it runs gdn: its system calls go through this filter."""
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]

    program = Program(len(code) // 8, code)

    def apply():
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) != 0:
            os._exit(99)

    return apply


def without_openat2(number):
    """openat2 fails with `number`, as on an old kernel or in a strict container."""
    return with_filter((LOAD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, OPENAT2), (RETURN, 0, 0, FAIL_WITH | number), (RETURN, 0, 0, ALLOW))


def without_nameless_files():
    """openat refuses O_TMPFILE, as on many network file systems."""
    return with_filter((LOAD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 3, OPENAT), (LOAD, 0, 0, FLAGS_OF_OPENAT),
                       (JUMP_IF_ANY, 0, 1, os.O_TMPFILE & ~os.O_DIRECTORY), (RETURN, 0, 0, FAIL_WITH | errno.EOPNOTSUPP),
                       (RETURN, 0, 0, ALLOW))


class Kernel:
    """As it is."""
    before = None
    answer = errno.EINVAL


class OldKernel:
    before = staticmethod(without_openat2(errno.ENOSYS))
    answer = errno.ENOSYS


class StrictContainer:
    before = staticmethod(without_openat2(errno.EPERM))
    answer = errno.EPERM


class FilesTest(GdnTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.answer_of_openat2(), self.answer, "the test does not run on the kernel it thinks it does")
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.folder / "secret.txt").write_text("secret")

    def answer_of_openat2(self):
        """What a child gets from openat2 without arguments."""
        code = f"import ctypes; l = ctypes.CDLL(None, use_errno=True); l.syscall({OPENAT2}, -100, None, None, 0); print(ctypes.get_errno())"
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, preexec_fn=self.before, check=True, timeout=DEADLINE)
        return int(done.stdout)

    def start(self, export, words=(), **options):
        return subprocess.Popen([GDN, "call", f"file-system__{export}", "--input", "-", "--json", "--workdir", self.work, *words],
                                env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=self.before, **options)

    def call(self, export, words=(), **arguments):
        process = self.start(export, words)
        out, err = process.communicate(json.dumps(arguments).encode(), timeout=DEADLINE)
        return Done(subprocess.CompletedProcess([], process.returncode, out, err)).json

    def error(self, export, words=(), **arguments):
        result = self.call(export, words, **arguments)
        self.assertEqual(result["status"], "error", result)
        return result["error"]

    def outside_is_untouched(self):
        self.assertEqual(sorted(os.listdir(self.folder)), ["secret.txt", "work"])
        self.assertEqual((self.folder / "secret.txt").read_text(), "secret")


class Attacks:
    def test_every_way_out_is_refused_by_every_export(self):  # REQ: DEC-5
        os.symlink(self.folder, self.work / "door")
        os.symlink("..", self.work / "up")
        os.symlink("../secret.txt", self.work / "file")
        os.symlink("/proc/self/root", self.work / "proc")
        for path in ("../secret.txt", "a/../../secret.txt", str(self.folder / "secret.txt"), "/etc/passwd", "door/secret.txt",
                     "up/secret.txt", "file", "proc/etc/passwd", "/proc/self/root/etc/passwd", "/proc/self/fd/0", f"{self.work}-evil/x"):
            with self.subTest(path):
                for export, more in (("read", {}), ("list", {}), ("mkdir", {}), ("write", {"content": "x"}), ("write", {"content": "x", "append": True})):
                    if (export, path) == ("mkdir", "file"):
                        continue  # something is there, which is reason enough
                    self.assertEqual(self.error(export, path=path, **more)["code"], "E_PATH_OUTSIDE_WORKSPACE", export)
        self.outside_is_untouched()

    def test_a_link_as_the_parent_of_a_new_file_makes_nothing_outside(self):
        os.symlink("..", self.work / "up")
        self.assertEqual(self.error("write", path="up/new/deep/a.txt", content="x")["code"], "E_PATH_OUTSIDE_WORKSPACE")
        self.assertEqual(self.error("mkdir", path="up/new/deep")["code"], "E_PATH_OUTSIDE_WORKSPACE")
        self.outside_is_untouched()

    def test_special_files_are_refused_at_once(self):
        os.mkfifo(self.work / "fifo")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.work / "socket"))
        for name, kind in (("fifo", "FIFO"), ("socket", "socket"), (".", "folder")):
            self.assertIn(kind, self.error("read", path=name)["message"])
            self.assertIn("folder" if name == "." else kind, self.error("write", path=name, content="x")["message"])
        self.assertIn("device", self.error("read", ["--allow-root", "/dev"], path="/dev/zero")["message"])

    def test_the_suggestion_holds_what_makes_it_work(self):
        other = self.folder / "work" / ".." / "other"
        os.mkdir(other)
        error = self.error("write", path="../other/a.txt", content="x")
        self.assertIn(f"--allow-root {self.folder}/other:rw", error["suggestion"])
        self.assertEqual(self.error("write", ["--allow-root", f"{self.folder}/other"], path="../other/a.txt", content="x")["code"], "E_PATH_READ_ONLY")
        self.assertEqual(self.call("write", ["--allow-root", f"{self.folder}/other:rw"], path="../other/a.txt", content="x")["status"], "ok")


class Disks:
    def in_own_mounts(self, script):
        """Runs `script` where it may mount. `gdn EXPORT JSON` calls the tool; each line of output is one answer."""
        prelude = f"""
            set -e
            gdn() {{ printf '%s' "$2" | {GDN} call file-system__$1 --input - --json --workdir {self.work} || true; }}
            cd {self.work}
        """
        done = subprocess.run([*in_namespaces("--mount"), "sh", "-c", prelude + script], env=self.environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self.before, timeout=DEADLINE)
        self.assertEqual(done.returncode, 0, f"these tests need namespaces (unshare -m, or -Urm) and tmpfs: {done.stderr.decode()}")
        return done.stdout.decode().splitlines()

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self):
        big = json.dumps({"path": "d/a.txt", "content": "n" * 100_000})
        new = json.dumps({"path": "d/new.txt", "content": "n" * 100_000})
        append = json.dumps({"path": "d/a.txt", "content": "n" * 100_000, "append": True})
        for name, text in (("big", big), ("new", new), ("append", append)):
            (self.folder / name).write_text(text)
        lines = self.in_own_mounts(f"""
            mkdir d && mount -t tmpfs -o size=64k none d && printf old > d/a.txt
            for input in big new append; do gdn write "$(cat {self.folder}/$input)"; done
            cat d/a.txt; echo; ls -A d; gdn write '{{"path": "d/a.txt", "content": "small"}}'; cat d/a.txt
        """)
        for line, name in zip(lines[:3], ("d/a.txt", "d/new.txt", "d/a.txt")):
            error = json.loads(line)["error"]
            self.assertEqual((error["code"], error["message"]), ("E_IO", f"cannot write '{name}': no space left on the disk"))
        self.assertEqual(lines[3:5], ["old", "a.txt"])
        self.assertEqual(json.loads(lines[5])["status"], "ok")
        self.assertEqual(lines[6:], ["small"])

    def test_a_read_only_disk_is_read_and_says_why_it_is_not_written(self):
        lines = self.in_own_mounts("""
            mkdir d && mount -t tmpfs none d && printf old > d/a.txt && mount -o remount,ro none d
            gdn read '{"path": "d/a.txt"}'; gdn list '{"path": "d"}'
            gdn write '{"path": "d/a.txt", "content": "new"}'; gdn write '{"path": "d/b.txt", "content": "new"}'
            gdn write '{"path": "d/a.txt", "content": "new", "append": true}'; gdn write '{"path": "d/x/y.txt", "content": "new"}'
            gdn mkdir '{"path": "d/n"}'; ls -A d
        """)
        self.assertEqual(json.loads(lines[0])["output"]["content"], "old")
        self.assertEqual(json.loads(lines[1])["output"]["count"], 1)
        for line in lines[2:7]:
            self.assertIn("read-only", json.loads(line)["error"]["message"])
            self.assertIn("'d/", json.loads(line)["error"]["message"])
        self.assertEqual(lines[7:], ["a.txt"])

    def test_permissions_are_named_as_the_reason(self):
        lines = self.in_own_mounts("""
            mkdir d && printf old > d/a.txt && chmod 444 d/a.txt && chmod 555 d
            gdn() { printf '%s' "$2" | setpriv --bounding-set=-all --inh-caps=-all """ + f"{GDN} call file-system__$1 --input - --json --workdir {self.work}" + """ || true; }
            gdn write '{"path": "d/a.txt", "content": "new"}'; gdn write '{"path": "d/b.txt", "content": "new"}'
            gdn mkdir '{"path": "d/n"}'; chmod 755 d; gdn write '{"path": "d/a.txt", "content": "new"}'; cat d/a.txt; chmod 755 d
        """)
        for line in lines[:4]:
            self.assertIn("permission denied", json.loads(line)["error"]["message"])
        self.assertEqual(lines[4:], ["old"])

    def test_a_list_says_how_many_folders_it_could_not_look_into(self):
        lines = self.in_own_mounts("""
            mkdir -p d/open d/shut && printf old > d/shut/a.txt && chmod 000 d/shut
            printf '{"path": "d", "recursive": true}' | setpriv --bounding-set=-all --inh-caps=-all """ + f"""\
                {GDN} call file-system__list --input - --json --workdir {self.work}; chmod 755 d/shut
        """)
        output = json.loads(lines[0])["output"]
        self.assertEqual((output["count"], output["unreadable"]), (2, 1))
        self.assertNotIn("truncated", output)


class Kills:
    SIZE = 3_000_000

    STEPS = 24

    def start_write(self, text):
        process = self.start("write")
        process.stdin.write(json.dumps({"path": "a.txt", "content": text}).encode())
        process.stdin.close()
        return process

    def time_of_a_write(self, text):
        begin = time.monotonic()
        with self.start_write(text) as process:
            self.assertEqual(json.loads(process.stdout.read())["status"], "ok")
        return time.monotonic() - begin

    def kill_writes(self):
        """Kills writers at ever later moments, from before one begins to after it is done. Returns what they left."""
        target = self.work / "a.txt"
        contents = {letter: letter * self.SIZE for letter in "ab"}
        duration = self.time_of_a_write(contents["a"])
        for step in range(self.STEPS):
            with self.start_write(contents["ba"[step % 2]]) as process:
                select.select([process.stdout], [], [], duration * step / self.STEPS)  # its answer, or the time
                process.kill()
            found = target.read_text()
            self.assertIn(found, contents.values(), f"step {step}: {len(found)} bytes of {sorted(set(found))}")
        self.assertEqual(self.call("write", path="a.txt", content="whole")["status"], "ok")
        leftovers = [name for name in os.listdir(self.work) if name != "a.txt"]
        self.assertTrue(all(name.startswith(".gdn-") and name.endswith(".tmp") for name in leftovers), leftovers)
        return leftovers

    def test_a_write_that_is_killed_leaves_the_old_file_or_the_new_one_and_nothing_else(self):
        # A file cannot be replaced by one without a name: there is an instant in which a kill leaves it.
        self.assertLessEqual(len(self.kill_writes()), 1)


def with_every_kernel(tests):
    """The class of tests, once for each way of resolving paths."""
    for kernel in (Kernel, OldKernel, StrictContainer):
        name = f"{tests.__name__}With{kernel.__name__}"
        globals()[name] = type(name, (tests, kernel, FilesTest), {})


for suite in (Attacks, Disks, Kills):
    with_every_kernel(suite)


class NamelessFiles(Kernel, Kills, FilesTest):
    """On a file system that has none."""
    before = staticmethod(without_nameless_files())

    def test_a_write_that_is_killed_leaves_the_old_file_or_the_new_one_and_nothing_else(self):
        code = "import os; os.open('.', os.O_TMPFILE | os.O_WRONLY)"
        done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, cwd=self.work, preexec_fn=self.before, timeout=DEADLINE)
        self.assertIn(b"Operation not supported", done.stderr)
        self.kill_writes()  # what is left here is tolerated


if __name__ == "__main__":
    main()
