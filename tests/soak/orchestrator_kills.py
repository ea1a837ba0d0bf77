#!/usr/bin/env python3
"""kill -9 of the orchestrator at random moments, under `gdn run --json` with piped messages and a second client.

The front starts it again each time. Every message must be answered exactly once: one turn in the conversation, the
command of that turn run at most once, and its answer told to whoever sent it."""
import collections
import contextlib
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import soak_support

chosen = soak_support.options(__doc__, sessions=(40, 1))
from swarm_support import Connection, Gone, agent, swarm  # noqa: E402  (reads the command line)

KILLS = 5  # in one session; with one more within a minute the front gives up, as it should
AHEAD = 2  # lines that are written before their turn
KEYS = 3  # conversations of the second client
END_TIME = 120
ANSWERS = ("did {}", "error E_TOOL_INTERRUPTED", "error E_TOOL_CANCELLED")
SCRIPT = [
    {"when": {"role": "user", "matches": "^do (\\S+)$"},
     "calls": [{"tool": "bash__exec", "args": {"command": "printf %s {{match[1]}} | tee -a \"$EFFECTS\"/{{match[1]}}"}}]},
    {"when": {"tool": "bash__exec", "status": "ok"}, "text": "did {{output.stdout}}"},
    {"when": {"tool": "bash__exec"}, "text": "error {{error.code}}"}]


class Front:
    """`gdn run --json`, fed line by line; what it tells of ends, by the text of the message."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen([chosen.gdn, "run", "--json", str(folder / "bundle")], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lock = threading.Lock()
        self.text_of, self.ends = {}, collections.defaultdict(list)
        self.finished = collections.Counter()
        self.sent, self.said, self.events = [], [], 0
        self.threads = [threading.Thread(target=one, daemon=True) for one in (self.read, self.read_words)]
        for thread in self.threads:
            thread.start()

    def read_words(self):
        self.said += [line.decode(errors="replace").rstrip() for line in self.process.stderr]

    def read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            with self.lock:
                self.events += 1
                if "id" in event and "input" in event:
                    self.text_of[event["id"]] = event["input"]
                if event["type"] in ("turn.completed", "turn.failed", "message.finished"):
                    self.ends[event.get("id")].append(event.get("response") or str(event.get("error")))
                if event["type"] == "message.finished":
                    self.finished[event["id"]] += 1

    def feed(self):
        """One more line if the last ones have been answered."""
        with self.lock:
            answered = {self.text_of.get(message) for message in self.ends}
        if sum(text not in answered for text in self.sent[-AHEAD - 1:]) > AHEAD:
            return False
        self.sent.append(f"do front{len(self.sent)}")
        self.process.stdin.write(self.sent[-1].encode() + b"\n")
        self.process.stdin.flush()
        return True

    def orchestrator(self):
        for pid in soak_support.descendants(self.process.pid):
            if "orchestrator" in soak_support.command_of(pid).split()[:2]:
                return pid
        return None

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=END_TIME)
        for thread in self.threads:
            thread.join(timeout=END_TIME)
        return code


class Client(threading.Thread):
    """Sends messages over the control socket, again under the same id if the orchestrator died before it replied."""

    def __init__(self, state):
        super().__init__(daemon=True)
        self.state, self.sent, self.stop = state, [], threading.Event()

    def connect(self):
        for path in self.state.glob("workspaces/*/orchestrator.sock"):
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(path))
                return Connection(connection)
            except OSError:
                connection.close()
        return None

    def run(self):
        connection, message = None, None
        while not self.stop.is_set() or message:
            message = message or f"{soak_support.OURS}{len(self.sent)}"
            connection = connection or self.connect()
            try:
                if connection:
                    number = len(self.sent)
                    connection.ask("submit", id=message, instanceKey=f"k{number % KEYS}", input=f"do client{number}")
                    self.sent.append(f"do client{number}")
                    message = None
            except (Gone, RuntimeError):
                connection.close()
                connection = None
            time.sleep(0.02)


def conversations(state):
    """The texts of the user's messages and of the last answers to them, of all instances."""
    asked, answers = collections.Counter(), {}
    for path in state.glob("workspaces/*/instances/*/*/state.db"):
        with contextlib.closing(sqlite3.connect(path)) as database:
            rows = [json.loads(row[0])["data"] for row in [
                *database.execute("SELECT message FROM base ORDER BY position"),
                *database.execute("SELECT message FROM events WHERE type = 0 ORDER BY seq")]]
        last = None
        for data in rows:
            if data["role"] == "user":
                last = data["content"] if isinstance(data["content"], str) else data["content"][0]["text"]
                asked[last] += 1
            elif data["role"] == "assistant":
                texts = [part["text"] for part in data["content"] if part["type"] == "text"]
                answers.setdefault(last, []).extend(texts)
    return asked, answers


class Session:
    def __init__(self, folder, environment):
        self.folder, self.kills, self.problems = folder, 0, []
        self.effects = folder / "effects"
        self.effects.mkdir()
        self.front = Front(folder, dict(environment, EFFECTS=str(self.effects)))
        self.client = Client(folder / "state")

    def run(self):
        self.client.start()
        next_kill = time.monotonic() + chosen.chance.uniform(0.05, 1)
        while self.kills < KILLS and self.front.process.poll() is None:
            if not self.front.feed():
                time.sleep(0.001)
            if time.monotonic() < next_kill:
                continue
            if pid := self.front.orchestrator():
                os.kill(pid, signal.SIGKILL)
                self.kills += 1
            next_kill = time.monotonic() + chosen.chance.uniform(0.01, 1)
        self.client.stop.set()
        self.client.join(timeout=END_TIME)
        while self.front.process.poll() is None and not self.front.feed():  # one more that has to be answered
            time.sleep(0.001)
        code = self.front.end()
        if code != 0:
            self.problems.append(f"gdn run ended with {code}: {self.front.said[-3:]}")
        self.problems += soak_support.survivors() + soak_support.damaged_databases(self.folder / "state")
        self.check()
        return self

    def check(self):
        asked, answers = conversations(self.folder / "state")
        for text in self.front.sent + self.client.sent:
            token, said = text.split()[1], answers.get(text, [])
            allowed = [answer.format(token) for answer in ANSWERS]
            if asked[text] != 1 or len(said) != 1 or said[0] not in allowed:
                self.problems.append(f"'{text}': {asked[text]} times in the conversation, answers {said}")
            effect = self.effects / token
            times = len(effect.read_text()) / len(token) if effect.exists() else 0
            if times > 1 or (times == 0 and said == [f"did {token}"]):
                self.problems.append(f"'{text}': its command ran {times} times, answers {said}")
        told = collections.defaultdict(set)
        for message, ends in self.front.ends.items():
            told[self.front.text_of.get(message)] |= set(ends)
        for text in self.front.sent:
            if told[text] != set(answers.get(text, [])):
                self.problems.append(f"'{text}': told {told[text]}, answers {answers.get(text)}")
        self.problems += [f"{message}: {count} ends told" for message, count in self.front.finished.items() if count > 1]


def main():
    soak_support.adopt_orphans()
    documents = [*agent("a", ["bash"], policy={"env": {"pass": ["EFFECTS"]}}), swarm("a", ["a"])]
    problems, kills, messages, begun = [], 0, 0, time.monotonic()
    for number in range(chosen.sessions):
        with soak_support.bundle(*documents, scripts={"a": SCRIPT}) as (folder, environment):
            session = Session(folder, environment).run()
        problems += [f"session {number}: {problem}" for problem in session.problems]
        kills += session.kills
        messages += len(session.front.sent) + len(session.client.sent)
    summary = (f"{chosen.sessions} sessions in {time.monotonic() - begun:.1f} s, {kills} kills of the orchestrator, "
               f"{messages} messages")
    return soak_support.finish(chosen, summary, problems)


sys.exit(main())
