"""Just enough of an OAuth client to try providers with, and to be somebody else's client."""
import base64
import hashlib
import json
import secrets
import urllib.parse

from oauth_browser import Browser

BACK = "http://127.0.0.1:1/callback"  # nobody listens: the client reads the address itself


class Client:
    """Believes what it is told."""

    def __init__(self, issuer, scope="openid chat:write", back=BACK):
        self.issuer, self.scope, self.back = issuer, scope, back
        self.browser = Browser("the client itself")

    def post(self, path, **form):
        return self.browser.visit(self.issuer + path, {"client_id": "native", **form})

    def authorization_url(self, **extra):
        self.verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        return f"{self.issuer}/auth?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": "native", "redirect_uri": self.back, "scope": self.scope,
            "state": "of-this-session", "code_challenge": challenge, "code_challenge_method": "S256", **extra})

    def exchange(self, code):
        return self.post("/token", grant_type="authorization_code", code=code, redirect_uri=self.back,
                         code_verifier=self.verifier)

    def refresh(self, token):
        return self.post("/token", grant_type="refresh_token", refresh_token=token)

    def code(self, login="alice"):
        return parameters(Browser(login).authorize(self.authorization_url()))["code"]

    def tokens(self, login="alice"):
        return json.loads(self.exchange(self.code(login)).body)

    def is_active(self, token):
        return json.loads(self.post("/token/introspection", token=token).body)["active"]


def parameters(address):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


def read(page):
    return page.status, json.loads(page.body)
