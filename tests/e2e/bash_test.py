"""Shell commands as a user meets them: what they print, how they end, and what is left of them."""
import concurrent.futures
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess

from support import DEADLINE, GDN, GdnTest, main

TREES = int(os.environ.get("GDN_TEST_TREES", "20"))  # how many runaway trees; 200 for a long run
AT_ONCE = 5
MIB = 1 << 20
# A sanitizer keeps freed memory for a while, about as much again.
MEMORY = (128 if GDN and b"__asan_init" in GDN.read_bytes() else 32) * MIB
PARENT = "cut -d' ' -f4 /proc/$PPID/stat"  # the parent of the command's parent: the command host

# Nothing but SIGKILL ends any of these: one that stays, one in a session of its own, and one below
# that by a double fork. All hold the output of the command open, and the FIFO as descriptor 9.
RUNAWAY = """\
trap '' TERM INT HUP
exec 9> "$1"
setsid sh -c 'trap "" TERM INT HUP
  (sh -c "trap \\"\\" TERM INT HUP; echo deep >&9; while :; do sleep 5; done" &)
  while :; do sleep 5; done' &
echo printed
while :; do sleep 5; done
"""


class Fifo:
    """Tells whether some process still holds its other end."""

    def __init__(self, path):
        self.path = path
        os.mkfifo(path)
        self.reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def await_writer(self, test):
        ready, _, _ = select.select([self.reader], [], [], DEADLINE)
        test.assertTrue(ready and os.read(self.reader, 4096), "nothing began")

    def held(self):
        """Whether somebody holds it now."""
        try:
            while os.read(self.reader, 4096):
                pass
            return False
        except BlockingIOError:
            return True

    def await_end(self, test):
        while self.held():
            ready, _, _ = select.select([self.reader], [], [], DEADLINE)
            test.assertTrue(ready, "something still runs")

    def close(self):
        os.close(self.reader)
        os.unlink(self.path)


class BashTest(GdnTest):
    def exec(self, command, **arguments):
        extra = arguments.pop("extra", {})
        done = self.gdn("call", "bash__exec", "--json", "--input", json.dumps({"command": command, **arguments}), **extra)
        return done.json

    def output(self, command, **arguments):
        result = self.exec(command, **arguments)
        self.assertEqual(result["status"], "ok", result)
        return result["output"]

    def start(self, command, *words, **options):
        return subprocess.Popen([GDN, "call", "bash__exec", "--json", "--input", json.dumps({"command": command}), *words],
                                cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **options)


class Results(BashTest):
    def test_a_command_is_called_from_the_command_line(self):  # REQ: BLT-bash
        done = self.gdn("call", "bash__exec", "command=echo out; echo err >&2; exit 3", "--json")
        self.assertEqual(done.code, 0)
        output = done.json["output"]
        output.pop("durationMs")
        self.assertEqual(output, {"command": "echo out; echo err >&2; exit 3", "cwd": str(self.folder), "stdout": "out\n",
                                  "stderr": "err\n", "exitCode": 3, "signal": None, "timedOut": False})

    def test_a_script_is_called_from_the_command_line(self):  # REQ: BLT-bash
        self.write({"s.sh": "echo $# $2\n"})
        done = self.gdn("call", "bash__script", "--json", "--input", '{"path": "s.sh", "args": ["a", "b c"]}')
        self.assertEqual(done.json["output"]["stdout"], "2 b c\n")

    def test_a_command_has_three_descriptors(self):
        self.assertEqual(self.output("ls /proc/self/fd")["stdout"], "0\n1\n2\n3\n")  # `ls` opens the last one

    def test_a_command_sees_no_secret_of_its_ancestors(self):  # REQ: DEC-4
        ancestors = f"env; for p in $PPID $({PARENT}); do tr '\\0' '\\n' < /proc/$p/environ; done"
        seen = self.output(ancestors, extra={"SOME_API_TOKEN": "planted-canary-1", "PLAIN_WORD": "plain"})["stdout"]
        self.assertIn(seen.count("PLAIN_WORD=plain"), (1, 3), seen)  # only root can look at the ancestors at all
        self.assertNotIn("planted-canary-1", seen)

    def test_gdn_itself_cannot_be_read_by_its_commands(self):
        # Only root could; so as root, this is tried as somebody else.
        as_nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        command = f"p=$({PARENT}); p=$(cut -d' ' -f4 /proc/$p/stat); cat /proc/$p/cmdline; cat /proc/$p/environ"
        os.chmod(self.folder, 0o755)
        gdn = shutil.copy(GDN, self.folder / "gdn")  # the build may lie where nobody else gets
        done = subprocess.run([gdn, "call", "bash__exec", "--json", "--input", json.dumps({"command": command})],
                              cwd=self.folder, env=dict(os.environ, SOME_API_TOKEN="planted-canary-1"), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=DEADLINE, **as_nobody)
        output = json.loads(done.stdout)["output"]
        self.assertIn("bash__exec", output["stdout"], output)  # it is gdn that was asked
        self.assertIn("denied", output["stderr"])
        self.assertNotIn("planted-canary-1", done.stdout.decode())


class Ends(BashTest):
    def setUp(self):
        super().setUp()
        self.write({"runaway.sh": RUNAWAY})
        self.fifo = Fifo(self.folder / "fifo")
        self.addCleanup(self.fifo.close)
        self.runaway = f"exec sh runaway.sh {self.fifo.path}"

    def run_tree(self, number):
        """How long the answer took. All that must hold for one tree."""
        fifo = Fifo(self.folder / f"fifo-{number}")
        output = self.output(f"exec sh runaway.sh {fifo.path}", timeoutMs=500)
        self.assertFalse(fifo.held(), "something survived")
        fifo.close()
        self.assertTrue(output["timedOut"])
        self.assertEqual(output["exitCode"], -1)
        self.assertIn(output["stdout"], ("printed\n", ""))  # a busy machine may not get that far
        return output["durationMs"]

    def test_runaway_trees_end_with_their_time(self):  # REQ: BLT-3
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            times = list(pool.map(self.run_tree, range(TREES)))
        print(f"{TREES} runaway trees, timeoutMs 500: slowest answer after {max(times)} ms, no survivor")

    def test_what_a_command_leaves_behind_ends_with_it(self):
        output = self.output(f"sh runaway.sh {self.fifo.path} & head -n 1 {self.fifo.path} > /dev/null; echo done")
        self.assertFalse(self.fifo.held(), "something survived")
        self.assertFalse(output["timedOut"])
        self.assertTrue(output["stdout"].endswith("done\n"))
        self.assertGreaterEqual(output["endedBackground"], 3)

    def await_end(self, process):
        """Until the process behind the descriptor is gone."""
        ready, _, _ = select.select([process], [], [], DEADLINE)
        os.close(process)
        self.assertTrue(ready, "a process of gdn still runs")

    def test_kill_9_of_gdn_leaves_nothing_behind(self):
        process = self.start(self.runaway)
        self.fifo.await_writer(self)
        host = os.pidfd_open(self.host_of(process))
        process.kill()
        process.communicate(timeout=DEADLINE)
        self.fifo.await_end(self)
        self.await_end(host)

    def test_a_command_that_kills_those_who_watch_it_leaves_nothing_behind(self):
        for kill in ("kill -9 $h $PPID", "kill -9 $PPID $h", "kill -STOP $h; kill -9 $PPID", "kill -9 $h; sleep 0.01; kill -STOP $PPID"):
            with self.subTest(kill):
                result = self.exec(f"h=$({PARENT}); sh runaway.sh {self.fifo.path} & head -n 1 {self.fifo.path}; {kill}; sleep 1000")
                self.assertEqual(result["error"]["code"], "E_TOOL_CRASH")
                self.assertFalse(self.fifo.held(), "something survived")

    def test_a_command_that_stops_its_host_and_kills_gdn_leaves_nothing_behind(self):
        os.mkfifo(self.folder / "go")
        kill = f"h=$({PARENT}); g=$(cut -d' ' -f4 /proc/$h/stat); kill -STOP $h; kill -9 $g"
        for name, more in (("host", ""), ("both", " $PPID")):
            with self.subTest(name):
                fifo = Fifo(self.folder / f"fifo-{name}")
                process = self.start(f"sh runaway.sh {fifo.path} & cat go; {kill}{more}; sleep 1000", stderr=subprocess.PIPE)
                fifo.await_writer(self)
                host = os.pidfd_open(self.host_of(process))
                (self.folder / "go").write_text("")
                process.communicate(timeout=DEADLINE)  # so nobody holds gdn's own descriptors
                fifo.await_end(self)
                fifo.close()
                self.await_end(host)

    def test_the_command_itself_ends_if_all_above_it_are_killed_together(self):
        process = self.start(f"exec 9> {self.fifo.path}; h=$({PARENT}); g=$(cut -d' ' -f4 /proc/$h/stat); echo begins >&9; "
                             "kill -9 $h $PPID $g; while :; do :; done")
        self.fifo.await_writer(self)
        process.communicate(timeout=DEADLINE)
        self.fifo.await_end(self)

    def test_ctrl_c_ends_the_whole_tree(self):
        process = self.start(self.runaway)
        self.fifo.await_writer(self)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(out)["error"]["code"], "E_TOOL_CANCELLED")
        self.assertFalse(self.fifo.held(), "something survived")

    def test_the_limit_of_the_call_ends_it_too(self):
        process = self.start(self.runaway, "--timeout-ms", "4000")
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertFalse(self.fifo.held(), "something survived")
        self.assertTrue(json.loads(out)["output"]["timedOut"])

    def host_of(self, process):
        children = pathlib.Path(f"/proc/{process.pid}/task").glob("*/children")
        (host,) = [int(child) for path in children for child in path.read_text().split()]
        return host

    def test_a_command_ends_with_the_process_that_started_it(self):
        process = self.start(self.runaway)
        self.fifo.await_writer(self)
        os.kill(self.host_of(process), signal.SIGKILL)
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertEqual(json.loads(out)["error"]["code"], "E_TOOL_CRASH")
        self.assertFalse(self.fifo.held(), "something survived")


class Floods(BashTest):
    """Endless and huge output: memory stays bounded, and the answer is valid text."""

    def peak_and_output(self, command, timeout_ms):
        process = subprocess.Popen([GDN, "call", "bash__exec", "--json", "--input", json.dumps({"command": command, "timeoutMs": timeout_ms})],
                                   cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        # The answer is larger than the pipe: gdn waits for us when it has all of it in memory.
        ready, _, _ = select.select([process.stdout], [], [], DEADLINE)
        self.assertTrue(ready)
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        out, _ = process.communicate(timeout=DEADLINE)
        peak = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))
        return peak, json.loads(out.decode("utf-8", "strict"))["output"]

    def test_floods_are_bounded(self):  # REQ: BLT-3
        small, _ = self.peak_and_output("head -c 100000 /dev/zero | tr '\\0' x", 30000)
        for name, command, timeout_ms in (("yes", "yes", 1000), ("/dev/zero", "cat /dev/zero", 1000),
                                          ("1 GiB line", "head -c 1073741824 /dev/zero | tr '\\0' x", 60000),
                                          ("noise", "cat /dev/urandom", 1000),
                                          ("noise on both", "cat /dev/urandom & cat /dev/urandom >&2", 1000)):
            with self.subTest(name):
                peak, output = self.peak_and_output(command, timeout_ms)
                print(f"{name}: {output['stdoutBytes'] + output['stderrBytes']} bytes printed, memory grew by {(peak - small) / MIB:.1f} MiB")
                self.assertTrue(output["truncated"])
                self.assertIn(" bytes left out) ...\n", output["stdout"])
                self.assertLessEqual(len(output["stdout"]), 1_000_100)
                self.assertLessEqual(peak - small, MEMORY)


if __name__ == "__main__":
    main()
