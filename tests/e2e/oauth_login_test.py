"""`gdn auth` with a real provider: people who sign in, tokens that are renewed and revoked, devices, Slack."""
import socket
import unittest

import support
from oauth_support import OAuthTest
import oauth_faults as faults
from fake_slack_oauth import CLIENT_ID, CLIENT_SECRET, FakeSlackOAuth
from oauth_browser import Browser
from oauth_client import Client, parameters


class LoginTest(OAuthTest):
    def test_a_person_signs_in(self):  # REQ: OAUTH-6
        login = self.login()
        asked = parameters(login.url)
        self.assertEqual((asked["response_type"], asked["client_id"], asked["scope"], asked["code_challenge_method"]),
                         ("code", "native", "openid chat:write", "S256"))
        browser = Browser("alice")
        page = browser.visit(browser.authorize(login.url))
        done = self.finish(login)
        self.assertEqual((done.code, done.err), (0, ""))
        self.assertEqual(page.status, 200)
        self.assertEqual((page.headers["Referrer-Policy"], page.headers["Cache-Control"]), ("no-referrer", "no-store"))
        [grant] = self.grants()
        self.assertEqual((grant["app"], grant["subject"], sorted(grant["scopes"]), grant["state"]),
                         ("svc", "team", ["chat:write", "openid"], "valid"))
        self.assertEqual(self.world.provider.counts()["given"], {"authorization_code": 1})

    def test_endpoints_that_are_written_down(self):
        there = self.world.issuer
        self.write_apps(svc={"subjectMode": "user", "endpoints": {
            "authorizationUrl": there + "/auth", "tokenUrl": there + "/token", "jwksUrl": there + "/jwks"}})
        self.connect(subject="user=rig:user:alice")
        self.assertEqual(self.world.proxy.requests("/.well-known/openid-configuration"), [])
        self.assertEqual([grant["subject"] for grant in self.grants()], ["rig:user:alice"])

    def test_who_it_was_is_asked_where_no_id_token_comes(self):
        self.world.proxy.fault("/token", faults.edit(id_token=faults.REMOVED))
        self.write_apps(svc={"subjectMode": "user"})
        self.connect(subject="user=rig:user:alice")
        self.assertEqual(len(self.world.proxy.requests("/me")), 1)

    def test_a_client_with_a_secret(self):
        self.write({".env": "APP_SECRET=posting-secret-0123456789abcdef\n"})
        self.write_apps(svc={"client": {"clientId": {"value": "posting"},
                                        "clientSecret": {"valueFrom": {"env": "APP_SECRET"}}}})
        done = self.connect()
        self.assertEqual(len(self.grants()), 1)
        self.assertNotIn("posting-secret", done.out + done.err)

    def test_people_are_told_apart(self):
        self.write_apps(svc={"subjectMode": "user"})
        for person in ("alice", "bob"):
            self.connect(subject=f"user=rig:user:{person}", person=person)
        self.assertEqual(sorted(grant["subject"] for grant in self.grants()), ["rig:user:alice", "rig:user:bob"])

    def logout(self, app="svc", subject="global=team"):
        return self.gdn("auth", "logout", app, "--subject", subject, "--json")

    def test_logout_revokes(self):
        self.connect()
        tokens = self.exchanges()[0].reply.json
        client = Client(self.world.issuer)
        self.assertTrue(client.is_active(tokens["access_token"]))
        done = self.logout()
        self.assertEqual((done.code, done.json["revokedAtProvider"]), (0, True), done.err)
        self.assertEqual(self.grants(), [])
        self.assertFalse(client.is_active(tokens["access_token"]))
        self.assertIn("error", client.refresh(tokens["refresh_token"]).text)

    def test_logout_when_the_provider_cannot_be_reached(self):
        self.connect()
        self.world.proxy.fault("/token/revocation", faults.unavailable, times=None)
        self.assertEqual(self.logout().json["revokedAtProvider"], False)
        self.assertEqual(self.grants(), [])

    def test_rotate_key_keeps_the_grants(self):
        self.connect()
        before = self.grants()
        sealed = {path: path.read_bytes() for path in (self.state / "oauth").rglob("*") if path.is_file()}
        self.assertEqual(self.gdn("auth", "rotate-key").code, 0)
        self.assertEqual(self.grants(), before)
        self.assertFalse(any(path.exists() and path.stat().st_size > 64 and path.read_bytes() == data
                             for path, data in sealed.items()), "everything is sealed anew")

    def test_a_second_login_replaces_the_first(self):
        self.connect()
        self.connect()
        self.assertEqual(len(self.grants()), 1)

    def test_ctrl_c_leaves_nothing_pending(self):
        login = self.login()
        login.url
        done = login.give_up()
        self.assertNotEqual(done.code, 0)
        listed = self.listed()
        self.assertEqual((listed["grants"], listed["sessions"]), ([], []))

    def test_time_out(self):
        done = self.gdn("auth", "login", "svc", "--subject", "global=team", "--no-browser", "--timeout", "1")
        self.assertNotEqual(done.code, 0)
        self.assertEqual(self.listed()["sessions"], [])

    def test_a_port_that_another_program_has(self):
        with socket.create_server(("127.0.0.1", 0)) as another:
            port = another.getsockname()[1]
            self.write_apps(svc={"redirect": {"baseUrl": f"http://127.0.0.1:{port}", "callbackPath": "/callback"}})
            done = self.gdn("auth", "login", "svc", "--subject", "global=team", "--no-browser", "--timeout", "1")
        self.assertIn(f"another program listens on 127.0.0.1:{port}", done.err)

    def test_logout_without_a_revocation_endpoint(self):
        endpoints = {"authorizationUrl": self.world.issuer + "/auth", "tokenUrl": self.world.issuer + "/token"}
        self.write_apps(svc={"endpoints": endpoints, "issuer": None})
        login = self.login()
        browser = Browser("alice")
        back = faults.tampered(browser.authorize(login.url), faults.without("iss"))
        browser.visit(back)
        self.assertEqual(self.finish(login).code, 0)
        done = self.gdn("auth", "logout", "svc", "--json")
        self.assertEqual((done.code, done.json["revokedAtProvider"]), (0, False), done.err)
        self.assertEqual(self.grants(), [])

    def test_an_application_of_the_same_name(self):
        self.connect()
        self.write_apps(svc={"client": {"clientId": {"value": "another"}}})
        done = self.gdn("auth", "logout", "svc", "--json")
        self.assertEqual((done.code, done.json["revokedAtProvider"]), (0, False), done.err)
        self.assertEqual(self.world.proxy.requests("/token/revocation"), [])

    def test_what_cannot_be(self):
        cases = [("unknown application", ["auth", "login", "svcc", "--subject", "global=t"], "svc"),
                 ("no subject", ["auth", "login", "svc", "--no-browser", "--timeout", "1"], "subject"),
                 ("the other kind of subject", ["auth", "login", "svc", "--subject", "user=t"], "global"),
                 ("status of nobody", ["auth", "status", "svc", "--subject", "global=nobody"], "login"),
                 ("logout of nobody", ["auth", "logout", "svc", "--subject", "global=nobody"], "nobody")]
        for name, words, named in cases:
            with self.subTest(name):
                done = self.gdn(*words)
                self.assertNotEqual(done.code, 0)
                self.assertIn(named, done.err + done.out)


class DeviceTest(OAuthTest):
    def test_a_device_that_is_told_to_slow_down(self):  # REQ: OAUTH-8
        self.write_apps(svc={"flow": "deviceCode"})
        self.world.proxy.fault("/device/auth", faults.edit(interval=1))
        hold = self.world.proxy.fault("/token", faults.Hold(faults.error("slow_down")))
        login = self.login()
        hold.wait()
        Browser("alice").device(login.told["verificationUri"], login.told["userCode"])
        hold.release()
        self.assertEqual(self.finish(login).code, 0)
        self.assertEqual([grant["subject"] for grant in self.grants()], ["team"])
        first, second = self.world.proxy.requests("/token")
        self.assertGreaterEqual(second.at - first.at, 5, "slower than before, whatever the machine does")


class SlackTest(OAuthTest):
    def setUp(self):
        super().setUp()
        self.slack = FakeSlackOAuth().__enter__()
        self.addCleanup(self.slack.__exit__)
        self.write_apps(**{"slack-bot": {
            "provider": "slack", "issuer": None, "scopes": ["chat:write", "channels:read"],
            "client": {"clientId": {"value": CLIENT_ID}, "clientSecret": {"value": CLIENT_SECRET}},
            "endpoints": {"authorizationUrl": self.slack.url + "/oauth/v2/authorize",
                          "tokenUrl": self.slack.url + "/api/oauth.v2.access",
                          "revokeUrl": self.slack.url + "/api/auth.revoke"}}})

    def test_a_team(self):
        login = self.login("slack-bot", "global=slack:team:T111")
        browser = Browser()
        page = browser.visit(browser.visit(login.url).leads_to)
        done = self.finish(login)
        self.assertEqual((done.code, page.status), (0, 200), done.err)
        [grant] = self.grants()
        self.assertEqual((grant["subject"], sorted(grant["scopes"])),
                         ("slack:team:T111", ["channels:read", "chat:write"]))
        done = self.gdn("auth", "logout", "slack-bot", "--subject", "global=slack:team:T111")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(self.slack.tokens, {})

    def test_another_team(self):
        login = self.login("slack-bot", "global=slack:team:T222")
        browser = Browser()
        browser.visit(browser.visit(login.url).leads_to)
        self.assertNotEqual(self.finish(login).code, 0)
        self.assertEqual((self.grants(), self.slack.tokens), ([], {}))


if __name__ == "__main__":
    support.main()
