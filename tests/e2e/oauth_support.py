"""What the tests with a real OAuth provider share: the provider behind its proxy, and bundles with an OAuthApp."""
import json
import pathlib
import subprocess
import sys
import urllib.request

import npm_packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from oauth_proxy import OAuthProxy  # noqa: E402  (the folder is known only now)

LONGEST_WAIT = 120


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
