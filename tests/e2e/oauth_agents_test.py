"""Tools that need a token: agents, a real provider, and a person who agrees while the agent waits."""
import json
import os
import pathlib
import signal
import unittest

import npm_packages
import support
from oauth_support import OAUTH_VERSION, WithWorld
from swarm_support import SwarmTest, agent, document, swarm, wait_until
import oauth_faults as faults
from fake_model import FakeModel, call_answer, text_answer
from oauth_browser import Browser
from oauth_client import Client

ALICE = {"actor": {"type": "user", "id": "rig:alice"}, "subjects": {"global": "team", "user": "rig:user:alice"}}
WHOAMI = "api.whoami"
READY = {"status": "ready", "person": "alice", "scopes": "openid chat:write"}

# What the handler gives back holds what the token is good for, not the token.
TOOL = """
export const handlers = {
  'api.whoami': async (ctx, input) => {
    const token = await ctx.oauth.getAccessToken({oauthAppRef: {kind: 'OAuthApp', name: 'svc'}, ...input});
    if (token.status !== 'ready') return token;
    const answer = await fetch('ISSUER/me', {headers: {Authorization: `Bearer ${token.accessToken}`}});
    return {status: token.status, person: (await answer.json()).sub, scopes: token.scopes.join(' ')};
  },
  'api.leak': async (ctx) => {
    const token = await ctx.oauth.getAccessToken({oauthAppRef: {kind: 'OAuthApp', name: 'svc'}});
    console.log(`token: ${token.accessToken}`);
    ctx.logger.warn(token);
    if (token.status === 'ready') throw new Error(`cannot use ${token.accessToken}`);
    return token;
  },
};
"""


def asking(count=1, tool=WHOAMI, **args):
    """Asks for tokens with every message, also that somebody has agreed."""
    return [{"when": {"role": "user"}, "calls": [{"tool": tool, "args": args}] * count}, {"text": "done"}]


def asking_if_told(count=1, tool=WHOAMI):
    """Asks only if it is asked to."""
    return [{"when": {"role": "user", "contains": "who am I"}, "calls": [{"tool": tool}] * count}, {"text": "done"}]


def listening(pid):
    """The TCP sockets that the process listens with."""
    sockets = set()
    for handle in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            sockets.add(os.readlink(handle))
        except FileNotFoundError:
            pass  # closed meanwhile
    lines = [line.split() for line in pathlib.Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    return [line[1] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in sockets]


class OAuthAgentsTest(WithWorld, SwarmTest):
    def environment(self, **extra):
        return super().environment(GOONDAN_SCRIPT_RUNTIME=npm_packages.needed(npm_packages.NODE), **extra)

    def started(self, replies=None, agents=("a",), documents=(), **app):
        """A swarm with the tool."""
        old = [json.dumps({"apiVersion": OAUTH_VERSION, "kind": kind, "metadata": {"name": name}, "spec": spec})
               for kind, name, spec in [
                   ("OAuthApp", "svc", self.app(subjectMode="user", **app)),
                   ("Tool", "api", {"runtime": "node", "entry": "./api.mjs", "exports": [
                       {"name": name, "description": "asks for a token",
                        "parameters": {"type": "object", "properties": {}, "additionalProperties": True}}
                       for name in (WHOAMI, "api.leak")]})]]
        resources = documents or [agent(name, ["api"], script="a") for name in agents]
        self.bundle_of(*old, *resources, swarm(agents[0], agents),
                       files={"api.mjs": TOOL.replace("ISSUER", self.world.issuer),
                              "a.script.yaml": {"replies": replies or asking()}})
        return self.orchestrator()

    def asked(self, runtime, auth=ALICE, **where):
        """What the tool answers in a turn."""
        events, _ = runtime.turn("who am I?", auth=auth, **where)
        return self.outputs(events)

    def outputs(self, events):
        return [event["output"] for event in events
                if event["type"] == "tool.completed" and event["toolName"] == WHOAMI]

    def agree(self, runtime, output, person="alice"):
        """Somebody opens the link. All that happens until the agent, which is told of it, is done."""
        self.assertEqual(output["status"], "authorization_required", output)
        browser = Browser(person)
        page = browser.visit(browser.authorize(output["authorizationUrl"]))
        self.assertEqual(page.status, 200, page.text)
        return runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")

    def connected(self, replies=None, **how):
        runtime = self.started(replies, **how)
        self.agree(runtime, self.asked(runtime)[0])
        return runtime

    def refreshes(self):
        return self.world.proxy.requests("/token", grant_type="refresh_token")


class Consent(OAuthAgentsTest):
    def test_a_person_agrees_and_the_work_goes_on(self):  # REQ: OAUTH-1 OAUTH-4 OAUTH-6
        runtime = self.started()
        events = self.agree(runtime, self.asked(runtime, key="k1", origin={"channel": "C1"})[0])
        self.assertEqual(self.outputs(events), [READY])
        self.assertEqual({event["instanceKey"] for event in events if event["type"] == "turn.started"}, {"k1"})
        self.assertEqual(self.asked(runtime, key="another"), [READY])
        self.assertEqual(len(self.world.proxy.requests("/token")), 1)

    def test_26_nobody_listens_when_nobody_is_waited_for(self):
        runtime = self.started()
        [output] = self.asked(runtime)
        [here] = runtime.agents()
        self.assertEqual(len(listening(here["pid"])), 1)
        self.agree(runtime, output)
        wait_until(lambda: not listening(here["pid"]), "the end of the listener")

    def test_a_grant_is_nobody_elses(self):  # REQ: OAUTH-2
        runtime = self.connected()
        [other] = self.asked(runtime, auth={"subjects": {"user": "rig:user:bob"}})
        self.assertEqual(other["status"], "authorization_required")
        [nobody] = self.asked(runtime, auth={"subjects": {"global": "team"}})
        self.assertEqual((nobody["status"], nobody["error"]["code"]), ("error", "subjectUnavailable"))

    def test_10_scopes_beyond_the_application(self):  # REQ: OAUTH-3
        runtime = self.started(asking(scopes=["files:write"]))
        [output] = self.asked(runtime)
        self.assertEqual((output["status"], output["error"]["code"]), ("error", "scopeNotAllowed"))
        self.assertEqual(self.world.proxy.seen, [])

    def test_many_who_wait_have_one_link(self):
        runtime = self.started(asking(8))
        outputs = self.asked(runtime)
        self.assertEqual(len({output["authorizationUrl"] for output in outputs}), 1)
        self.assertEqual(self.outputs(self.agree(runtime, outputs[0])), [READY] * 8)

    def test_a_device(self):  # REQ: OAUTH-8
        self.world.proxy.fault("/device/auth", faults.edit(interval=1))
        runtime = self.started(flow="deviceCode")
        [output] = self.asked(runtime)
        Browser("alice").device(output["verificationUri"], output["userCode"])
        events = runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        self.assertEqual(self.outputs(events), [READY])

    def test_the_agent_is_killed_while_the_person_thinks(self):
        runtime = self.started()
        [output] = self.asked(runtime)
        [waiting] = runtime.agents()
        os.kill(waiting["pid"], signal.SIGKILL)
        runtime.turn("wake up", auth=None)
        self.assertEqual(self.outputs(self.agree(runtime, output)), [READY])

    def test_a_refusal_is_told_also_after_the_agent_was_killed(self):
        runtime = self.started()
        [output] = self.asked(runtime)
        [waiting] = runtime.agents()
        os.kill(waiting["pid"], signal.SIGKILL)
        runtime.turn("wake up", auth=None)
        browser = Browser("alice")
        self.assertIn("You did not agree", browser.visit(browser.refuse(output["authorizationUrl"])).text)
        [*_, ended] = runtime.owner.observe_until(lambda event: event["type"] == "auth.ended")
        self.assertEqual((ended["authSessionId"], ended["status"]), (output["authSessionId"], "failed"))

    def test_the_model_is_told_what_waits(self):  # REQ: OAUTH-9
        model = FakeModel(call_answer(("c1", "api_whoami", "{}")), text_answer("please agree"))
        self.addCleanup(model.close)
        runtime = self.started(documents=[
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "tools": [{"ref": "Tool/api"}]})])
        [output] = self.asked(runtime)
        text = json.dumps(model.requests[-1])
        self.assertIn("auth.pending", text)
        self.assertIn(output["authSessionId"], text)


class Renewal(OAuthAgentsTest):
    def setUp(self):
        super().setUp()
        self.world.provider.set(accessTokenTtl=100)  # less than what a token must have left

    def aged(self, count=1, **how):
        """A swarm with a token that must be renewed; the next ones last."""
        runtime = self.started(asking_if_told(count), **how)
        self.agree(runtime, self.asked(runtime)[0])
        self.world.provider.set(accessTokenTtl=3600)
        return runtime

    def test_13_many_calls_at_expiry_refresh_once(self):  # REQ: OAUTH-5
        runtime = self.aged(8)
        self.assertEqual(self.asked(runtime), [READY] * 8)
        self.assertEqual(len(self.refreshes()), 1)
        self.assertEqual(self.asked(runtime), [READY] * 8)
        self.assertEqual(len(self.refreshes()), 1)

    def test_14_two_processes_at_expiry_refresh_once(self):
        runtime = self.aged(4, agents=("a", "b"))
        hold = self.world.proxy.fault("/token", faults.Hold())
        for name in ("a", "b"):
            runtime.submit("who am I?", agent=name, auth=ALICE)
        hold.wait()
        events = runtime.owner.observe_until(self.all_called(8))
        hold.release()
        done = []
        while len(done) < 2:
            events += runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
            done.append(events[-1]["agentName"])
        self.assertEqual((sorted(done), self.outputs(events)), (["a", "b"], [READY] * 8))
        self.assertEqual(len(self.refreshes()), 1)

    @staticmethod
    def all_called(count):
        """Whether so many calls have begun."""
        begun = []

        def is_last(event):
            begun.extend([event] if event["type"] == "tool.called" else [])
            return len(begun) == count
        return is_last

    def test_16_killed_between_the_answer_and_the_record(self):
        runtime = self.aged()
        hold = self.world.proxy.fault("/token", faults.Hold())
        runtime.submit("who am I?", auth=ALICE)
        hold.wait()
        [waiting] = runtime.agents()
        os.kill(waiting["pid"], signal.SIGKILL)
        hold.release()
        # The refresh token is spent, and its successor is lost: a person is asked once more, the provider is not.
        runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        self.assertEqual([output["status"] for output in self.asked(runtime)], ["authorization_required"])
        [output] = self.asked(runtime)
        self.assertEqual(len(self.refreshes()), 2)
        self.agree(runtime, output)
        self.assertEqual(self.asked(runtime), [READY])


class Ends(OAuthAgentsTest):
    def test_logout_counts_at_once(self):
        runtime = self.connected()
        self.assertEqual(self.asked(runtime), [READY])
        done = self.gdn("auth", "logout", "svc", "--bundle", str(self.bundle))
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.asked(runtime)[0]["status"], "authorization_required")

    def test_a_call_without_an_agent(self):
        self.connected().stop()
        call = ("call", WHOAMI, "--bundle", str(self.bundle), "--json", "--subject")
        self.assertEqual(self.gdn(*call, "user=rig:user:alice").json["output"], READY)
        self.assertIn("gdn auth login svc", self.gdn(*call, "user=rig:user:bob").json["output"]["error"]["message"])

    def test_revoked_at_the_provider(self):
        self.world.provider.set(accessTokenTtl=100)
        runtime = self.connected(replies=asking_if_told())
        tokens = self.world.proxy.requests("/token")[0].reply.json
        Client(self.world.issuer).post("/token/revocation", token=tokens["refresh_token"])
        self.assertEqual(self.asked(runtime)[0]["status"], "authorization_required")
        [grant] = self.gdn("auth", "list", "--json").json["grants"]
        self.assertEqual(grant["state"], "revoked")

    def test_25_a_tool_that_tells_its_token(self):  # REQ: OAUTH-7
        runtime = self.started(asking(tool="api.leak"))
        events, _ = runtime.turn("who am I?", auth=ALICE)
        [link] = [event["authorizationUrl"] for event in events if event["type"] == "auth.required"]
        events += self.agree(runtime, {"status": "authorization_required", "authorizationUrl": link})
        runtime.stop()
        exchange = self.world.proxy.requests("/token")[0]
        secrets = [exchange.form["code"], exchange.form["code_verifier"],
                   *(exchange.reply.json[name] for name in ("access_token", "refresh_token", "id_token"))]
        shown = json.dumps(events).encode()
        self.assertIn(b"cannot use", shown)
        on_disk = b"".join(path.read_bytes() for path in self.state.rglob("*") if path.is_file())
        for secret in secrets:
            self.assertFalse(secret.encode() in shown + on_disk, "a secret is told")


if __name__ == "__main__":
    support.main()
