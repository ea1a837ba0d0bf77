"""Twelve secrets of OAuth, all of which pass through an agent, a device and the command line, and through a tool that
tells them in every way it can. None of them may be found anywhere afterwards, in any form."""
import base64
import json
import pathlib
import urllib.parse

import npm_packages
import support
from oauth_agents_test import ALICE, OAuthAgentsTest
from oauth_support import OAUTH_VERSION
from swarm_support import document, swarm
import oauth_faults as faults
from fake_model import FakeModel, call_answer, text_answer
from oauth_browser import Browser
from oauth_client import parameters

CLIENT_SECRET = "posting-secret-0123456789abcdef"

# Tells its token in all forms, to all who listen.
TOOL = """
const forms = (t) => [t, Buffer.from(t).toString('base64'), Buffer.from(t).toString('base64url'),
                      Buffer.from(t).toString('hex'), encodeURIComponent(t), JSON.stringify(t)];
export const handlers = {
  'api.tell': async (ctx, input) => {
    const token = await ctx.oauth.getAccessToken({oauthAppRef: {kind: 'OAuthApp', name: input.app}});
    if (token.status !== 'ready') return token;
    const told = forms(token.accessToken);
    console.log('printed', ...told);
    console.error('printed', ...told);
    ctx.logger.info('logged', ...told);
    ctx.progress(1, 2, `progress ${told.join(' ')}`);
    ctx.events.emit('told', {told});
    if (input.fail) throw Object.assign(new Error(`thrown ${told.join(' ')}`), {code: told[0]});
    return {told, [told[0]]: 'as a key', text: `in a text: ${told.join(', ')}`};
  },
};
"""


class Canaries(OAuthAgentsTest):
    def swarm_with(self, model):
        def old(kind, name, spec):
            return json.dumps({"apiVersion": OAUTH_VERSION, "kind": kind, "metadata": {"name": name}, "spec": spec})
        code = self.app(subjectMode="user", client={"clientId": {"value": "posting"}, "clientSecret": {
            "valueFrom": {"env": "APP_SECRET"}}}, scopes=["openid", "offline_access", "chat:write"])
        export = {"name": "api.tell", "description": "tells", "parameters": {
            "type": "object", "properties": {"app": {"type": "string"}, "fail": {"type": "boolean"}}}}
        self.bundle_of(
            old("OAuthApp", "svc", code), old("OAuthApp", "tv", self.app(subjectMode="user", flow="deviceCode")),
            old("Tool", "api", {"runtime": "node", "entry": "./api.mjs", "exports": [export]}),
            document("Model", "m", {"provider": "openai", "model": "x", "endpoint": model.endpoint}),
            document("Agent", "a", {"modelConfig": {"modelRef": "Model/m"}, "tools": [{"ref": "Tool/api"}]}),
            swarm("a", ["a"]), files={"api.mjs": TOOL, ".env": f"APP_SECRET={CLIENT_SECRET}\n"})
        return self.orchestrator()

    def tell(self, app, **args):
        return call_answer(("c1", "api_tell", json.dumps({"app": app, **args})))

    def turn(self, runtime, model, app, **args):
        """What happens when the model lets the tool tell."""
        model.answers = [self.tell(app, **args), text_answer("told")]
        events, _ = runtime.turn("tell", auth=ALICE)
        return events

    def agreed(self, runtime, model, person):
        model.answers = [text_answer("good")]
        person()
        return runtime.owner.observe_until(lambda event: event["type"] == "turn.completed")

    def link(self, events):
        [required] = [event for event in events if event["type"] == "auth.required"]
        return required

    def test_none_of_twelve_secrets_is_found_anywhere(self):  # REQ: OAUTH-7
        self.world.provider.set(accessTokenTtl=100)  # less than what a token must have left
        self.world.proxy.fault("/device/auth", faults.edit(interval=1))
        model = FakeModel(text_answer("hello"))
        self.addCleanup(model.close)
        runtime = self.swarm_with(model)
        events = self.turn(runtime, model, "svc")
        link = self.link(events)["authorizationUrl"]
        browser = Browser("alice")
        events += self.agreed(runtime, model, lambda: browser.visit(browser.authorize(link)))
        self.world.provider.set(accessTokenTtl=3600)
        events += self.turn(runtime, model, "svc")  # the token is renewed first
        events += self.turn(runtime, model, "svc", fail=True)
        waits = self.turn(runtime, model, "tv")
        device = self.link(waits)
        events += waits + self.agreed(
            runtime, model, lambda: Browser("alice").device(device["verificationUri"], device["userCode"]))
        events += self.turn(runtime, model, "tv")
        self.limits_of(runtime)
        runtime.stop()

        proxy = self.world.proxy
        [exchange] = proxy.requests("/token", grant_type="authorization_code")
        [refresh] = proxy.requests("/token", grant_type="refresh_token")
        [started] = proxy.requests("/device/auth")
        granted = [one for one in proxy.requests("/token", grant_type="urn:ietf:params:oauth:grant-type:device_code")
                   if one.reply.json and "access_token" in one.reply.json][0]
        secrets = {
            "client secret": CLIENT_SECRET, "code": exchange.form["code"], "verifier": exchange.form["code_verifier"],
            "state": parameters(link)["state"], "nonce": parameters(link)["nonce"],
            "access token": exchange.reply.json["access_token"], "refresh token": exchange.reply.json["refresh_token"],
            "id token": exchange.reply.json["id_token"], "second access token": refresh.reply.json["access_token"],
            "second refresh token": refresh.reply.json["refresh_token"],
            "device code": started.reply.json["device_code"], "device's access token": granted.reply.json["access_token"]}
        self.assertEqual(len(set(secrets.values())), 12)
        places = self.places(events, model)
        self.assertIn(b"[redacted]", places["events"])
        for place, text in places.items():
            # A person must see the link, and it holds the state; beyond it the state is as secret as the rest.
            for shown in (link, json.dumps(link)[1:-1], link.replace("/", "\\/"), urllib.parse.quote(link, "")):
                text = text.replace(shown.encode(), b"(the link)")
            for name, secret in secrets.items():
                for form in self.forms(secret):
                    self.assertFalse(form in text, f"{name} in {place}: ...{text[max(0, text.find(form) - 80):][:80]}")

    @staticmethod
    def forms(secret):
        raw = secret.encode()
        encoded = [base64.b64encode(raw), base64.urlsafe_b64encode(raw)]
        return {raw, raw.hex().encode(), raw.hex().upper().encode(), urllib.parse.quote(secret, "").encode(),
                *(one.rstrip(b"=") for one in encoded)}

    def places(self, events, model):
        """Everything that is left, by where it is."""
        places = {"events": json.dumps(events).encode(), "model requests": json.dumps(model.requests).encode()}
        for path in self.state.rglob("*"):
            if path.is_file():
                places[str(path.relative_to(self.state))] = path.read_bytes()
        for words in (("logs",), ("logs", "--json"), ("trace",), ("trace", "--json"), ("trace", "--format", "otlp"), ("auth", "list"),
                      ("auth", "list", "--json"), ("auth", "status", "svc"), ("ps", "--json"), ("handles", "list")):
            where = ("--bundle", str(self.bundle)) if words[:2] == ("auth", "status") else ()
            done = self.gdn(*words, *where)
            places["gdn " + " ".join(words)] = (done.out + done.err).encode()
        self.assertGreater(len(places["gdn logs"]), 1000)
        self.assertTrue(any(name.endswith("state.db") for name in places))
        return places

    def limits_of(self, runtime):
        """No core file holds a secret, for there is none."""
        [here] = runtime.agents()
        [line] = [line for line in pathlib.Path(f"/proc/{here['pid']}/limits").read_text().splitlines()
                  if line.startswith("Max core file size")]
        self.assertEqual(line.split()[4:6], ["0", "0"], line)


if __name__ == "__main__":
    npm_packages.needed(npm_packages.NODE)
    support.main()
