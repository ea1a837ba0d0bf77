"""A proxy in front of an OAuth provider that does what providers do on bad days, and keeps a log of requests.

    proxy.fault("/token", cut, grant_type="refresh_token")      # the next refresh is done, and its answer is lost
    proxy.fault("/token", edit(expires_in=-1), times=None)      # from now on

A fault is called with the request and with `forward`, which asks the provider; it returns a Reply, or None to cut the
connection. The faults themselves are in oauth_faults.py.
"""
import http.client
import http.server
import json
import socket
import threading
import time
import urllib.parse

# Of one connection, or said anew.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade"}
LONGEST_WAIT = 120  # seconds; nothing here should come near it


class Seen:
    """A request as it came."""

    def __init__(self, method, target, headers, body):
        self.method, self.target, self.headers, self.body = method, target, headers, body
        parts = urllib.parse.urlsplit(target)
        self.path, self.query = parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.at = time.monotonic()
        self.form = {}
        self.reply = None  # what was answered, once it was; None also for a cut connection
        if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            self.form = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))

    def __repr__(self):
        return f"{self.method} {self.path} {self.form or self.query}"


class Reply:
    """An answer: JSON unless `body` is bytes."""

    def __init__(self, body=b"", status=200, headers=()):
        self.status = status
        self.headers = list(dict(headers).items()) if isinstance(headers, dict) else list(headers)
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        if not isinstance(body, bytes) and not self.header("content-type"):
            self.headers.append(("Content-Type", "application/json"))

    @property
    def json(self):
        return json.loads(self.body)

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def with_header(self, name, value):
        others = [(key, old) for key, old in self.headers if key.lower() != name.lower()]
        return Reply(self.body, self.status, [*others, (name, value)])


class Rule:
    def __init__(self, path, fault, times, form):
        self.path, self.fault, self.left, self.form = path, fault, times, form

    def takes(self, seen):
        """Whether this one is for the rule, which then has one less to do."""
        fits = (seen.path == self.path or (self.path.endswith("*") and seen.path.startswith(self.path[:-1])))
        if not fits or self.left == 0 or any(seen.form.get(name) != value for name, value in self.form.items()):
            return False
        if self.left is not None:
            self.left -= 1
        return True


def ask(port, seen):
    """What the server at the port says to the request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_WAIT)
    try:
        headers = {name: value for name, value in seen.headers.items() if name not in HOP_BY_HOP | {"accept-encoding"}}
        connection.request(seen.method, seen.target, seen.body or None, headers)
        answer = connection.getresponse()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
        return Reply(answer.read(), answer.status, kept)
    finally:
        connection.close()


class OAuthProxy:
    def __init__(self, target=None):
        self.target = target  # the provider's port; tests that have none answer all themselves
        self.rules = []
        self.seen = []
        self.changed = threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_GET(self):
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = outer.answer(Seen(self.command, self.path, headers, self.rfile.read(length)))
                try:
                    self.cut() if reply is None else self.send(reply)
                except OSError:
                    self.close_connection = True  # the other end did not wait

            do_POST = do_PUT = do_DELETE = do_HEAD = do_GET

            def cut(self):
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

            def send(self, reply):
                self.send_response_only(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *args):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def fault(self, path, fault, times=1, **form):
        """The next `times` requests for the path (all of them, if None) with these fields meet the fault."""
        with self.changed:
            self.rules.append(Rule(path, fault, times, form))
        return fault

    def heal(self):
        """No faults any more, and nothing seen."""
        with self.changed:
            self.rules, self.seen = [], []

    def answer(self, seen):
        with self.changed:
            self.seen.append(seen)
            self.changed.notify_all()
            rule = next((rule for rule in self.rules if rule.takes(seen)), None)

        def forward():
            return ask(self.target, seen) if self.target else Reply(b"", 404)

        seen.reply = rule.fault(seen, forward) if rule else forward()
        return seen.reply

    def requests(self, path, **form):
        with self.changed:
            return [seen for seen in self.seen if seen.path == path
                    and all(seen.form.get(name) == value for name, value in form.items())]

    def wait_for(self, path, count=1, **form):
        """The requests for the path, once there are `count` of them."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.requests(path, **form)) >= count, LONGEST_WAIT):
                raise AssertionError(f"no {count} requests for {path}, but {self.seen}")
            return self.requests(path, **form)

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
