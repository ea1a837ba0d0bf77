#!/usr/bin/env python3
"""`gdn run` with an orchestrator that plays what it is told (fake_orchestrator.py): what is shown where, exit codes,
Ctrl-C, orchestrators that die or restart, and the terminal afterwards.

usage: run_view_test.py GDN"""
import codecs
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata

import support
from support import DEADLINE, GDN

FAKE = pathlib.Path(__file__).resolve().parent / "fake_orchestrator.py"
BUNDLE = """\
apiVersion: goondan.ai/v1
kind: Model
metadata: { name: m }
spec: { provider: openai, model: mm }
---
apiVersion: goondan.ai/v1
kind: Agent
metadata: { name: writer }
spec: { modelConfig: { modelRef: Model/m } }
---
apiVersion: goondan.ai/v1
kind: Swarm
metadata: { name: default }
spec: { entryAgent: Agent/writer, agents: [ { ref: Agent/writer } ], instanceKey: shared }
"""

STARTED = {"say": {"kind": "started", "pid": 1, "swarm": "default", "agents": ["writer"], "entryAgent": "writer"}}
SUBMIT = {"take": "submit"}
IDLE = {"observe": [{"type": "runtime.idle", "pendingHandles": 0}]}


def about(type, **more):
    return {"type": type, "timestamp": "2026-01-15T10:00:00.000Z", "agentName": "writer", "instanceKey": "default",
            "turnId": "t1", **more}


BEGIN = {"observe": [about("message.accepted", id="$id", input="hello"),
                     about("turn.started", id="$id", input="hello", source={"kind": "user", "name": "user"})]}
CALL = {"observe": [about("tool.called", toolName="bash__exec", toolCallId="c1", args={"command": "sleep 9"})]}


def end(text="Done."):
    return {"observe": [about("message.text", text=text),
                        about("turn.completed", id="$id", finishReason="text_response", response=text, stepCount=1,
                              durationMs=5),
                        about("message.finished", id="$id", status="ok", response=text)]}


def failed(code, message="it went wrong"):
    return {"observe": [about("turn.failed", id="$id", stepCount=1, durationMs=5,
                              error={"code": code, "message": message, "suggestion": "Do better."})]}


ANSWERED = [STARTED, SUBMIT, BEGIN, end(), IDLE]


class FrontTest(support.GdnTest):
    def setUp(self):
        super().setUp()
        self.write({"goondan.yaml": BUNDLE})
        self.state = self.folder / "state"
        self.log = self.folder / "log.jsonl"
        self.log.touch()

    def fake_environment(self, plays):
        play = self.folder / "play.json"
        play.write_text(json.dumps({"plays": plays}))
        return self.environment(GOONDAN_GDN=str(FAKE), GDN_FAKE_PLAY=str(play), GDN_FAKE_LOG=str(self.log),
                                TERM="xterm", TZ="UTC") | {"GOONDAN_STATE_ROOT": str(self.state)}

    def start(self, *words, plays, **how):
        process = subprocess.Popen([GDN, "run", *words], cwd=self.folder, env=self.fake_environment(plays),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream and not stream.closed:
                stream.close()

    def run_gdn(self, *words, plays, stdin=b""):
        process = self.start(*words, plays=plays)
        out, err = process.communicate(stdin, timeout=DEADLINE)
        return support.Done(subprocess.CompletedProcess([], process.returncode, out, err))

    def came(self, kind=None):
        entries = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [entry for entry in entries if kind is None or entry["kind"] == kind]

    def wait_for(self, kind, count=1):
        until = time.monotonic() + DEADLINE
        while len(self.came(kind)) < count:
            self.assertLess(time.monotonic(), until, f"no '{kind}' came")
            time.sleep(0.01)

    def listen(self, plays):
        """A fake one that runs already, as another process's."""
        folder = self.state / "workspaces" / "shared"
        folder.mkdir(parents=True)
        process = subprocess.Popen([FAKE, "--listen", folder / "orchestrator.sock"], stdout=subprocess.PIPE,
                                   env=self.fake_environment(plays))
        self.addCleanup(self.end, process)
        self.assertEqual(process.stdout.readline(), b"listening\n")
        return process


class Messages(FrontTest):
    def test_the_answer_goes_to_standard_output_and_all_else_to_standard_error(self):
        done = self.run_gdn("hello", plays=[ANSWERED])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("10:00:00 writer  turn: hello", done.err)
        self.assertRegex(done.err, r"gdn: 0 steps, 0 calls, \d")
        self.assertEqual([entry["kind"] for entry in self.came()], ["start", "submit", "stop"])
        argv = self.came("start")[0]["argv"]
        self.assertEqual(argv[1:], ["orchestrator", "--bundle", str(self.folder), "--swarm", "default", "--state-root",
                                    str(self.state)])

    def test_flags_reach_the_orchestrator_and_the_message(self):
        self.write({"my.env": "A=1\n"})
        self.run_gdn(".", "hi", "--watch", "--env-file", "my.env", "--agent", "writer", "--instance-key", "u1",
                     plays=[ANSWERED])
        self.assertEqual(self.came("start")[0]["argv"][-3:], ["--watch", "--env-file", str(self.folder / "my.env")])
        submit = self.came("submit")[0]
        self.assertEqual((submit["input"], submit["agent"], submit["instanceKey"]), ("hi", "writer", "u1"))

    def test_a_failed_turn_ends_with_the_exit_code_of_its_error(self):
        for code, exit in (("E_MODEL_AUTH", 6), ("E_MODEL_BUSY", 10), ("E_LIMIT", 8), ("E_NETWORK", 5),
                           ("E_HOST_NOT_ALLOWED", 7), ("E_AGENT_CRASH", 1), ("E_MODEL_CONFIG", 3)):
            done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, failed(code), IDLE]])
            self.assertEqual((done.code, done.out), (exit, ""), code)
            self.assertIn(f"it went wrong [{code}]", done.err)
            self.assertIn("Do better.", done.err)
            self.log.write_text("")

    def test_a_refused_message_is_an_error(self):
        refuse = {"take": "submit", "refuse": {"code": "E_LIMIT", "message": "too many wait"}}
        done = self.run_gdn("hello", plays=[[STARTED, refuse]])
        self.assertEqual((done.code, done.out), (8, ""))
        self.assertIn("error: too many wait [E_LIMIT]", done.err)

    def test_lines_of_standard_input_are_messages_one_after_the_other(self):
        play = [STARTED, SUBMIT, BEGIN, end("one"), IDLE, SUBMIT, BEGIN, end("two"), IDLE]
        done = self.run_gdn(plays=[play], stdin="first\n\n  \r\nzweite Zeile, 한국어".encode())
        self.assertEqual((done.out, done.code), ("one\ntwo\n", 0), done.err)
        self.assertEqual([entry["input"] for entry in self.came("submit")], ["first", "zweite Zeile, 한국어"])

    def test_one_failed_message_of_several_fails_the_run(self):
        play = [STARTED, SUBMIT, BEGIN, failed("E_MODEL"), IDLE, SUBMIT, BEGIN, end("two"), IDLE]
        done = self.run_gdn(plays=[play], stdin=b"a\nb\n")
        self.assertEqual((done.out, done.code), ("two\n", 10), done.err)

    def test_a_line_that_is_too_long_is_refused_and_the_next_one_sent(self):
        done = self.run_gdn(plays=[ANSWERED], stdin=b"x" * 300_000 + b"\nshort\n")
        self.assertEqual((done.out, done.code), ("Done.\n", 8), done.err)
        self.assertEqual([entry["input"] for entry in self.came("submit")], ["short"])

    def test_without_any_line_nothing_is_sent(self):
        done = self.run_gdn(plays=[ANSWERED])
        self.assertEqual((done.out, done.code), ("", 0), done.err)
        self.assertEqual(self.came("submit"), [])

    def test_json_gives_every_observation_and_a_result(self):
        done = self.run_gdn("hello", "--json", plays=[ANSWERED])
        lines = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([line["type"] for line in lines],
                         ["message.accepted", "turn.started", "message.text", "turn.completed", "message.finished",
                          "runtime.idle", "run.result"])
        self.assertEqual((lines[-1]["status"], lines[-1]["response"], done.code), ("ok", "Done.", 0))

    def test_json_of_a_failed_turn_ends_with_its_error(self):
        done = self.run_gdn("hello", "--json", plays=[[STARTED, SUBMIT, BEGIN, failed("E_MODEL_AUTH"), IDLE]])
        result = json.loads(done.out.splitlines()[-1])
        self.assertEqual((result["status"], result["error"]["code"], done.code), ("error", "E_MODEL_AUTH", 6))

    def test_it_ends_when_nothing_runs_any_more_not_with_the_first_answer(self):
        later = {"observe": [about("turn.started", turnId="t2", id="injections_1", input="answer"),
                             about("turn.completed", turnId="t2", id="injections_1", response="And now all.")]}
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, end("Asked."), later, IDLE]])
        self.assertEqual((done.out, done.code), ("Asked.\nAnd now all.\n", 0), done.err)

    def test_an_end_that_only_the_orchestrator_tells_is_shown(self):
        finished = {"observe": [about("message.finished", id="$id", status="ok", response="From the store.")]}
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, finished, IDLE]])
        self.assertEqual((done.out, done.code), ("From the store.\n", 0), done.err)

    def test_an_end_that_nobody_tells_is_an_error_and_no_wait_for_ever(self):
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, IDLE]])
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertIn("the end of the turn was not told", done.err)

    def test_pending_results_are_named_at_the_end(self):
        idle = {"observe": [{"type": "runtime.idle", "pendingHandles": 2}]}
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, end(), idle]])
        self.assertEqual((done.out, done.code), ("Done.\n", 0))
        self.assertIn("2 results still pending", done.err)

    def test_wait_handles_waits_for_them(self):
        pending = {"observe": [{"type": "runtime.idle", "pendingHandles": 1}]}
        later = {"observe": [about("turn.started", turnId="t2", id="injections_1", input="done"),
                             about("turn.completed", turnId="t2", id="injections_1", response="It is there.")]}
        done = self.run_gdn("hello", "--wait-handles", plays=[[STARTED, SUBMIT, BEGIN, end(), pending, later, IDLE]])
        self.assertEqual((done.out, done.code), ("Done.\nIt is there.\n", 0))

    def test_wait_auth_waits_for_those_who_can_still_agree(self):
        def required(session, until):
            return {"observe": [about("auth.required", authSessionId=session, app="svc", expiresAt=until,
                                      authorizationUrl="https://p.example/a")]}
        old = required("s1", "2020-01-01T00:00:00Z")  # whose agent has died, and tells nobody
        done = self.run_gdn("hello", "--wait-auth", plays=[[STARTED, SUBMIT, BEGIN, old, end(), IDLE]])
        self.assertEqual((done.out, done.code), ("Done.\n", 0))
        new = required("s2", "2999-01-01T00:00:00Z")
        told = {"observe": [about("auth.ended", authSessionId="s2", app="svc", status="completed"),
                            about("turn.started", turnId="t2", id="auth-granted-s2", input="agreed"),
                            about("turn.completed", turnId="t2", id="auth-granted-s2", response="It is sent."),
                            about("message.finished", id="auth-granted-s2", status="ok", response="It is sent.")]}
        done = self.run_gdn("hello", "--wait-auth", plays=[[STARTED, SUBMIT, BEGIN, new, end(), IDLE, told, IDLE]])
        self.assertEqual((done.out, done.code), ("Done.\nIt is sent.\n", 0))

    def test_what_was_dropped_is_asked_for(self):
        status = {"take": "status", "with": {"queued": 0, "agents": [{"agent": "writer", "state": "idle"}]}}
        gap = {"observe": [{"type": "gap", "dropped": 7}]}
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, end(), gap, status]])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("7 events came too fast", done.err)


class Refusals(FrontTest):
    def test_the_bundle_is_checked_first(self):
        self.write({"goondan.yaml": BUNDLE.replace("Agent/writer", "Agent/writr")})
        done = self.run_gdn("hello", plays=[ANSWERED])
        self.assertEqual((done.out, done.code), ("", 4))
        self.assertIn("[E_CONFIG_REF_NOT_FOUND]", done.err)
        self.assertIn("goondan.yaml:", done.err)
        self.assertEqual(self.came(), [])

    def test_exit_codes_of_a_wrong_command_line(self):
        (self.folder / "empty").mkdir()
        for words, code, text in ((["nowhere", "hello"], 2, "there is no folder 'nowhere'"),
                                  (["  "], 2, "the message is empty"),
                                  (["empty", "hello"], 3, "goondan.yaml"),
                                  (["nowhere.yaml", "hello"], 3, "nowhere.yaml"),
                                  (["hello", "--agent", "writter"], 3, "Did you mean writer?"),
                                  (["hello", "--swarm", "other"], 3, "default"),
                                  (["hello", "--env-file", "none.env"], 3, "none.env")):
            done = self.run_gdn(*words, plays=[ANSWERED])
            self.assertEqual((done.out, done.code), ("", code), (words, done.err))
            self.assertIn(text, done.err)
        self.assertEqual(self.came(), [])

    def test_an_orchestrator_that_cannot_start_says_why(self):
        play = [{"say": {"kind": "start_failed", "error": {"code": "E_CONFIG_VALUE_MISSING", "message": "no key",
                                                           "suggestion": "Set KEY."},
                         "diagnostics": [{"file": "goondan.yaml", "line": 4, "column": 2, "message": "here"}]}},
                {"exit": 3}]
        done = self.run_gdn("hello", plays=[play])
        self.assertEqual((done.out, done.code), ("", 3))
        for text in ("error: no key [E_CONFIG_VALUE_MISSING]", "hint: Set KEY.", "goondan.yaml:4:2: here"):
            self.assertIn(text, done.err)
        self.assertEqual(len(self.came("start")), 1)


class BadDays(FrontTest):
    def test_an_orchestrator_that_dies_is_started_again_and_gets_the_same_message(self):
        first = [STARTED, {"log": "last words"}, {"ignore": "submit"}, {"die": "SIGKILL"}]
        done = self.run_gdn("hello", plays=[first, ANSWERED])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("the orchestrator ended unexpectedly (SIGKILL); starting it again", done.err)
        self.assertIn("orchestrator: last words", done.err)
        first, second = self.came("submit")
        self.assertEqual((first["id"], first["start"], second["start"]), (second["id"], 0, 1))

    def test_one_that_exits_without_a_word_is_the_same(self):
        done = self.run_gdn("hello", plays=[[STARTED, SUBMIT, BEGIN, {"exit": 1}], ANSWERED])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("(exit code 1)", done.err)

    def test_one_that_keeps_dying_is_given_up(self):
        done = self.run_gdn("hello", plays=[[{"log": "no disk"}, {"exit": 9}]])
        self.assertEqual((done.out, done.code), ("", 1))
        self.assertEqual(len(self.came("start")), 6)
        self.assertIn("6 times within a minute; it is not started again", done.err)
        self.assertIn("orchestrator: no disk", done.err)

    def test_what_a_dead_one_leaves_behind_is_ended(self):
        first = [STARTED, {"spawn": ["sleep", "1000"]}, {"ignore": "submit"}, {"die": "SIGKILL"}]
        done = self.run_gdn("hello", plays=[first, ANSWERED])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertFalse(os.path.exists(f"/proc/{self.came('spawned')[0]['pid']}"))

    def test_nonsense_counts_as_its_end(self):
        for bytes in ("\x08\x00\x00\x00notjson!", "\x7f\x7f\x7f\x7f"):
            done = self.run_gdn("hello", plays=[[STARTED, {"raw": bytes}], ANSWERED])
            self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
            self.log.write_text("")

    def test_a_restart_keeps_the_connection(self):
        play = [STARTED, SUBMIT, BEGIN, {"say": {"kind": "restarting", "reason": "new tools"}},
                {"observe": [{"type": "runtime.restarting", "reason": "new tools"}]},
                STARTED, {"take": "submit", "with": {"id": "$id", "agent": "writer", "instanceKey": "default",
                                                     "accepted": True, "duplicate": True}}, BEGIN, end(), IDLE]
        done = self.run_gdn("hello", plays=[play])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertEqual(done.err.count("restarting: new tools"), 1)
        self.assertEqual(len(self.came("start")), 1)

    def test_one_that_was_stopped_by_somebody_is_not_started_again(self):
        play = [STARTED, SUBMIT, BEGIN, {"say": {"kind": "stopped", "reason": "gdn restart"}}, {"exit": 0}]
        done = self.run_gdn("hello", plays=[play])
        self.assertEqual((done.out, done.code, len(self.came("start"))), ("", 1, 1))
        self.assertIn("the orchestrator was stopped (gdn restart)", done.err)


class Attached(FrontTest):
    def test_one_that_runs_already_is_used_and_left_running(self):
        other = self.listen([[SUBMIT, BEGIN, end()]])
        done = self.run_gdn("hello", plays=[[SUBMIT, BEGIN, end()]])
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("attached to the orchestrator that runs already", done.err)
        self.assertEqual(self.came("stop"), [])
        self.assertIsNone(other.poll())

    def test_after_its_restart_the_connection_is_made_anew(self):
        plays = [[SUBMIT, BEGIN, {"say": {"kind": "restarting", "reason": "why not"}}, {"close": True}],
                 [SUBMIT, BEGIN, end()]]
        self.listen(plays)
        done = self.run_gdn("hello", plays=plays)
        self.assertEqual((done.out, done.code), ("Done.\n", 0), done.err)
        self.assertIn("restarting: why not", done.err)
        self.assertEqual(len({entry["id"] for entry in self.came("submit")}), 1)

    def test_who_comes_second_with_starting_attaches(self):
        busy = [{"say": {"kind": "start_failed", "error": {"code": "E_ALREADY_RUNNING", "message": "it runs"}}}]
        process = self.start("hello", plays=[busy])
        self.wait_for("start")
        plays = [[SUBMIT, BEGIN, end()]]
        self.log.write_text("")
        self.listen(plays)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"Done.\n", 0), err)

    def test_a_very_long_path_is_no_obstacle(self):
        self.state = self.folder / ("long" * 30)
        self.state.mkdir()
        done = self.run_gdn("hello", "--state-root", str(self.state), plays=[ANSWERED])
        self.assertEqual(done.code, 0, done.err)


class Signals(FrontTest):
    def test_ctrl_c_stops_the_call_and_the_turn_goes_on(self):
        cancelled = {"observe": [about("tool.completed", toolName="bash__exec", toolCallId="c1", status="error",
                                       durationMs=9, error={"code": "E_TOOL_CANCELLED", "message": "was cancelled"})]}
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"take": "cancel"}, cancelled, end(), IDLE]])
        self.wait_for_line(process, b"calls bash__exec")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"Done.\n", 0), err)
        self.assertIn(b"stopping what runs; Ctrl-C again leaves", err)
        self.assertIn(b"failed bash__exec", err)

    def test_ctrl_c_twice_leaves(self):
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"take": "cancel"}]])
        self.wait_for_line(process, b"calls bash__exec")
        process.send_signal(signal.SIGINT)
        self.wait_for("cancel")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"", 130), err)
        self.assertEqual(len(self.came("stop")), 1)

    def test_the_end_of_a_cancelled_turn_is_an_interruption(self):
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"take": "cancel"},
                                              failed("E_TURN_CANCELLED"), IDLE]])
        self.wait_for_line(process, b"calls bash__exec")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"", 130), err)

    def wait_for_line(self, process, text):
        for line in iter(process.stderr.readline, b""):
            if text in line:
                return
        self.fail(f"{text} was not shown")

    def test_ctrl_c_leaves_at_once_when_nothing_runs(self):
        problem = {"type": "runtime.problem", "error": {"code": "E_IO", "message": "the disk is full"}}
        process = self.start(plays=[[STARTED, {"observe": [problem]}]])
        self.wait_for_line(process, b"the disk is full")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=DEADLINE)
        self.assertEqual((process.returncode, len(self.came("cancel"))), (130, 0))

    def test_sigterm_leaves_and_the_orchestrator_may_finish(self):
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL]])
        self.wait_for_line(process, b"calls bash__exec")
        process.terminate()
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"", 130), err)
        self.assertEqual(len(self.came("stop")), 1)

    def test_one_that_does_not_stop_is_ended_by_one_more_ctrl_c(self):
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"ignore": "stop"},
                                              {"spawn": ["sleep", "1000"]}, {"ignore": "never"}]])
        self.wait_for_line(process, b"calls bash__exec")
        process.terminate()
        self.wait_for("spawned")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
        self.assertEqual((out, process.returncode), (b"", 130), err)
        self.assertFalse(os.path.exists(f"/proc/{self.came('spawned')[0]['pid']}"))

    def test_the_orchestrator_hears_of_the_death_of_its_owner(self):
        process = self.start("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"take": "never"}]])
        self.wait_for_line(process, b"calls bash__exec")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
        process.wait()
        until = time.monotonic() + DEADLINE
        while os.path.exists(f"/proc/{children[0]}/exe"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)


def wide(character):
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Terminal:
    """As much of a terminal as the view uses: rows of cells, an empty one behind each wide character."""

    def __init__(self, columns):
        self.columns = columns
        self.rows, self.row, self.column = [[]], 0, 0
        self.widest = 0

    def put(self, character):
        cells = self.rows[self.row]
        cells.extend(" " * (self.column - len(cells)))
        cells[self.column:self.column + wide(character)] = [character] + [""] * (wide(character) - 1)
        self.column += wide(character)
        self.widest = max(self.widest, self.column)

    def feed(self, text):
        for token in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|.", text, re.DOTALL):
            if token == "\r":
                self.column = 0
            elif token == "\n":
                self.row += 1
                if self.row == len(self.rows):
                    self.rows.append([])
            elif token.startswith("\x1b["):
                self.command(token[2:-1], token[-1])
            else:
                self.put(token)

    def command(self, number, letter):
        if letter == "A":
            self.row -= int(number or 1)
            assert self.row >= 0, "above the top"
        elif letter in "KJ":
            del self.rows[self.row][self.column:]
            if letter == "J":
                del self.rows[self.row + 1:]
        else:
            assert letter in "hlm", letter

    def text(self):
        return "\n".join("".join(cells).rstrip() for cells in self.rows).rstrip("\n")


class OnATerminal(FrontTest):
    def open(self, *words, plays, columns=80, term="xterm", out=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        environment = self.fake_environment(plays) | {"TERM": term}

        def lead():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen([GDN, "run", *words], cwd=self.folder, env=environment, stdin=slave,
                                   stdout=out or slave, stderr=slave, preexec_fn=lead)
        self.slave = slave
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, slave)
        self.addCleanup(self.end, process)
        self.screen = Terminal(columns)
        self.seen = ""
        self.decode = codecs.getincrementaldecoder("utf-8")().decode
        return process

    def read(self, process, until=None):
        """What is shown until `until` is on the screen, or until the end."""
        limit = time.monotonic() + DEADLINE
        while until is None or until not in self.screen.text():
            self.assertLess(time.monotonic(), limit, self.screen.text())
            ready, _, _ = select.select([self.master], [], [], 0.05)
            if ready:
                piece = self.decode(os.read(self.master, 65536))
                self.seen += piece
                self.screen.feed(piece)
            elif process.poll() is not None:
                break

    def assert_clean(self, process, code):
        self.assertEqual(process.wait(timeout=DEADLINE), code)
        self.read(process)
        self.assertEqual(termios.tcgetattr(self.slave)[3], self.before[3])
        self.assertEqual(self.seen.count("\x1b[?25l"), self.seen.count("\x1b[?25h"))
        self.assertNotRegex(self.screen.text(), "[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
        self.assertLess(self.screen.widest, self.screen.columns)

    def test_the_view_shows_the_turn_and_leaves_a_clean_terminal(self):
        delta = {"observe": [about("message.delta", text="Do")]}
        done = {"observe": [about("tool.completed", toolName="bash__exec", toolCallId="c1", status="ok",
                                  durationMs=120)]}
        process = self.open("hello", plays=[[STARTED, SUBMIT, BEGIN, CALL, {"take": "cancel"}, done, delta, end(), IDLE]])
        self.read(process, 'bash__exec  command="sleep 9"')
        os.write(self.master, b"\x03")
        self.assert_clean(process, 0)
        text = re.sub(r"[\d.]+ m?s$", "T", self.screen.text())
        self.assertEqual(text, """\
▌ writer  hello
stopping bash__exec (writer); Ctrl-C again leaves
▌ writer
  ✓ bash__exec  command="sleep 9"  0.12 s
  Done.
0 steps · 1 call · T""")

    def test_a_narrow_terminal_is_never_overrun(self):
        wide_text = "아주 긴 한국어 문장을 보내도 줄이 넘치지 않는다. " * 4
        process = self.open("hello", columns=40, plays=[[STARTED, SUBMIT, BEGIN, CALL, end(wide_text), IDLE]])
        self.assert_clean(process, 0)
        self.assertEqual(self.screen.text().count("한국어"), 4)

    def test_messages_are_typed_at_a_prompt(self):
        play = [STARTED, SUBMIT, BEGIN, end("one"), IDLE, SUBMIT, BEGIN, end("two"), IDLE]
        process = self.open(plays=[play])
        self.read(process, ">")
        os.write(self.master, b"hello\n")
        self.read(process, "one")
        self.read(process, "\n>")
        os.write(self.master, b"\n")
        os.write(self.master, b"hello\n")
        self.read(process, "two")
        self.read(process, "\n>")
        os.write(self.master, b"\x04")
        self.assert_clean(process, 0)
        shown = re.sub(r"[\d.]+ m?s\b", "T", self.screen.text())
        self.assertEqual(shown.splitlines(), ["each line is a message; Ctrl-C stops what runs, Ctrl-D leaves",
                                              "▌ writer  hello", "  one", "0 steps · 0 calls · T", "",
                                              "▌ writer  hello", "  two", "0 steps · 0 calls · T"])

    def test_what_is_typed_meanwhile_is_kept_and_not_shown(self):
        play = [STARTED, SUBMIT, BEGIN, CALL, {"take": "cancel"}, end("one"), IDLE, SUBMIT, BEGIN, end("two"), IDLE]
        process = self.open(plays=[play])
        self.read(process, ">")
        os.write(self.master, b"first\n")
        self.read(process, "bash__exec")
        os.write(self.master, b"second\n")
        process.send_signal(signal.SIGINT)  # Ctrl-C itself would make the terminal forget the line
        self.read(process, "two")
        self.read(process, "\n>")
        os.write(self.master, b"\x04")
        self.assert_clean(process, 0)
        self.assertNotIn("second", self.seen)

    def test_ctrl_c_at_the_prompt_leaves(self):
        process = self.open(plays=[[STARTED]])
        self.read(process, ">")
        os.write(self.master, b"\x03")
        self.assert_clean(process, 130)

    def test_a_dumb_terminal_gets_plain_lines(self):
        process = self.open("hello", term="dumb", plays=[ANSWERED])
        self.read(process)
        self.assertEqual(process.wait(timeout=DEADLINE), 0)
        self.assertNotIn("\x1b", self.seen)
        self.assertIn("writer  turn: hello", self.seen)

    def test_the_answer_also_goes_to_a_file(self):
        with open(self.folder / "answer", "wb") as out:
            process = self.open("hello", plays=[ANSWERED], out=out)
            self.assert_clean(process, 0)
        self.assertEqual((self.folder / "answer").read_text(), "Done.\n")

    def test_hostile_text_cannot_command_the_terminal(self):
        evil = "\x1b]0;title\x07\x1b[2J\x9b5n"
        process = self.open("hello", plays=[[STARTED, SUBMIT, BEGIN, {"log": evil}, end(evil), IDLE]])
        self.assert_clean(process, 0)
        self.assertIn("\\x1b]0;title\\x07\\x1b[2J", self.screen.text())


if __name__ == "__main__":
    support.main()
