"""What the tests with a real OAuth provider share: the provider behind its proxy, and bundles with an OAuthApp."""
import http.client
import json
import pathlib
import signal
import subprocess
import sys
import urllib.request

import npm_packages
import support

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

import oauth_client  # noqa: E402  (the folder is known only now)
import oauth_faults as faults  # noqa: E402
from oauth_browser import Browser  # noqa: E402
from oauth_proxy import OAuthProxy  # noqa: E402

LONGEST_WAIT = 120
OAUTH_VERSION = "agents.example.io/v1alpha1"


class Provider:
    """oidc-provider in a process of its own. What it gives and refuses is counted by `grant_type`."""

    def __init__(self, issuer=None, **settings):
        options = {"packages": str(npm_packages.NPM), "settings": settings, **({"issuer": issuer} if issuer else {})}
        script = ROOT / "tests/support/oidc/provider.mjs"
        self.process = subprocess.Popen([npm_packages.needed(npm_packages.NODE), script, json.dumps(options)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the provider does not start: {self.process.wait()}")
        self.port = json.loads(line)["port"]

    def ask(self, what, body=None):
        data = None if body is None else json.dumps(body).encode()
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{self.port}/_rig/{what}", data, timeout=LONGEST_WAIT) as answer:
            return json.load(answer)

    def counts(self):
        return self.ask("counts")

    def given(self, kind):
        return self.counts()["given"].get(kind, 0)

    def set(self, **settings):
        return self.ask("settings", settings)

    def sign(self, claims, **header):
        return self.ask("sign", {"claims": claims, "header": header})["token"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(LONGEST_WAIT)
        finally:
            self.process.kill()
            self.process.stdout.close()


class World:
    """A provider and the proxy in front of it, which is all that clients see."""

    def __init__(self, **settings):
        self.settings = settings
        self.proxy = OAuthProxy()
        self.provider = Provider(self.proxy.url, **settings)
        self.usual = self.provider.set()
        self.proxy.target = self.provider.port

    def renew(self):
        """As at the beginning, but for who is signed in where."""
        self.proxy.heal()
        self.provider.set(**self.usual)
        self.provider.ask("counts", {})

    @property
    def issuer(self):
        return self.proxy.url

    def close(self):
        self.proxy.close()
        self.provider.close()


class Login:
    """`gdn auth login` under way. It prints where to go, waits for the callback, and prints what came of it."""

    def __init__(self, command, environment, folder):
        self.process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        self.told = json.loads(line) if line else None  # None: it ended without a link
        self.first = line

    @property
    def url(self):
        if self.told is None:
            raise AssertionError(f"no link, but: {self.finish().err}")
        return self.told["authorizationUrl"]

    @property
    def back(self):
        """Where it waits for the callback."""
        return oauth_client.parameters(self.url)["redirect_uri"]

    @property
    def state(self):
        return oauth_client.parameters(self.url)["state"]

    def finish(self):
        """Waits for the end."""
        out, err = self.process.communicate(timeout=LONGEST_WAIT)
        return Finished(self.process.returncode, self.first + out.decode(), err.decode())

    def give_up(self):
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.finish()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Finished:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def result(self):
        return json.loads(self.out.splitlines()[-1])


class WithWorld:
    """For test cases: one provider for all tests of a class, as new for each."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.world = World()
        cls.addClassCleanup(cls.world.close)

    def setUp(self):
        super().setUp()
        self.world.renew()

    def app(self, **changes):
        """A spec. Endpoints are those that the issuer's metadata names; None leaves a field out."""
        spec = {"provider": "rig", "flow": "authorizationCode", "subjectMode": "global",
                "client": {"clientId": {"value": "native"}}, "issuer": self.world.issuer,
                "scopes": ["openid", "chat:write"], "redirect": {"callbackPath": "/callback"}, **changes}
        return {name: value for name, value in spec.items() if value is not None}


class OAuthTest(WithWorld, support.GdnTest):
    """A bundle with applications of the provider; every test has grants of its own."""

    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.said = []  # all that gdn has printed
        self.write_apps(svc={})

    def environment(self, **extra):
        return {**super().environment(**extra), "GOONDAN_STATE_ROOT": str(self.state)}

    def gdn(self, *words, **extra):
        done = super().gdn(*words, **extra)
        self.said += [done.out, done.err]
        return done

    def write_apps(self, **apps):
        documents = [json.dumps({"apiVersion": OAUTH_VERSION, "kind": "OAuthApp",
                                 "metadata": {"name": name}, "spec": self.app(**changes)})
                     for name, changes in apps.items()]
        self.write({"goondan.yaml": "\n---\n".join(documents) + "\n"})

    def login(self, app="svc", subject="global=team", *words):
        command = [str(support.GDN), "auth", "login", app, "--subject", subject, "--bundle", str(self.folder), "--json",
                   "--no-browser", "--timeout", str(LONGEST_WAIT), *words]
        login = Login(command, self.environment(), self.folder)
        self.addCleanup(login.end)
        return login

    def finish(self, login):
        done = login.finish()
        self.said += [done.out, done.err]
        return done

    def connect(self, app="svc", subject="global=team", person="alice"):
        """A whole login that succeeds."""
        login = self.login(app, subject)
        browser = Browser(person)
        page = browser.visit(browser.authorize(login.url))
        done = self.finish(login)
        self.assertEqual((done.code, page.status), (0, 200), done.out + done.err + page.text)
        return done

    def listed(self):
        done = self.gdn("auth", "list", "--json")
        self.assertEqual(done.code, 0, done.err)
        return done.json

    def grants(self):
        return self.listed()["grants"]

    def exchanges(self):
        return self.world.proxy.requests("/token", grant_type="authorization_code")


class AttackTest(OAuthTest):
    """An attack on a login: it ends without a grant, or does not matter."""

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

    @staticmethod
    def try_to_visit(address):
        """The status of the answer, if there is one: who listened may be gone."""
        try:
            return Browser().visit(address).status
        except (OSError, http.client.HTTPException):
            return None
