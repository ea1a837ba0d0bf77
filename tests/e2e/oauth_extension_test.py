"""The extension `oauth`: tools of goondan.ai/v1 that get the tokens people have agreed to, and a model that never sees
them. With Slack's ways of OAuth."""
import json
import unittest

import support
from oauth_support import OAUTH_VERSION
from swarm_support import SwarmTest, document, swarm
from fake_model import FakeModel, call_answer, text_answer
from fake_slack_oauth import CLIENT_ID, CLIENT_SECRET, FakeSlackOAuth
from oauth_browser import Browser

TEAM = {"subjects": {"global": "slack:team:T111"}}


class OAuthExtensionTest(SwarmTest):
    def setUp(self):
        super().setUp()
        self.slack = FakeSlackOAuth(rotation=True).__enter__()
        self.addCleanup(self.slack.__exit__)

    def app(self):
        return {"provider": "slack", "flow": "authorizationCode", "subjectMode": "global",
                "client": {"clientId": {"value": CLIENT_ID}, "clientSecret": {"value": CLIENT_SECRET}},
                "endpoints": {"authorizationUrl": self.slack.url + "/oauth/v2/authorize",
                              "tokenUrl": self.slack.url + "/api/oauth.v2.access",
                              "revokeUrl": self.slack.url + "/api/auth.revoke"},
                "scopes": ["chat:write", "channels:read"], "redirect": {"callbackPath": "/callback"}}

    def started(self, *answers):
        """A swarm with Slack's tool; its model gives these answers, and is kept to see what it was told."""
        model = self.model = FakeModel(*answers)
        self.addCleanup(model.close)
        rule = {"tool": "slack__send", "app": "slack-bot", "scopes": ["chat:write"]}
        self.bundle_of(
            json.dumps({"apiVersion": OAUTH_VERSION, "kind": "OAuthApp", "metadata": {"name": "slack-bot"},
                        "spec": self.app()}),
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "tools": [{"ref": "Tool/slack"}],
                                    "extensions": [{"ref": "Extension/oauth", "config": {"tools": [rule]}}]}),
            swarm("a", ["a"], policy={"http": {"allow": [self.slack.host]}}))
        return self.orchestrator()

    def sending(self, **args):
        sent = {"channelId": "C01GENERAL", "text": "hello", "apiBaseUrl": self.slack.url + "/api", **args}
        return call_answer(("c1", "slack__send", json.dumps(sent)))

    def outputs(self, events, tool="slack__send"):
        return [event for event in events if event["type"] == "tool.completed" and event["toolName"] == tool]

    def test_a_message_that_waits_for_consent(self):  # REQ: OAUTH-1
        runtime = self.started(self.sending(), text_answer("please agree"), self.sending(), text_answer("sent"))
        events, _ = runtime.turn("say hello", auth=TEAM)
        [asked] = self.outputs(events)
        self.assertEqual(asked["output"]["status"], "authorization_required")
        self.assertEqual(self.slack.channels["C01GENERAL"], [])
        browser = Browser()
        way = browser.visit(asked["output"]["authorizationUrl"]).leads_to
        self.assertEqual(browser.visit(way).status, 200)
        events += runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        self.assertEqual([message["text"] for message in self.slack.channels["C01GENERAL"]], ["hello"])
        self.assert_not_told(events)

    def assert_not_told(self, events):
        """Neither the model nor whoever watches sees a token, and no file holds one."""
        shown = json.dumps([events, self.model.requests]).encode()
        on_disk = b"".join(path.read_bytes() for path in self.state.rglob("*") if path.is_file())
        self.assertTrue(self.slack.tokens)
        for secret in [*self.slack.tokens, *self.slack.refreshes, CLIENT_SECRET]:
            self.assertFalse(secret.encode() in shown + on_disk, "a secret is told")

    def test_the_model_does_not_see_the_argument(self):
        runtime = self.started(text_answer("nothing"))
        runtime.turn("hello", auth=TEAM)
        [schema] = [tool["function"]["parameters"] for tool in self.model.requests[0]["tools"]
                    if tool["function"]["name"] == "slack__send"]
        self.assertIn("text", schema["properties"])
        self.assertNotIn("token", schema["properties"])

    def test_what_the_model_writes_for_a_token_is_not_used(self):
        runtime = self.started(self.sending(token="written-by-the-model"), text_answer("I see"))
        events, _ = runtime.turn("say hello", auth=TEAM)
        self.assertEqual(len(self.outputs(events)), 1)
        self.assertEqual([seen.path for seen in self.slack.seen], [])

    def test_a_token_goes_only_where_the_operator_says(self):  # REQ: DEC-7 OAUTH-7
        elsewhere = self.sending(apiBaseUrl="https://collector.example/api")
        runtime = self.started(self.sending(), text_answer("please agree"), elsewhere, text_answer("I cannot"))
        events, _ = runtime.turn("say hello", auth=TEAM)
        browser = Browser()
        browser.visit(browser.visit(self.outputs(events)[0]["output"]["authorizationUrl"]).leads_to)
        events = runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        self.assertEqual([one["error"]["code"] for one in self.outputs(events)], ["E_TOKEN_HOST"])

    def test_connect_says_what_an_application_lacks(self):
        spec = self.app()
        spec["client"]["clientSecret"] = {"valueFrom": {"env": "NOBODY_SETS_THIS"}}
        self.app = lambda: spec
        runtime = self.started(call_answer(("c1", "oauth__connect", '{"app": "slack-bot"}')), text_answer("I cannot"))
        [asked] = self.outputs(runtime.turn("connect", auth=TEAM)[0], "oauth__connect")
        self.assertEqual(asked["output"]["error"]["code"], "configurationError")
        self.assertIn("NOBODY_SETS_THIS", asked["output"]["error"]["message"])

    def test_nobody_to_act_for(self):  # REQ: OAUTH-2
        runtime = self.started(self.sending(), text_answer("I cannot"))
        events, _ = runtime.turn("say hello")
        self.assertEqual(self.outputs(events)[0]["error"]["code"], "E_OAUTH")

    def test_connect_and_status(self):
        runtime = self.started(call_answer(("c1", "oauth__connect", '{"app": "slack-bot"}')), text_answer("open this"),
                               call_answer(("c2", "oauth__status", "{}")), text_answer("connected"))
        events, _ = runtime.turn("connect", auth=TEAM)
        [asked] = self.outputs(events, "oauth__connect")
        browser = Browser()
        browser.visit(browser.visit(asked["output"]["authorizationUrl"]).leads_to)
        events += runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")
        [status] = self.outputs(events, "oauth__status")
        apps = [(app["app"], app["status"]) for app in status["output"]["apps"]]
        self.assertEqual(apps, [("slack-bot", "connected")])
        self.assert_not_told(events)


if __name__ == "__main__":
    support.main()
