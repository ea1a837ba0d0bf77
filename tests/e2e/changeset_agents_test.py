"""Agents that change the bundle they are made of: real processes, a bundle in a Git repository, and a model whose next
call depends on the answers it has."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import unittest

from npm_support import NODE, need_packages
from seed_blocks import code
from support import DEADLINE
from swarm_support import SwarmTest, document, swarm

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fake_model import FakeModel, call_answer, text_answer  # noqa: E402

OPEN, COMMIT = "swarmBundle_openChangeset", "swarmBundle_commitChangeset"
BUILTIN = ("swarmBundle", "file-system", "bash")


class Doing:
    """A model that makes the calls of `todo` one after the other in each turn. Each is a function from the outputs of
    those before it to (tool, arguments); it runs while the agent waits for its model."""

    def __init__(self, test):
        self.todo = []
        self.outputs = []  # of the latest turn
        self.problem = None
        self._model = FakeModel(self._answer)
        test.addCleanup(self._model.close)

    @property
    def endpoint(self):
        return self._model.endpoint

    @property
    def prompts(self):
        """What the system message of each request was."""
        return [request["messages"][0]["content"] for request in self._model.requests]

    def _answer(self, request):
        messages = request["messages"]
        begin = max(i for i, message in enumerate(messages) if message["role"] == "user")
        self.outputs = [self._read(message["content"]) for message in messages[begin:] if message["role"] == "tool"]
        count = len(self.outputs)
        if count >= len(self.todo) or self.problem:
            return text_answer("done")
        try:
            tool, arguments = self.todo[count](self.outputs)
        except Exception as problem:  # else nobody would answer the agent
            self.problem = problem
            return text_answer("broken")
        return call_answer((f"c{len(messages)}", tool, json.dumps(arguments)))

    @staticmethod
    def _read(text):
        try:
            return json.loads(text)
        except ValueError:
            return text


def opening(_):
    return OPEN, {"reason": "to be better"}


def latest(outputs):
    """The answer of the changeset that was opened last."""
    return [output for output in outputs if isinstance(output, dict) and "workdir" in output][-1]


def writing(name, text):
    return lambda outputs: ("file-system__write", {"path": f"{latest(outputs)['workdir']}/{name}", "content": text})


def in_shell(command):
    return lambda outputs: ("bash__exec", {"command": f"cd '{latest(outputs)['workdir']}' && {command}"})


def committing(outputs):
    return COMMIT, {"changesetId": latest(outputs)["changesetId"], "message": "Change it"}


def after(action, then):
    """`action` happens before the call `then`."""
    def step(outputs):
        action()
        return then(outputs)
    return step


class ChangesetAgents(SwarmTest):
    def environment(self, **extra):
        return super().environment(GOONDAN_SCRIPT_RUNTIME=str(NODE), **extra)

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=Mina", "-c", "user.email=m@example.com", *words],
                              cwd=self.bundle, check=True, stdout=subprocess.PIPE, timeout=DEADLINE).stdout.decode()

    def commit_by_a_person(self, name, text):
        (self.bundle / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", "By a person")

    def write_bundle(self, agents=("a",), tools=BUILTIN, documents=(), files=None, policy=None, agent_policy=None):
        """Each agent has a model of its own, `self.models[name]`, and its prompt in prompts/<name>.md."""
        self.models = {name: Doing(self) for name in agents}
        resources = list(documents)
        for name, model in self.models.items():
            resources += [
                document("Model", name, {"provider": "openai", "model": "x", "endpoint": model.endpoint,
                                         "apiKey": {"value": "k"}}),
                document("Agent", name, {"modelConfig": {"modelRef": f"Model/{name}"},
                                         "prompt": {"systemRef": f"prompts/{name}.md"},
                                         "tools": [{"ref": f"Tool/{tool}"} for tool in tools],
                                         **({"policy": agent_policy} if agent_policy else {})})]
        self.bundle_of(*resources, swarm(agents[0], agents, **({"policy": policy} if policy else {})),
                       files={**{f"prompts/{name}.md": "Be old." for name in agents}, **(files or {})})

    def started(self, **how):
        self.write_bundle(**how)
        self.git("init", "-q", "-b", "main", ".")
        self.git("add", "-A")
        self.git("commit", "-qm", "Begin")
        return self.orchestrator()

    def does(self, runtime, *todo, agent="a"):
        """The outputs of these calls, made in a turn of their own."""
        model = self.models[agent]
        model.todo = todo
        _, end = runtime.turn("go", agent=agent)
        model.todo = []
        if model.problem:
            raise model.problem
        self.assertEqual(end["type"], "turn.completed", end)
        self.assertEqual(len(model.outputs), len(todo), model.outputs)
        return model.outputs

    def prompt_of_a_turn(self, runtime, agent="a"):
        self.does(runtime, agent=agent)
        return self.models[agent].prompts[-1]

    def head(self):
        return "git:" + self.git("rev-parse", "HEAD").strip()

    def assert_untouched(self, head):
        self.assertEqual(self.head(), head)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def assert_taken(self, answer):
        self.assertEqual((answer["status"], answer["active"], answer["newRef"]), ("ok", "after this turn", self.head()))
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("log", "-1", "--format=%s"), "Change it\n")


class Taken(ChangesetAgents):
    # REQ: CHG-1, CHG-2, CHG-3
    def test_the_built_in_tool(self):
        runtime = self.started()
        head = self.head()
        opened, _, done = self.does(runtime, opening, writing("prompts/a.md", "Be new."), committing)
        self.assertEqual((opened["baseRef"], opened["hint"]["bundleRootInWorkdir"]), (head, "."))
        self.assertEqual(opened["hint"]["recommendedFiles"], ["goondan.yaml"])
        self.assert_taken(done)
        self.assertEqual(done["summary"], {"filesChanged": ["prompts/a.md"], "filesAdded": [], "filesDeleted": []})
        self.assertEqual(self.models["a"].prompts, ["Be old."] * 4)  # the turn that made the change
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be new.")
        self.assertFalse(pathlib.Path(opened["workdir"]).exists())

    # REQ: CHG-1, CHG-2, CHG-3
    def test_the_handlers_of_the_specification(self):
        exports = [{"name": f"swarmBundle.{name}", "parameters": {"type": "object"}}
                   for name in ("openChangeset", "commitChangeset")]
        tool = {"apiVersion": "agents.example.io/v1alpha1", "kind": "Tool", "metadata": {"name": "bundle"},
                "spec": {"runtime": "node", "entry": "./tools/bundle/index.ts", "exports": exports}}
        runtime = self.started(documents=[json.dumps(tool)], tools=("bundle", "bash"),
                               files={"tools/bundle/index.ts": code("11.2")})
        _, _, done = self.does(runtime, opening, in_shell("printf 'Be new.' > prompts/a.md"), committing)
        self.assert_taken(done)
        self.assertEqual(self.models["a"].prompts, ["Be old."] * 4)
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be new.")

    # REQ: CHG-3
    def test_only_agents_that_are_other_than_before_are_replaced(self):
        runtime = self.started(agents=("a", "b"))
        self.assertEqual(self.prompt_of_a_turn(runtime, "b"), "Be old.")
        [other] = [one["pid"] for one in runtime.agents() if one["agent"] == "b"]
        self.does(runtime, opening, writing("prompts/a.md", "Be new."), committing)
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be new.")
        self.assertEqual([one["pid"] for one in runtime.agents() if one["agent"] == "b"], [other])

    # REQ: CHG-1
    def test_two_agents_at_once(self):
        runtime = self.started(agents=("a", "b"))
        both = threading.Barrier(2)
        for name, model in self.models.items():
            model.todo = [opening, after(lambda: both.wait(DEADLINE), writing(f"prompts/{name}.md", f"Be {name}.")),
                          after(lambda: both.wait(DEADLINE), committing)]
            runtime.submit("go", agent=name)
        done = set()
        while len(done) < 2:
            done.add(runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")[-1]["agentName"])
        for name, model in self.models.items():
            model.todo = []
            self.assertIsNone(model.problem)
            self.assertEqual((model.outputs[-1]["status"], model.outputs[-1]["active"]), ("ok", "after this turn"))
            self.assertEqual((self.bundle / f"prompts/{name}.md").read_text(), f"Be {name}.")
            self.assertEqual(self.prompt_of_a_turn(runtime, name), f"Be {name}.")
        self.assertEqual(sorted(self.git("log", "-2", "--format=%an").split()), ["a", "b"])
        self.assertEqual(self.git("status", "--porcelain"), "")

    # REQ: CHG-1
    def test_a_person_looks_and_undoes(self):
        runtime = self.started()
        self.does(runtime, opening, writing("prompts/a.md", "Be new.\n"), committing)
        commits = self.gdn("bundle", "log", str(self.bundle), "--json").json["commits"]
        self.assertEqual([(one["author"], one["subject"]) for one in commits], [("a", "Change it"), ("Mina", "Begin")])
        self.assertIn("+Be new.\n", self.gdn("bundle", "diff", "--bundle", str(self.bundle)).out)
        undone = self.gdn("bundle", "rollback", "--bundle", str(self.bundle), "--json")
        self.assertEqual(undone.json["status"], "ok", undone.err)
        self.assertEqual((self.bundle / "prompts/a.md").read_text(), "Be old.")
        runtime.owner.ask("restart", agent="a")
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be old.")


class TurnedAway(ChangesetAgents):
    # REQ: CHG-2, CHG-3
    def test_a_bundle_that_does_not_validate(self):
        runtime = self.started()
        head = self.head()
        broken = in_shell("sed -i s:prompts/a.md:prompts/nobody.md: goondan.yaml")
        _, _, done = self.does(runtime, opening, broken, committing)
        self.assertEqual((done["status"], done["error"]["code"]), ("rejected", "BUNDLE_INVALID"))
        [diagnostic] = [one for one in done["error"]["diagnostics"] if one["severity"] == "error"]
        self.assertIn("prompts/nobody.md", json.dumps(diagnostic))
        self.assert_untouched(head)
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be old.")

    # REQ: CHG-2
    def test_what_was_turned_away_can_be_mended(self):
        runtime = self.started()
        outputs = self.does(runtime, opening, writing("goondan.yaml", "kind: Nonsense\n"), committing,
                            in_shell("git -C '%s' show HEAD:goondan.yaml > goondan.yaml" % self.bundle),
                            writing("prompts/a.md", "Be mended."), committing)
        self.assertEqual(outputs[2]["error"]["code"], "BUNDLE_INVALID")
        self.assert_taken(outputs[-1])
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be mended.")

    # REQ: CHG-2
    def test_a_policy(self):
        runtime = self.started(policy={"changesets": {"allowed": {"files": ["prompts/**", "notes/**"]}}},
                               agent_policy={"changesets": {"allowed": {"files": ["prompts/*.md", "*.yaml"]}}})
        head = self.head()
        _, _, _, done = self.does(runtime, opening, in_shell("echo >> goondan.yaml; mkdir notes; echo > notes/n.md"),
                                  writing("prompts/a.md", "Be new."), committing)
        self.assertEqual((done["status"], done["error"]["code"]), ("rejected", "POLICY_VIOLATION"))
        self.assertEqual(sorted(done["error"]["violatedFiles"]), ["goondan.yaml", "notes/n.md"])
        self.assert_untouched(head)
        _, _, done = self.does(runtime, opening, writing("prompts/a.md", "Be new."), committing)
        self.assert_taken(done)

    # REQ: CHG-2
    def test_a_policy_that_forbids_all(self):
        runtime = self.started(agent_policy={"changesets": {"enabled": False}})
        head = self.head()
        _, _, done = self.does(runtime, opening, writing("prompts/a.md", "Be new."), committing)
        self.assertEqual((done["status"], done["error"]["code"]), ("rejected", "POLICY_VIOLATION"))
        self.assert_untouched(head)

    # REQ: CHG-2
    def test_a_person_was_faster(self):
        runtime = self.started()
        person = after(lambda: self.commit_by_a_person("prompts/a.md", "Be a person's."), committing)
        outputs = self.does(runtime, opening, writing("prompts/a.md", "Be new."), person,
                            opening, in_shell("printf ' And new.' >> prompts/a.md"), committing)
        self.assertEqual((outputs[2]["status"], outputs[2]["error"]["code"]), ("conflict", "MERGE_CONFLICT"))
        self.assertEqual(outputs[2]["error"]["conflictingFiles"], ["prompts/a.md"])
        self.assert_taken(outputs[-1])
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be a person's. And new.")

    # REQ: CHG-2
    def test_no_repository_and_no_changeset(self):
        self.write_bundle()
        runtime = self.orchestrator()
        [nothing] = self.does(runtime, opening)
        self.assertIn("git init", json.dumps(nothing))
        self.git("init", "-q", "-b", "main", ".")
        self.commit_by_a_person("notes.txt", "n")
        [unknown] = self.does(runtime, lambda _: (COMMIT, {"changesetId": "../../bundle"}))
        self.assertEqual((unknown["status"], unknown["error"]["code"]), ("failed", "CHANGESET_NOT_FOUND"))


class Killed(ChangesetAgents):
    def kill(self, runtime):
        [one] = runtime.agents()
        os.kill(one["pid"], signal.SIGKILL)

    # REQ: CHG-1
    def test_between_opening_and_committing(self):
        runtime = self.started()
        killed = []

        def once():
            if not killed:
                killed.append(self.kill(runtime))

        _, _, done = self.does(runtime, opening, after(once, writing("prompts/a.md", "Be new.")), committing)
        self.assertEqual(len(killed), 1)
        self.assert_taken(done)
        self.assertEqual(self.prompt_of_a_turn(runtime), "Be new.")
        self.git("fsck", "--strict")


if __name__ == "__main__":
    need_packages()
    unittest.main(argv=["changeset_agents_test"])
