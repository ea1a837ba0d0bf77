"""What goes wrong between a provider and its client, as faults of an OAuthProxy."""
import base64
import json
import threading
import urllib.parse

from oauth_proxy import LONGEST_WAIT, Reply

REMOVED = object()  # a value for edit(): the field is not there
OVERSIZED = 3 * 1024 * 1024


def changed(fields, changes):
    return {name: value for name, value in {**fields, **changes}.items() if value is not REMOVED}


# Answers that are lost or late.

def cut(seen, forward):
    """The provider has done what was asked, and nobody hears of it."""
    forward()
    return None


def cut_before(seen, forward):
    """The provider never hears of it."""
    return None


class Hold:
    """Stops an answer on its way until release(): the provider's, or that of another fault. `arrived` is set once it is
    made."""

    def __init__(self, fault=None):
        self.fault = fault
        self.arrived, self.released = threading.Event(), threading.Event()

    def __call__(self, seen, forward):
        reply = self.fault(seen, forward) if self.fault else forward()
        self.arrived.set()
        self.released.wait(LONGEST_WAIT)
        return reply

    def wait(self):
        if not self.arrived.wait(LONGEST_WAIT):
            raise AssertionError("nobody asked")

    def release(self):
        self.released.set()


# Answers instead of the provider's.

def instead(body, status=200, headers=()):
    return lambda seen, forward: Reply(body, status, headers)


def error(code, status=400):
    return instead({"error": code}, status)


def unavailable(seen, forward):
    return Reply(b"<html>upstream is down</html>", 503, {"Content-Type": "text/html"})


def elsewhere(address, status):
    return instead(b"", status, {"Location": address})


# The provider's answers, changed.

def edit(**changes):
    """The JSON answer with other values of fields; errors are left as they are."""
    def fault(seen, forward):
        reply = forward()
        if reply.status >= 400:
            return reply
        return Reply(changed(reply.json, changes), reply.status)
    return fault


def of_type(content_type):
    return lambda seen, forward: forward().with_header("Content-Type", content_type)


def half(seen, forward):
    """The answer ends in its middle, though its length says it is whole."""
    reply = forward()
    return Reply(reply.body[:len(reply.body) // 2], reply.status, [("Content-Type", "application/json")])


def oversized(seen, forward):
    """The right answer with millions of bytes that nobody asked for."""
    return Reply({**forward().json, "padding": "x" * OVERSIZED})


def callback(change):
    """The way back to the client with `change` made to the parameters, a list of pairs."""
    def fault(seen, forward):
        reply = forward()
        place = reply.header("Location")
        if place is None or "state=" not in place:
            return reply  # still among the provider's own pages
        return reply.with_header("Location", tampered(place, change))
    return fault


def tampered(address, change):
    parts = urllib.parse.urlsplit(address)
    pairs = change(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(pairs)))


def without(*names):
    return lambda pairs: [(name, value) for name, value in pairs if name not in names]


def having(**values):
    """The parameters with these in the place of those of the same name."""
    return lambda pairs: [*without(*values)(pairs), *values.items()]


def also(**values):
    """The parameters with these besides, also where the name is there already."""
    return lambda pairs: [*pairs, *values.items()]


# Tokens that say who somebody is.

def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def claims_of(token):
    middle = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))


def id_token(make):
    """The answer with the id_token that make(token) gives."""
    def fault(seen, forward):
        reply = forward()
        if reply.status >= 400:
            return reply
        return Reply(changed(reply.json, {"id_token": make(reply.json["id_token"])}))
    return fault


def unsigned(token):
    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims_of(token))}."


def badly_signed(token):
    head, claims, signature = token.split(".")
    return ".".join([head, claims, ("B" if signature[0] == "A" else "A") + signature[1:]])


def resigned(sign, **changes):
    """Other claims, with the provider's own signature: `sign` is the provider's."""
    return lambda token: sign(changed(claims_of(token), changes))
