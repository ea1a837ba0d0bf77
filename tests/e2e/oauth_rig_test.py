"""The test rig by itself: a small client goes the ways of OAuth, and sees every fault that the proxy can make."""
import json
import secrets
import sys
import threading
import unittest
import urllib.parse
import urllib.request

import oauth_support
import oauth_faults as faults
from fake_slack_oauth import CLIENT_ID, CLIENT_SECRET, FakeSlackOAuth
from oauth_browser import Browser
from oauth_client import BACK, Client, parameters, read

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


class RigTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = oauth_support.World()
        cls.addClassCleanup(cls.world.close)

    def setUp(self):
        self.world.renew()
        self.client = Client(self.world.issuer)


class Flows(RigTest):
    def test_code_with_pkce(self):
        way = parameters(Browser("alice").authorize(self.client.authorization_url()))
        self.assertEqual((way["state"], way["iss"]), ("of-this-session", self.world.issuer))
        status, tokens = read(self.client.exchange(way["code"]))
        self.assertEqual((status, tokens["token_type"], tokens["scope"]), (200, "Bearer", "openid chat:write"))
        self.assertEqual(faults.claims_of(tokens["id_token"])["sub"], "alice")
        person = self.client.browser.visit(self.world.issuer + "/me",
                                           headers={"Authorization": f"Bearer {tokens['access_token']}"})
        self.assertEqual(read(person), (200, {"sub": "alice"}))
        self.assertEqual(self.world.provider.counts()["given"], {"authorization_code": 1})

    def test_wrong_verifier(self):
        code = self.client.code()
        self.client.verifier = secrets.token_urlsafe(32)
        self.assertEqual(read(self.client.exchange(code))[1]["error"], "invalid_grant")
        self.assertEqual(self.world.provider.counts()["refused"], {"authorization_code invalid_grant": 1})

    def test_refusal(self):
        way = parameters(Browser("alice").refuse(self.client.authorization_url()))
        self.assertEqual((way["error"], way["state"]), ("access_denied", "of-this-session"))

    def test_refresh_rotates_and_a_spent_token_ends_the_family(self):
        first = self.client.tokens()
        status, second = read(self.client.refresh(first["refresh_token"]))
        self.assertEqual(status, 200)
        self.assertNotEqual(first["refresh_token"], second["refresh_token"])
        self.assertTrue(self.client.is_active(second["access_token"]))
        self.assertEqual(read(self.client.refresh(first["refresh_token"]))[1]["error"], "invalid_grant")
        self.assertFalse(self.client.is_active(second["access_token"]))

    def test_settings(self):
        self.world.provider.set(accessTokenTtl=7, refreshTokens=False)
        tokens = self.client.tokens()
        self.assertEqual(tokens["expires_in"], 7)
        self.assertNotIn("refresh_token", tokens)
        self.world.provider.set(refreshTokens=True, rotate=False)
        kept = self.client.tokens()["refresh_token"]
        self.assertEqual(read(self.client.refresh(kept))[1]["refresh_token"], kept)

    def test_revocation(self):
        tokens = self.client.tokens()
        self.assertEqual(self.client.post("/token/revocation", token=tokens["refresh_token"]).status, 200)
        self.assertEqual(read(self.client.refresh(tokens["refresh_token"]))[1]["error"], "invalid_grant")
        self.assertEqual(self.world.provider.counts()["revocations"], 1)

    def test_resource_indicator(self):
        self.client.scope = "chat:write"
        address = self.client.authorization_url(resource="https://api.example/v1")
        code = parameters(Browser("alice").authorize(address))["code"]
        tokens = read(self.client.exchange(code))[1]
        shown = read(self.client.post("/token/introspection", token=tokens["access_token"]))[1]
        self.assertEqual((shown["aud"], shown["scope"]), ("https://api.example/v1", "chat:write"))

    def begin_device(self):
        return read(self.client.post("/device/auth", scope=self.client.scope))[1]

    def poll(self, begun):
        return read(self.client.post("/token", grant_type=DEVICE, device_code=begun["device_code"]))

    def test_device(self):
        begun = self.begin_device()
        self.assertEqual(self.poll(begun), (400, {**self.poll(begun)[1], "error": "authorization_pending"}))
        Browser("alice").device(begun["verification_uri"], begun["user_code"])
        status, tokens = self.poll(begun)
        self.assertEqual((status, faults.claims_of(tokens["id_token"])["sub"]), (200, "alice"))
        self.assertEqual(self.poll(begun)[1]["error"], "invalid_grant")

    def test_device_with_the_code_in_the_address(self):
        begun = self.begin_device()
        browser = Browser("alice")
        browser.fill(browser.settle(browser.visit(begun["verification_uri_complete"])))
        self.assertEqual(self.poll(begun)[0], 200)

    def test_device_refused(self):
        begun = self.begin_device()
        Browser("alice").refuse_device(begun["verification_uri"], begun["user_code"])
        self.assertEqual(self.poll(begun)[1]["error"], "access_denied")


class Faults(RigTest):
    def test_callback(self):
        wrong, both = "https://evil.example", (self.world.issuer, "https://evil.example")
        cases = [
            ("wrong iss", faults.having(iss=wrong), [wrong]),
            ("iss twice", faults.also(iss=wrong), list(both)),
            ("no iss", faults.without("iss"), []),
        ]
        for name, change, expected in cases:
            with self.subTest(name):
                self.world.proxy.fault("/auth/*", faults.callback(change), times=None)
                way = Browser("alice").authorize(self.client.authorization_url())
                pairs = urllib.parse.parse_qsl(urllib.parse.urlsplit(way).query)
                self.assertEqual([value for key, value in pairs if key == "iss"], expected)
                self.world.proxy.heal()

    def test_answers_of_the_token_endpoint(self):
        cases = [
            ("redirect", faults.elsewhere("http://127.0.0.1:9/", 302), lambda p: p.leads_to == "http://127.0.0.1:9/"),
            ("redirect that keeps the form", faults.elsewhere("/elsewhere", 307), lambda p: p.status == 307),
            ("ill", faults.unavailable, lambda p: p.status == 503),
            ("slow_down", faults.error("slow_down"), lambda p: read(p) == (400, {"error": "slow_down"})),
            ("malformed", faults.instead(b"{", headers={"Content-Type": "application/json"}), lambda p: p.body == b"{"),
            ("content type", faults.of_type("text/html"), lambda p: p.headers["Content-Type"] == "text/html"),
            ("half", faults.half, lambda p: p.body.startswith(b"{") and not p.body.endswith(b"}")),
            ("oversized", faults.oversized, lambda p: len(p.body) > faults.OVERSIZED),
            ("narrower", faults.edit(scope="openid"), lambda p: read(p)[1]["scope"] == "openid"),
            ("wider", faults.edit(scope="openid admin"), lambda p: read(p)[1]["scope"] == "openid admin"),
            ("one less", faults.edit(refresh_token=faults.REMOVED), lambda p: "refresh_token" not in read(p)[1]),
            *[(f"expires_in {value!r}", faults.edit(expires_in=value), lambda p, v=value: read(p)[1]["expires_in"] == v)
              for value in (0, -1, 10**18, "3600", None)],
        ]
        for name, fault, is_seen in cases:
            with self.subTest(name):
                code = self.client.code()
                self.world.proxy.fault("/token", fault, grant_type="authorization_code")
                self.assertTrue(is_seen(self.client.exchange(code)))

    def test_id_tokens(self):
        sign = self.world.provider.sign
        cases = [
            ("alg none", faults.unsigned, lambda token: token.endswith(".")),
            ("bad signature", faults.badly_signed, lambda token: faults.claims_of(token)["sub"] == "alice"),
            ("wrong aud", faults.resigned(sign, aud="somebody"), lambda t: faults.claims_of(t)["aud"] == "somebody"),
            ("old exp", faults.resigned(sign, exp=1), lambda token: faults.claims_of(token)["exp"] == 1),
            ("other sub", faults.resigned(sign, sub="mallory"), lambda t: faults.claims_of(t)["sub"] == "mallory"),
            ("no nonce", faults.resigned(sign, nonce=faults.REMOVED), lambda t: "nonce" not in faults.claims_of(t)),
        ]
        for name, make, is_seen in cases:
            with self.subTest(name):
                self.world.proxy.fault("/token", faults.id_token(make))
                self.assertTrue(is_seen(self.client.tokens()["id_token"]))

    def test_lost_answer(self):
        tokens = self.client.tokens()
        self.world.proxy.fault("/token", faults.cut, grant_type="refresh_token")
        with self.assertRaises(OSError):
            self.client.refresh(tokens["refresh_token"])
        self.assertEqual(self.world.provider.given("refresh_token"), 1)
        self.assertEqual(read(self.client.refresh(tokens["refresh_token"]))[1]["error"], "invalid_grant")

    def test_lost_question(self):
        tokens = self.client.tokens()
        self.world.proxy.fault("/token", faults.cut_before, grant_type="refresh_token")
        with self.assertRaises(OSError):
            self.client.refresh(tokens["refresh_token"])
        self.assertEqual(read(self.client.refresh(tokens["refresh_token"]))[0], 200)

    def test_hold(self):
        tokens = self.client.tokens()
        hold = self.world.proxy.fault("/token", faults.Hold(), grant_type="refresh_token")
        answers = []
        asking = threading.Thread(target=lambda: answers.append(self.client.refresh(tokens["refresh_token"]).status))
        asking.start()
        hold.wait()
        self.assertEqual((answers, self.world.provider.given("refresh_token")), ([], 1))
        hold.release()
        asking.join()
        self.assertEqual(answers, [200])

    def test_times(self):
        self.world.proxy.fault("/token", faults.error("slow_down"), times=2)
        statuses = [read(self.client.refresh("none"))[1]["error"] for _ in range(3)]
        self.assertEqual(statuses, ["slow_down", "slow_down", "invalid_grant"])
        self.assertEqual(len(self.world.proxy.requests("/token", grant_type="refresh_token")), 3)

    def test_device_interval_and_metadata(self):
        self.world.proxy.fault("/device/auth", faults.edit(interval=1))
        self.assertEqual(read(self.client.post("/device/auth", scope="openid"))[1]["interval"], 1)
        where = "/.well-known/openid-configuration"
        evil = {"issuer": "https://evil.example", "token_endpoint": "http://169.254.169.254/"}
        self.world.proxy.fault(where, faults.edit(**evil))
        told = read(self.client.browser.visit(self.world.issuer + where))[1]
        self.assertEqual((told["issuer"], told["token_endpoint"]), ("https://evil.example", "http://169.254.169.254/"))
        told = read(self.client.browser.visit(self.world.issuer + where))[1]
        self.assertEqual((told["issuer"], told["token_endpoint"]), (self.world.issuer, self.world.issuer + "/token"))


class Slack(unittest.TestCase):
    def code(self, slack, **extra):
        query = urllib.parse.urlencode({"client_id": CLIENT_ID, "redirect_uri": BACK, "state": "s",
                                        "scope": "chat:write,channels:read", **extra})
        return parameters(Browser().visit(f"{slack.url}/oauth/v2/authorize?{query}").leads_to)["code"]

    def access(self, slack, **form):
        form = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": BACK, **form}
        return read(Browser().visit(f"{slack.url}/api/oauth.v2.access", form))

    def call(self, slack, method, token):
        return read(Browser().visit(f"{slack.url}/api/{method}", {}, {"Authorization": f"Bearer {token}"}))[1]

    def post(self, slack, token):
        """chat.postMessage, which takes JSON."""
        request = urllib.request.Request(f"{slack.url}/api/chat.postMessage",
                                         json.dumps({"channel": "C01GENERAL", "text": "hello"}).encode(),
                                         {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return json.load(answer)

    def test_a_token_and_its_end(self):
        with FakeSlackOAuth() as slack:
            status, got = self.access(slack, code=self.code(slack))
            self.assertEqual((status, got["ok"], got["scope"], got["authed_user"], got["team"]["id"]),
                             (200, True, "chat:write,channels:read", {"id": "U234567"}, "T111"))
            self.assertEqual(self.call(slack, "auth.test", got["access_token"])["team_id"], "T111")
            self.assertTrue(self.post(slack, got["access_token"])["ok"])
            self.assertEqual(self.post(slack, "another")["error"], "invalid_auth")
            self.assertTrue(self.call(slack, "auth.revoke", got["access_token"])["revoked"])
            self.assertEqual(self.call(slack, "auth.test", got["access_token"])["error"], "invalid_auth")

    def test_failures_come_with_200(self):
        with FakeSlackOAuth() as slack:
            self.assertEqual(self.access(slack, code="unknown"), (200, {"ok": False, "error": "invalid_code"}))
            refused = self.access(slack, code=self.code(slack), client_secret="wrong")
            self.assertEqual(refused, (200, {"ok": False, "error": "bad_client_secret"}))
            refused = self.access(slack, code=self.code(slack, code_challenge="x"), code_verifier="y")
            self.assertEqual(refused[1]["error"], "invalid_code_verifier")

    def test_rotation_and_users(self):
        with FakeSlackOAuth(rotation=True) as slack:
            got = self.access(slack, code=self.code(slack, user_scope="files:read"))[1]
            self.assertTrue(got["authed_user"]["access_token"].startswith("xoxe.xoxp-"))
            again = self.access(slack, grant_type="refresh_token", refresh_token=got["refresh_token"])[1]
            self.assertEqual((again["ok"], again["expires_in"]), (True, 43200))
            self.assertEqual(self.call(slack, "auth.test", got["access_token"])["error"], "invalid_auth")
            self.assertTrue(self.call(slack, "auth.test", again["access_token"])["ok"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
