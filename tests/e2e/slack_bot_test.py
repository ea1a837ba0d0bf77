"""The example slack-bot-v1alpha1, from `authorization_required` to a posted message: with a pretended Slack, and with a
real provider in its place. `gdn run --wait-auth`, as a person would start it."""
import json
import re
import shutil
import subprocess
import sys
import threading

import npm_packages
import support
from oauth_support import OAUTH_VERSION, ROOT, WithWorld
from fake_slack import FakeSlack
from fake_slack_oauth import CLIENT_ID, CLIENT_SECRET, TEAM, FakeSlackOAuth
from oauth_browser import Browser
from oauth_client import parameters

EXAMPLE = ROOT / "examples/slack-bot-v1alpha1"
CHANNEL = "C01GENERAL"
TEXT = "The build is green."


class Run:
    """`gdn run --json` under way."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.events = []
        self.watch = threading.Timer(support.DEADLINE, self.process.kill)  # what hangs must not hang the test
        self.watch.start()

    def until(self, kind):
        """The next event of this kind."""
        for line in self.process.stdout:
            self.events.append(json.loads(line))
            if self.events[-1].get("type") == kind:
                return self.events[-1]
        raise AssertionError(f"no {kind}, but: {self.events}")

    def finish(self):
        """The exit code and what was answered last."""
        self.events += [json.loads(line) for line in self.process.stdout]
        return self.process.wait(support.DEADLINE), self.events[-1].get("response")

    def outputs(self):
        return [event["output"] for event in self.events if event.get("type") == "tool.completed"]

    def end(self):
        self.watch.cancel()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class SlackBotTest(support.GdnTest):
    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.slack = self.service().__enter__()
        self.addCleanup(self.slack.__exit__)
        self.bundle = self.folder / "bundle"
        shutil.copytree(EXAMPLE, self.bundle)
        for name in ("goondan.yaml", "tools/slack/index.mjs"):
            self.change(name, lambda text: text.replace("https://slack.com", self.slack.url))

    def change(self, name, edit):
        path = self.bundle / name
        before = path.read_text()
        self.assertNotEqual(edit(before), before)
        path.write_text(edit(before))

    def environment(self, **extra):
        return {**super().environment(**extra), "GOONDAN_STATE_ROOT": str(self.state), "SLACK_CLIENT_ID": CLIENT_ID,
                "SLACK_CLIENT_SECRET": CLIENT_SECRET, "GOONDAN_SCRIPT_RUNTIME": npm_packages.needed(npm_packages.NODE)}

    def run_bot(self, text=TEXT, subject=f"global=slack:team:{TEAM}"):
        run = Run([support.GDN, "run", self.bundle, "--json", "--wait-auth", "--subject", subject, text],
                  self.environment())
        self.addCleanup(run.end)
        return run

    def posted(self):
        return [message["text"] for message in self.slack.channels[CHANNEL]]

    def grants(self):
        return self.gdn("auth", "list", "--json").json["grants"]

    def agreed(self, consent):
        """A run in which somebody agrees: `consent` is given the link and says what the browser was shown."""
        run = self.run_bot()
        required = run.until("auth.required")
        page = consent(required["authorizationUrl"])
        self.assertEqual((page.status, "Connected" in page.text), (200, True), page.text)
        self.assertEqual(run.finish(), (0, f"Posted to {CHANNEL}: {TEXT}"))
        asked, done = run.outputs()
        self.assertEqual((asked["status"], asked["authorizationUrl"]),
                         ("authorization_required", required["authorizationUrl"]))
        self.assertEqual((done["ok"], done["channel"], done["message"]["text"]), (True, CHANNEL, TEXT))
        self.assertEqual(self.posted(), [TEXT])
        return run

    def refused(self, way_back):
        """A run in which somebody does not agree; `way_back` is given the link. It ends all the same."""
        run = self.run_bot()
        page = Browser().visit(way_back(run.until("auth.required")["authorizationUrl"]))
        self.assertIn("You did not agree", page.text)
        code, response = run.finish()
        self.assertEqual((code, "needs your consent" in response), (0, True))
        [ended] = [event for event in run.events if event.get("type") == "auth.ended"]
        self.assertEqual((ended["status"], ended["problem"]), ("failed", "access_denied"))
        self.assertEqual((self.posted(), self.grants()), ([], []))

    def assert_not_told(self, run, secrets):
        self.assertTrue(secrets)
        on_disk = b"".join(path.read_bytes() for path in self.state.rglob("*") if path.is_file())
        for secret in secrets:
            self.assertFalse(secret.encode() in json.dumps(run.events).encode() + on_disk, "a secret is told")


class WithPretendedSlack(SlackBotTest):
    service = FakeSlackOAuth

    def consent(self, link):
        browser = Browser()
        return browser.visit(browser.visit(link).leads_to)

    def test_from_the_link_to_the_message(self):  # REQ: OAUTH-1 OAUTH-4 OAUTH-6
        run = self.agreed(self.consent)
        self.assert_not_told(run, [*self.slack.tokens, CLIENT_SECRET])
        [grant] = self.grants()
        self.assertEqual((grant["app"], grant["subject"], grant["scopes"]),
                         ("slack-bot", f"slack:team:{TEAM}", ["chat:write"]))
        again = self.run_bot("And deployed.")
        self.assertEqual(again.finish(), (0, f"Posted to {CHANNEL}: And deployed."))
        self.assertEqual(self.slack.counts, {"authorization_code": 1})

    def test_somebody_refuses(self):
        self.refused(lambda link: "{redirect_uri}?error=access_denied&state={state}".format(**parameters(link)))

    def test_another_workspace_than_the_one_that_was_asked(self):  # REQ: OAUTH-2
        self.slack.team = "T222"
        run = self.run_bot()
        page = self.consent(run.until("auth.required")["authorizationUrl"])
        self.assertEqual((page.status, "signed in as somebody else" in page.text), (400, True), page.text)
        self.assertEqual(run.finish()[0], 0)
        self.assertEqual((self.posted(), self.grants(), self.slack.tokens), ([], [], {}))

    def test_nobody_to_act_for(self):
        run = self.run_bot(subject="user=somebody")
        code, response = run.finish()
        self.assertEqual((code, "turn.auth.subjects.global is not set" in response), (0, True), response)

    def test_the_demo_shows_it(self):
        done = subprocess.run([sys.executable, EXAMPLE / "demo.py", support.GDN], env=self.environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=support.DEADLINE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"In the channel: ['{TEXT}']", done.stdout)


class WithRealProvider(WithWorld, SlackBotTest):
    """The same tool, script and swarm; only the OAuthApp is another."""

    def service(self):
        world = self.world

        class Slack(FakeSlack):
            """Accepts what the provider has given."""

            def authorized(self, seen):
                given = [one.reply.json.get("access_token") for one in world.proxy.requests("/token")]
                return seen.headers.get("authorization") in [f"Bearer {token}" for token in given]

        return Slack()

    def setUp(self):
        super().setUp()
        app = json.dumps({"apiVersion": OAUTH_VERSION, "kind": "OAuthApp", "metadata": {"name": "slack-bot"},
                          "spec": self.app(scopes=["chat:write"])})
        # The first document of the file is the OAuthApp.
        self.change("goondan.yaml", lambda text: app + "\n" + text[re.search(r"^---$", text, re.M).start():])

    def test_from_the_link_to_the_message(self):  # REQ: OAUTH-1 OAUTH-4 OAUTH-6
        def consent(link):
            browser = Browser("alice")
            return browser.visit(browser.authorize(link))
        run = self.agreed(consent)
        [exchange] = self.world.proxy.requests("/token")
        self.assert_not_told(run, [exchange.form["code"], exchange.form["code_verifier"],
                                   exchange.reply.json["access_token"]])

    def test_somebody_refuses(self):
        self.refused(lambda link: Browser("alice").refuse(link))


if __name__ == "__main__":
    support.main()
