"""Slack's OAuth as far as a client meets it: fake_slack.py with a page to agree on, codes, tokens and their end.

Scopes come with commas, users as `authed_user`, failures with status 200. `rotation` gives tokens that end and are
renewed. Who agrees is `person`, at once and without a page.
"""
import base64
import hashlib
import secrets
import urllib.parse

from fake_api import Reply
from fake_slack import FakeSlack

CLIENT_ID = "1111.2222"
CLIENT_SECRET = "slack-client-secret-0123456789"
TEAM = "T111"


class FakeSlackOAuth(FakeSlack):
    def __init__(self, rotation=False, port=0):
        super().__init__(port=port)
        self.rotation = rotation
        self.person = "U234567"
        self.team = TEAM
        self.codes = {}  # code -> what was asked for
        self.tokens = {}  # access token -> {scope, user, kind}
        self.refreshes = {}  # refresh token -> access token
        self.counts = {}

    def handle(self, seen):
        path = urllib.parse.urlsplit(seen.path).path
        if path == "/oauth/v2/authorize":
            return self.authorize(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(seen.path).query)))
        if path in ("/api/oauth.v2.access", "/api/auth.revoke", "/api/auth.test"):
            return Reply(getattr(self, "auth_" + path.rsplit(".", 1)[1])(seen))
        return super().handle(seen)

    def authorize(self, query):
        if query.get("client_id") != CLIENT_ID or not query.get("redirect_uri"):
            return Reply({"ok": False, "error": "invalid_client_id"})
        code = secrets.token_hex(16)
        self.codes[code] = {**query, "user": self.person}
        back = urllib.parse.urlencode({"code": code, **({"state": query["state"]} if "state" in query else {})})
        return Reply(b"", 302, {"Location": f"{query['redirect_uri']}?{back}"})

    # The calls that need no token, or end one.

    def auth_access(self, seen):
        form = dict(urllib.parse.parse_qsl(seen.body.decode()))
        kind = form.get("grant_type", "authorization_code")
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if not self.is_client(seen, form):
            return {"ok": False, "error": "bad_client_secret"}
        return self.refreshed(form) if kind == "refresh_token" else self.exchanged(form)

    def is_client(self, seen, form):
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        given = (form.get("client_id"), form.get("client_secret"))
        return seen.headers.get("authorization") == f"Basic {basic}" or given == (CLIENT_ID, CLIENT_SECRET)

    def exchanged(self, form):
        asked = self.codes.pop(form.get("code"), None)
        if asked is None:
            return {"ok": False, "error": "invalid_code"}
        if form.get("redirect_uri") != asked["redirect_uri"]:
            return {"ok": False, "error": "bad_redirect_uri"}
        if "code_challenge" in asked and challenge_of(form.get("code_verifier", "")) != asked["code_challenge"]:
            return {"ok": False, "error": "invalid_code_verifier"}
        user_scope = asked.get("user_scope", "")
        person = {"id": asked["user"]}
        if user_scope:
            person.update(scope=user_scope, **self.issue("user", user_scope, asked["user"]))
        bot = {"scope": asked["scope"], "bot_user_id": "U00BOT", **self.issue("bot", asked["scope"], asked["user"])} \
            if asked.get("scope") else {}
        return {"ok": True, "app_id": "A111", "authed_user": person, **bot,
                "team": {"id": self.team, "name": "Test"}, "enterprise": None, "is_enterprise_install": False}

    def issue(self, kind, scope, user):
        name = "xoxb" if kind == "bot" else "xoxp"
        token = f"{'xoxe.' if self.rotation else ''}{name}-1-{secrets.token_hex(24)}"
        self.tokens[token] = {"scope": scope, "user": user, "kind": kind}
        if not self.rotation:
            return {"access_token": token, "token_type": kind}
        refresh = f"xoxe-1-{secrets.token_hex(24)}"
        self.refreshes[refresh] = token
        return {"access_token": token, "token_type": kind, "refresh_token": refresh, "expires_in": 43200}

    def refreshed(self, form):
        old = self.refreshes.pop(form.get("refresh_token"), None)
        if old is None:
            return {"ok": False, "error": "invalid_refresh_token"}
        was = self.tokens.pop(old)
        return {"ok": True, "app_id": "A111", "scope": was["scope"], "bot_user_id": "U00BOT",
                "team": {"id": self.team, "name": "Test"}, "enterprise": None,
                **self.issue(was["kind"], was["scope"], was["user"])}

    def bearer(self, seen):
        scheme, _, token = seen.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer":
            token = dict(urllib.parse.parse_qsl(seen.body.decode())).get("token", "")
        return token

    def auth_revoke(self, seen):
        if self.tokens.pop(self.bearer(seen), None) is None:
            return {"ok": False, "error": "token_revoked"}
        return {"ok": True, "revoked": True}

    def auth_test(self, seen):
        known = self.tokens.get(self.bearer(seen))
        if known is None:
            return {"ok": False, "error": "invalid_auth"}
        return {"ok": True, "url": "https://test.slack.com/", "team": "Test", "team_id": self.team,
                "user_id": known["user"] if known["kind"] == "user" else "U00BOT"}

    # chat.postMessage and the others of fake_slack take the tokens of here.

    def authorized(self, seen):
        return self.bearer(seen) in self.tokens


def challenge_of(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
