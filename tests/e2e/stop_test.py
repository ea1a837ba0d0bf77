"""Progress on a terminal, Ctrl-C, and what is left when gdn itself is killed."""
import os
import pty
import select
import signal
import subprocess

from support import DEADLINE, GDN, GdnTest, main

SLOW = """
#include <unistd.h>
#include <cstdio>
Result<Json> wait_(ToolContext& context, const JsonObject&) {
  context.log(LogLevel::Info, "waiting");
  context.progress(1, 4, "first of four");
  context.sleep_for(std::chrono::seconds(100));
  return Json(1);
}
Result<Json> stubborn(ToolContext& context, const JsonObject& input) {
  // A child in a session of its own that ignores SIGTERM and holds a pipe of the test open.
  if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGTERM, SIG_IGN); for (;;) pause(); } _exit(0); }
  context.log(LogLevel::Info, "waiting");
  for (;;) pause();
}
Result<Json> chatter(ToolContext& context, const JsonObject&) {
  for (;;) context.log(LogLevel::Info, std::string(2000, 'x'));
}
GDN_PLUGIN({"wait", wait_}, {"stubborn", stubborn}, {"chatter", chatter})
"""


class Stopping(GdnTest):
    def setUp(self):
        super().setUp()
        self.write_tool("slow", ["wait", "stubborn", "chatter"], "#include <csignal>\n" + SLOW)

    def start(self, *words, **options):
        return subprocess.Popen([GDN, "call", *words], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, **options)

    def read_until(self, descriptor, text):
        """What came until `text` did; fails if it does not come."""
        seen = b""
        while text not in seen:
            ready, _, _ = select.select([descriptor], [], [], DEADLINE)
            self.assertTrue(ready, f"waited for {text!r}, saw {seen!r}")
            try:
                chunk = os.read(descriptor, 4096)
            except OSError:
                chunk = b""
            self.assertTrue(chunk, f"ended before {text!r}, saw {seen!r}")
            seen += chunk
        return seen

    def test_ctrl_c_cancels_the_call_and_still_prints_its_result(self):
        process = self.start("slow__wait", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.read_until(process.stderr.fileno(), b"waiting")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"E_TOOL_CANCELLED", out)

    def test_a_terminal_shows_progress_after_a_second(self):
        master, slave = pty.openpty()
        process = self.start("slow__wait", stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        self.read_until(master, b"25%")
        process.send_signal(signal.SIGINT)
        self.read_until(master, b"cancelled")
        process.communicate(timeout=DEADLINE)
        self.assertEqual(process.returncode, 130)
        os.close(master)

    def survivors_are_gone(self, reader):
        """Waits until nobody holds the write end of the pipe any more."""
        while True:
            ready, _, _ = select.select([reader], [], [], DEADLINE)
            self.assertTrue(ready, "something still holds the pipe")
            if not os.read(reader, 4096):
                return

    def run_stubborn(self, *words):
        # Standard error is inherited all the way down: its end of file means that nothing is left.
        reader, writer = os.pipe()
        process = self.start("slow__stubborn", *words, stdout=subprocess.DEVNULL, stderr=writer)
        os.close(writer)
        self.read_until(reader, b"waiting")
        return process, reader

    def test_kill_9_of_gdn_leaves_nothing_behind(self):
        process, reader = self.run_stubborn()
        process.kill()
        process.wait(timeout=DEADLINE)
        self.survivors_are_gone(reader)
        os.close(reader)

    def test_a_timeout_leaves_nothing_behind(self):  # REQ: CALL-10
        process, reader = self.run_stubborn("--timeout-ms", "3000")
        process.wait(timeout=DEADLINE)
        self.assertEqual(process.returncode, 1)
        self.survivors_are_gone(reader)
        os.close(reader)

    def test_a_reader_that_does_not_read_holds_nothing_up(self):
        reader, writer = os.pipe()
        process = self.start("slow__chatter", "--timeout-ms", "2000", "--json", stdout=subprocess.PIPE, stderr=writer)
        os.close(writer)
        out, _ = process.communicate(timeout=DEADLINE)  # the pipe of standard error is full and stays so
        self.assertIn(b"E_TOOL_TIMEOUT", out)
        os.close(reader)

    def test_ctrl_c_is_heard_while_input_is_awaited(self):
        process = subprocess.Popen([GDN, "call", "slow__wait", "--input", "-", "--json"], cwd=self.folder, env=self.environment(),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(b'{"a":')
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=DEADLINE) in (130, -signal.SIGTERM), True)
        process.communicate()

    def test_a_second_ctrl_c_leaves_at_once(self):
        process, reader = self.run_stubborn()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=DEADLINE), 130)
        self.survivors_are_gone(reader)
        os.close(reader)


if __name__ == "__main__":
    main()
