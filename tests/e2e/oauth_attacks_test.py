"""The attacks on an OAuth client, against `gdn auth login` with a real provider: none ends with a grant.

Attacks have numbers, and tests are named after those they try:

 1 state missing, unknown, reused, expired, of another app       14 two processes at expiry
 2 two callbacks with one state at once                          15 the answer to a refresh is lost
 3 session completed, failed, expired                            16 killed between answer and record
 4 code of another session                                       17 refresh without a new refresh token
 5 iss missing, wrong, twice                                     18 expires_in 0, negative, huge, a text
 6 error with and without state                                  19 device: slow_down, expired, denied
 7 another person's tokens                                       20 full disk
 8 id_token unsigned, for others, forged, old                    21 records swapped
 9 scope narrower, wider                                         22 a bit changed
10 scopes that the app does not have                             23 an old record put back
11 token endpoint that redirects                                 24 key wrong, missing, readable
12 metadata that leads elsewhere                                 25 secrets in what is printed or on the disk
13 many callers at expiry                                        26 the listener on loopback
                                                                 27 the link holds no verifier

19 and 21 to 27 are in oauth_exposure_test.py, 13, 14 and 16 with agents in oauth_agents_test.py. What needs a clock, a
full disk or a kill at the right moment is tried in C++, see below.
"""
import pathlib
import re
import threading
import time
import unittest
import urllib.parse

import support
from oauth_support import ROOT, AttackTest, LONGEST_WAIT
import oauth_faults as faults
from oauth_browser import Browser
from oauth_client import Client
from oauth_proxy import OAuthProxy

IN_C_PLUS_PLUS = {
    1: "Attack1AnExpiredStateIsOfNoUse",
    12: "DoesNotLetAPublicIssuerPointToLoopback",
    13: "Attack13FiveHundredThreadsAtOneExpiredTokenRefreshItOnce",
    14: "Attack14EightProcessesAtOneExpiredTokenRefreshItOnce",
    15: "Attack15AnAnswerThatWasLostEndsInNewConsentNotInALoop",
    16: "Attack16KilledBetweenAnswerAndWriteTheStoreIsWholeAndNobodyAsksForEver",
    17: "Attack17WithoutANewRefreshTokenTheOldOneIsKept",
    18: "JudgesHowLongATokenLives",
    20: "Attack20OnAFullDiskNoTokenIsHandedOutAndTheOldRecordStays",
    26: "TenThousandConnectionsLeaveItUnharmed",
}


class Table(unittest.TestCase):
    def test_every_attack_is_tried(self):
        sources = "".join(path.read_text() for path in (ROOT / "src/oauth").rglob("*_test.cc"))
        tried = {number for number, name in IN_C_PLUS_PLUS.items() if f", {name})" in sources}
        self.assertEqual(tried, set(IN_C_PLUS_PLUS))
        for suite in pathlib.Path(__file__).parent.glob("oauth_*_test.py"):
            for numbers in re.findall(r"def test_((?:\d+_)+)", suite.read_text()):
                tried.update(int(number) for number in numbers.split("_")[:-1])
        self.assertEqual(sorted(tried), list(range(1, 28)))


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
        both = [threading.Thread(target=lambda: statuses.append(self.try_to_visit(way))) for _ in range(2)]
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

    def test_16_killed_between_the_answer_and_the_record(self):
        login = self.login()
        browser = Browser("alice")
        way = browser.authorize(login.url)
        hold = self.world.proxy.fault("/token", faults.Hold())
        visitor = threading.Thread(target=self.try_to_visit, args=[way])
        visitor.start()
        hold.wait()
        login.end()  # kill -9
        hold.release()
        visitor.join(LONGEST_WAIT)
        self.assert_no_grant()
        self.assertEqual(self.listed()["sessions"], [], "nobody can use its code again")
        self.connect()


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
        self.assertIn("E_CONFIG_SCOPE_NOT_ALLOWED", self.assert_refused(login).err)
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

    def test_12_metadata_that_leads_to_another_service_here(self):
        with OAuthProxy() as trap:
            self.world.proxy.fault("/.well-known/*", faults.edit(token_endpoint=trap.url + "/token"), times=None)
            login = self.login()
            if login.told:
                browser = Browser("alice")
                browser.visit(browser.authorize(login.url))
            self.assert_refused(login)
            self.assertEqual(trap.seen, [])

    def test_18_expiry_that_is_none(self):
        for value in ("3600", "soon", True, [3600], {}):
            with self.subTest(value):
                self.setUp()
                self.assert_refused(self.exchange_with(faults.edit(expires_in=value)))
        for value in (0, -1, -10**18, 10**18, 1e300):
            with self.subTest(value):
                self.setUp()
                self.finish(self.exchange_with(faults.edit(expires_in=value)))
                for grant in self.grants():
                    self.assertIn("expiresAt", grant, "a token that ends some time is not one that never does")

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


if __name__ == "__main__":
    support.main()
