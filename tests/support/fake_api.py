"""What the pretended messaging services share: an HTTP server on loopback that keeps a log of requests.

Used from tests (`with FakeSlack() as slack:`) and from a shell (`python3 fake_slack.py --port 8085`).
"""
import http.server
import json
import threading
import urllib.parse


class Reply:
    """An answer: JSON unless `body` is bytes."""

    def __init__(self, body, status=200, headers=None):
        self.status = status
        self.headers = dict(headers or {})
        if isinstance(body, bytes):
            self.body = body
        else:
            self.body = json.dumps(body).encode()
            self.headers.setdefault("Content-Type", "application/json")


class Seen:
    """A request as it came."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class FakeApi:
    """A service. Subclasses answer in `handle(seen)`, which runs under a lock."""

    def __init__(self, port=0):
        self.seen = []
        self.limits = []  # seconds to wait, one for each of the next requests
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_GET(self):
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                seen = Seen(self.command, self.path, headers, self.rfile.read(length))
                try:
                    self.answer(outer.answer(seen))
                except (BrokenPipeError, ConnectionResetError):
                    pass

            do_POST = do_GET

            def answer(self, reply):
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args):
                pass

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"

    def answer(self, seen):
        with self.lock:
            path, _, query = seen.path.partition("?")
            if path == "/_fake/limit":
                return self.order_limits(urllib.parse.parse_qs(query))
            self.seen.append(seen)
            return self.handle(seen)

    def order_limits(self, query):
        """`/_fake/limit?seconds=1&count=2`: the next two requests are refused for now."""
        count = int(query.get("count", ["1"])[0])
        self.limits += [int(query.get("seconds", ["1"])[0])] * count
        return Reply({"ok": True})

    def handle(self, seen):
        raise NotImplementedError

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *args):
        self.server.shutdown()
        self.server.server_close()

    def serve_forever(self):
        print(f"listening on {self.url}", flush=True)
        try:
            self.server.serve_forever()
        except KeyboardInterrupt:
            self.server.server_close()
