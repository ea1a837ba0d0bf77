"""The attacks on an OAuth client, against `gdn auth login` with a real provider: none ends with a grant.

Where each of them is tried ("here": in this file):

 1 state missing, unknown, reused, of another app   here; expired: {1}
 2 two callbacks at once                            here
 3 session completed, failed                        here; expired: {3}
 4 code of another session                          here
 5 iss missing, wrong, twice                        here
 6 error with and without state                     here
 7 another person's sub                             here
 8 id_token unsigned, for others, forged, old       here
 9 scope narrower, wider                            here
10 scopes that the application does not have        here
11 token endpoint that redirects                    here
12 metadata that leads elsewhere                    here
"""
import socket
import threading
import time
import unittest
import urllib.parse

import support
from oauth_support import LONGEST_WAIT, OAuthTest
import oauth_faults as faults
from oauth_browser import Browser
from oauth_client import Client, parameters


class AttackTest(OAuthTest):
    def assert_no_grant(self):
        self.assertEqual(self.grants(), [])

    def assert_refused(self, login):
        """The login ends by itself, without a grant, and says why."""
        done = self.finish(login)
        self.assertNotEqual(done.code, 0, done.out)
        self.assertTrue(done.err or done.result["message"])
        self.assert_no_grant()
        return done

    def assert_ignored(self, login):
        """The login goes on, and ends well for the person it is for."""
        self.assertEqual(self.exchanges(), [])
        self.assert_no_grant()
        self.complete(login)

    def complete(self, login):
        browser = Browser("alice")
        page = browser.visit(browser.authorize(login.url))
        done = self.finish(login)
        self.assertEqual((page.status, done.code), (200, 0), page.text + done.err)
        self.assertEqual(len(self.grants()), 1)

    def deliver(self, login, change, person="alice"):
        """The way back with its parameters changed."""
        browser = Browser(person)
        return browser.visit(faults.tampered(browser.authorize(login.url), change))


class State(AttackTest):
    def test_1_missing_or_unknown(self):  # REQ: OAUTH-6
        cases = [("missing", faults.without("state")), ("empty", faults.having(state="")),
                 ("unknown", faults.having(state="A" * 43)),
                 ("twice", faults.also(state="A" * 43))]
        for name, change in cases:
            with self.subTest(name):
                self.setUp()
                login = self.login()
                self.assertGreaterEqual(self.deliver(login, change).status, 400)
                self.assert_ignored(login)

    def test_1_3_reused_after_the_session_is_completed(self):
        login = self.login()
        browser = Browser("alice")
        way = browser.authorize(login.url)
        browser.visit(way)
        self.assertEqual(self.finish(login).code, 0)
        before = self.grants()
        later = self.login(subject="global=another")
        query = urllib.parse.urlsplit(way).query
        self.assertGreaterEqual(browser.visit(f"{later.back}?{query}").status, 400)
        self.assertEqual(len(self.exchanges()), 1)
        self.assertEqual(self.grants(), before)
        later.give_up()
        self.assertEqual(self.grants(), before)

    def test_3_the_session_has_failed(self):
        failed = self.login()
        self.deliver(failed, lambda pairs: [("error", "access_denied"), *faults.without("code")(pairs)])
        self.assert_refused(failed)
        later = self.login()
        code = Client(self.world.issuer, back=later.back).code()
        query = urllib.parse.urlencode({"state": failed.state, "code": code, "iss": self.world.issuer})
        self.assertGreaterEqual(Browser().visit(f"{later.back}?{query}").status, 400)
        self.assert_ignored(later)

    def test_1_of_another_application(self):
        self.write_apps(svc={}, other={"redirect": {"callbackPath": "/other/callback"}})
        mine, other = self.login(), self.login("other")
        browser = Browser("alice")
        query = urllib.parse.urlsplit(browser.authorize(other.url)).query
        self.assertGreaterEqual(browser.visit(f"{mine.back}?{query}").status, 400)
        self.assertEqual(self.exchanges(), [])
        self.assert_no_grant()
        mine.give_up()
        other.give_up()
        self.assert_no_grant()

    def test_2_two_callbacks_at_once(self):
        login = self.login()
        browser = Browser("alice")
        way = browser.authorize(login.url)
        hold = self.world.proxy.fault("/token", faults.Hold())
        statuses = []
        both = [threading.Thread(target=lambda: statuses.append(Browser().visit(way).status)) for _ in range(2)]
        for one in both:
            one.start()
        hold.wait()
        hold.release()
        for one in both:
            one.join(LONGEST_WAIT)
        self.assertEqual(self.finish(login).code, 0)
        self.assertEqual(len(self.exchanges()), 1)
        self.assertEqual(len(self.grants()), 1)
        self.assertEqual(sum(status == 200 for status in statuses), 1, statuses)


class Callback(AttackTest):
    def test_4_code_of_another_session(self):
        login = self.login()
        foreign = Client(self.world.issuer, back=login.back).code("mallory")
        self.deliver(login, faults.having(code=foreign))
        self.assert_refused(login)
        self.assertEqual(self.world.provider.counts()["refused"], {"authorization_code invalid_grant": 1})

    def test_5_issuer(self):
        wrong = {"iss": "https://evil.example"}
        cases = [("missing", faults.without("iss")), ("wrong", faults.having(**wrong)), ("twice", faults.also(**wrong)),
                 ("with a slash", faults.having(iss=self.world.issuer + "/")), ("empty", faults.having(iss=""))]
        for name, change in cases:
            with self.subTest(name):
                self.setUp()
                login = self.login()
                self.deliver(login, change)
                self.give_up_or_refused(login)

    def give_up_or_refused(self, login):
        """Whether such a callback ends the session is not the question: no code is exchanged."""
        done = login.give_up()
        self.assertNotEqual(done.code, 0)
        self.assertEqual(self.exchanges(), [])
        self.assert_no_grant()

    def test_6_error_with_state(self):
        login = self.login()
        browser = Browser("alice")
        page = browser.visit(browser.refuse(login.url))
        self.assertNotIn(login.state, page.text)
        self.assert_refused(login)
        self.assertEqual(self.exchanges(), [])

    def test_6_error_without_state(self):
        login = self.login()
        self.assertGreaterEqual(Browser().visit(f"{login.back}?error=access_denied").status, 400)
        self.assert_ignored(login)


class Answers(AttackTest):
    def exchange_with(self, fault, app="svc", subject="global=team", person="alice"):
        """A login whose code is exchanged for a false answer."""
        self.world.proxy.fault("/token", fault, grant_type="authorization_code")
        login = self.login(app, subject)
        browser = Browser(person)
        browser.visit(browser.authorize(login.url))
        return login

    def test_7_another_person(self):  # REQ: OAUTH-6
        self.write_apps(svc={"subjectMode": "user"})
        login = self.login(subject="user=rig:user:alice")
        browser = Browser("mallory")
        browser.visit(browser.authorize(login.url))
        self.assert_refused(login)
        self.assertGreaterEqual(self.world.provider.counts()["revocations"], 1)
        tokens = self.exchanges()[0].reply.json
        self.assertFalse(Client(self.world.issuer).is_active(tokens["access_token"]))

    def test_8_id_tokens(self):
        sign = self.world.provider.sign
        now = int(time.time())
        cases = [
            ("unsigned", faults.unsigned),
            ("forged", faults.badly_signed),
            ("for others", faults.resigned(sign, aud="somebody")),
            ("for us and others, meant for them", faults.resigned(sign, aud=["native", "x"], azp="x")),
            ("old", faults.resigned(sign, exp=now - 3600, iat=now - 7200)),
            ("of another issuer", faults.resigned(sign, iss="https://evil.example")),
            ("of another session", faults.resigned(sign, nonce="another")),
            ("without nonce", faults.resigned(sign, nonce=faults.REMOVED)),
            ("of nobody", faults.resigned(sign, sub=faults.REMOVED)),
            ("of another person", faults.resigned(sign, sub="mallory")),
            ("no token at all", lambda token: "x.y.z"),
            ("a secret as its key", lambda token: sign(faults.claims_of(token), alg="HS256")),
        ]
        for name, make in cases:
            with self.subTest(name):
                self.setUp()
                self.write_apps(svc={"subjectMode": "user"})
                self.assert_refused(self.exchange_with(faults.id_token(make), subject="user=rig:user:alice"))

    def test_9_scopes(self):
        cases = [("narrower", "openid", ["openid"]), ("wider", "openid chat:write admin", ["chat:write", "openid"])]
        for name, scope, expected in cases:
            with self.subTest(name):
                self.setUp()
                self.assertEqual(self.finish(self.exchange_with(faults.edit(scope=scope))).code, 0)
                self.assertEqual(sorted(self.grants()[0]["scopes"]), expected)

    def test_10_scopes_that_the_application_does_not_have(self):  # REQ: OAUTH-3
        login = self.login("svc", "global=team", "--scope", "files:write")
        self.assertIsNone(login.told)
        self.assertIn("files:write", self.assert_refused(login).err)
        self.assertEqual(self.world.proxy.seen, [])

    def test_11_redirects_are_not_followed(self):
        for status in (301, 302, 303, 307, 308):
            with self.subTest(status):
                self.setUp()
                self.assert_refused(self.exchange_with(faults.elsewhere(self.world.issuer + "/elsewhere", status)))
                self.assertEqual(self.world.proxy.requests("/elsewhere"), [])

    def test_12_metadata_that_leads_elsewhere(self):
        cases = [
            ("other issuer", {"issuer": "https://evil.example"}),
            ("issuer with a slash", {"issuer": self.world.issuer + "/"}),
            ("metadata service", {"token_endpoint": "http://169.254.169.254/latest/meta-data"}),
            ("without TLS", {"token_endpoint": "http://token.example/"}),
            ("no address", {"authorization_endpoint": "javascript:alert(1)"}),
            ("no S256", {"code_challenge_methods_supported": ["plain"]}),
            ("no PKCE", {"code_challenge_methods_supported": faults.REMOVED}),
        ]
        for name, changes in cases:
            with self.subTest(name):
                self.setUp()
                self.world.proxy.fault("/.well-known/*", faults.edit(**changes), times=None)
                login = self.login()
                self.assertIsNone(login.told)
                self.assert_refused(login)

    def test_answers_that_are_none(self):
        cases = [("cut", faults.cut), ("half", faults.half), ("oversized", faults.oversized),
                 ("not JSON", faults.of_type("text/html")), ("ill", faults.unavailable),
                 ("list", faults.instead(["access_token"])),
                 ("no token", faults.edit(access_token=faults.REMOVED)),
                 ("empty token", faults.edit(access_token="")),
                 ("token of two lines", faults.edit(access_token="a\r\nX-Evil: 1")),
                 ("token that is none", faults.edit(access_token=7)),
                 ("other type", faults.edit(token_type="mac"))]
        for name, fault in cases:
            with self.subTest(name):
                self.setUp()
                self.assert_refused(self.exchange_with(fault))
                self.assertEqual(len(self.exchanges()), 1, "a code is used once")


class Device(AttackTest):
    def device(self, *faults_at_token, interval=1):
        self.write_apps(svc={"flow": "deviceCode"})
        self.world.proxy.fault("/device/auth", faults.edit(interval=interval))
        for fault in faults_at_token:
            self.world.proxy.fault("/token", fault)
        return self.login()

    def test_19_refused(self):  # REQ: OAUTH-8
        login = self.device()
        Browser("alice").refuse_device(login.told["verificationUri"], login.told["userCode"])
        self.assert_refused(login)

    def test_19_expired(self):
        login = self.device(faults.error("authorization_pending"), faults.error("expired_token"))
        self.assert_refused(login)
        self.assertEqual(len(self.world.proxy.requests("/token")), 2)

    def test_19_device_code_is_not_told(self):
        login = self.device(faults.error("access_denied"))
        done = self.assert_refused(login)
        secret = self.world.proxy.requests("/device/auth")[0].reply.json["device_code"]
        self.assertNotIn(secret, done.out + done.err)


class Listener(AttackTest):
    def raw(self, login, text):
        """The status of an answer to what is sent."""
        address = urllib.parse.urlsplit(login.back)
        with socket.create_connection((address.hostname, address.port), timeout=LONGEST_WAIT) as connection:
            connection.sendall(text.replace("\n", "\r\n").encode())
            return int(connection.recv(65536).split(b" ", 2)[1])

    def test_26_answers_only_what_it_is_for(self):
        login = self.login()
        host = urllib.parse.urlsplit(login.back).netloc
        way = urllib.parse.urlsplit(Browser("alice").authorize(login.url))
        good = f"{way.path}?{way.query}"
        cases = [
            ("another path", f"GET /{way.query} HTTP/1.1\nHost: {host}\n\n"),
            ("a longer path", f"GET {way.path}/more?{way.query} HTTP/1.1\nHost: {host}\n\n"),
            ("POST", f"POST {good} HTTP/1.1\nHost: {host}\nContent-Length: 0\n\n"),
            ("HEAD", f"HEAD {good} HTTP/1.1\nHost: {host}\n\n"),
            ("another host", f"GET {good} HTTP/1.1\nHost: evil.example\n\n"),
            ("another port", f"GET {good} HTTP/1.1\nHost: 127.0.0.1:1\n\n"),
            ("localhost", f"GET {good} HTTP/1.1\nHost: localhost:{way.port}\n\n"),
            ("no host", f"GET {good} HTTP/1.1\n\n"),
            ("two hosts", f"GET {good} HTTP/1.1\nHost: {host}\nHost: evil.example\n\n"),
            ("no HTTP", "nonsense\n\n"),
        ]
        for name, text in cases:
            with self.subTest(name):
                status = self.raw(login, text)
                self.assertTrue(400 <= status < 500, status)
        self.assert_ignored(login)

    def test_26_many_connections(self):
        login = self.login()
        address = urllib.parse.urlsplit(login.back)
        idle = [socket.create_connection((address.hostname, address.port), timeout=LONGEST_WAIT) for _ in range(100)]
        try:
            self.complete(login)
        finally:
            for one in idle:
                one.close()

    def test_26_nobody_listens_afterwards(self):
        login = self.login()
        self.complete(login)
        address = urllib.parse.urlsplit(login.back)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection((address.hostname, address.port), timeout=LONGEST_WAIT)


class Secrets(AttackTest):
    def test_27_the_link_holds_no_verifier(self):
        login = self.login()
        self.complete(login)
        form = self.exchanges()[0].form
        asked = parameters(login.url)
        self.assertNotIn(form["code_verifier"], login.url)
        self.assertEqual(asked["code_challenge_method"], "S256")
        self.assertGreaterEqual(len(form["code_verifier"]), 43)
        self.assertGreaterEqual(len(asked["state"]), 22, "128 bits at least")
        self.assertTrue(asked["redirect_uri"].startswith("http://127.0.0.1:"))

    def test_25_no_secret_is_left_anywhere(self):  # REQ: OAUTH-7
        login = self.login()
        browser = Browser("alice")
        page = browser.visit(browser.authorize(login.url))
        self.finish(login)
        self.assertEqual(self.gdn("auth", "status", "svc").code, 0)
        self.listed()
        self.assertEqual(self.gdn("auth", "rotate-key").code, 0)
        form, tokens = self.exchanges()[0].form, self.exchanges()[0].reply.json
        kept = [form["code"], form["code_verifier"], *(tokens[name] for name in
                                                       ("access_token", "refresh_token", "id_token"))]
        files = [path for path in self.state.rglob("*") if path.is_file()]
        self.assertTrue(files)
        on_disk = b"".join(path.read_bytes() + str(path).encode() for path in files)
        for secret in kept:
            for form_of_it in (secret, secret.encode().hex(), urllib.parse.quote(secret, "")):
                self.assertNotIn(form_of_it.encode(), on_disk)
                self.assertNotIn(form_of_it, page.text)
                self.assertNotIn(form_of_it, "".join(self.said))
        self.assertNotIn(login.state.encode(), on_disk)
        self.assertNotIn(b"alice", on_disk)
        for path in (self.state / "oauth").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)


if __name__ == "__main__":
    support.main()
