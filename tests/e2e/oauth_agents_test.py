"""Tools that need a token: agents, a real provider, and a person who agrees while the agent waits."""
import json
import threading
import unittest

import support
from oauth_support import WithWorld
from swarm_support import SwarmTest, agent, swarm
import oauth_faults as faults
from oauth_browser import Browser
from oauth_client import Client

OLD = "agents.example.io/v1alpha1"
ALICE = {"actor": {"type": "user", "id": "rig:alice"}, "subjects": {"global": "team", "user": "rig:user:alice"}}

# What the handler gives back holds what the token is good for, not the token.
TOOL = """
export const handlers = {
  'api.whoami': async (ctx, input) => {
    const token = await ctx.oauth.getAccessToken({oauthAppRef: {kind: 'OAuthApp', name: 'svc'}, ...input});
    if (token.status !== 'ready') return token;
    const answer = await fetch('ISSUER/me', {headers: {Authorization: `Bearer ${token.accessToken}`}});
    return {status: token.status, person: (await answer.json()).sub, scopes: token.scopes.join(' ')};
  },
};
"""


def old(kind, name, spec):
    return json.dumps({"apiVersion": OLD, "kind": kind, "metadata": {"name": name}, "spec": spec})


class OAuthAgentsTest(WithWorld, SwarmTest):
    whoami = "api.whoami"

    def world_of(self, replies, names=("a",), **app):
        tool = old("Tool", "api", {"runtime": "node", "entry": "./api.mjs", "exports": [
            {"name": "api.whoami", "description": "who the token belongs to",
             "parameters": {"type": "object", "properties": {}, "additionalProperties": True}}]})
        self.bundle_of(tool, old("OAuthApp", "svc", self.app(subjectMode="user", **app)),
                       *(agent(name, ["api"], script="a") for name in names), swarm(names[0], names),
                       files={"api.mjs": TOOL.replace("ISSUER", self.world.issuer),
                              "a.script.yaml": {"replies": replies}})
        return self.orchestrator()

    def asking(self, count=1, **args):
        return [{"when": {"role": "user"}, "calls": [{"tool": self.whoami, "args": args}] * count},
                {"when": {"tool": self.whoami, "status": "ok"}, "text": "done"},
                {"when": {"tool": self.whoami, "status": "error"}, "text": "{{error.message}}"}]

    def submit(self, runtime, text="who am I?", auth=ALICE, **more):
        return runtime.turn(text, auth=auth, **more)

    def outputs(self, events):
        return [event["output"] for event in events
                if event["type"] == "tool.completed" and event["toolName"] == self.whoami]

    def agreed(self, runtime, **more):
        """A token that a person has agreed to."""
        [asked] = self.outputs(self.submit(runtime, **more)[0])
        self.assertEqual(asked["status"], "authorization_required", asked)
        browser = Browser("alice")
        browser.visit(browser.authorize(asked["authorizationUrl"]))
        return runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")

    def test_a_person_agrees_and_the_work_goes_on(self):  # REQ: OAUTH-1 OAUTH-4 OAUTH-6
        runtime = self.world_of(self.asking())
        events = self.agreed(runtime, key="k1")
        self.assertEqual(self.outputs(events), [{"status": "ready", "person": "alice", "scopes": "openid chat:write"}])
        self.assertEqual({event["instanceKey"] for event in events if event["type"] == "turn.started"}, {"k1"})
        [again] = self.outputs(self.submit(runtime)[0])
        self.assertEqual(again["status"], "ready")
        self.assertEqual(len(self.world.proxy.requests("/token")), 1)

    def test_nobody_to_act_for(self):  # REQ: OAUTH-2
        runtime = self.world_of(self.asking())
        [output] = self.outputs(self.submit(runtime, auth={"subjects": {"global": "team"}})[0])
        self.assertEqual((output["status"], output["error"]["code"]), ("error", "subjectUnavailable"))

    def test_scopes_beyond_the_application(self):  # REQ: OAUTH-3
        runtime = self.world_of(self.asking(scopes=["files:write"]))
        [output] = self.outputs(self.submit(runtime)[0])
        self.assertEqual((output["status"], output["error"]["code"]), ("error", "scopeNotAllowed"))
        self.assertEqual(self.world.proxy.seen, [])

    def test_many_calls_at_expiry_refresh_once(self):  # REQ: OAUTH-5
        runtime = self.world_of(self.asking(8))
        self.world.provider.set(accessTokenTtl=100)  # less than what a token must have left
        self.agreed_first_of_many(runtime)
        self.world.provider.set(accessTokenTtl=3600)
        outputs = self.outputs(self.submit(runtime)[0])
        self.assertEqual([output["status"] for output in outputs], ["ready"] * 8)
        self.assertEqual(self.world.provider.given("refresh_token"), 1)

    def agreed_first_of_many(self, runtime):
        events, _ = self.submit(runtime)
        links = {output["authorizationUrl"] for output in self.outputs(events)}
        self.assertEqual(len(links), 1, "one session for all who wait")
        browser = Browser("alice")
        browser.visit(browser.authorize(links.pop()))
        runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")

    def test_refresh_answer_lost_needs_a_person_again(self):
        self.world.provider.set(accessTokenTtl=100)
        runtime = self.world_of(self.asking(minTtlSeconds=0))
        self.agreed(runtime)


if __name__ == "__main__":
    support.main()
