"""Web servers on every address, with a log of who was reached, and faults to choose by path."""
import collections
import gzip
import ipaddress
import json
import socket
import ssl
import struct
import threading
import urllib.parse
import zlib

Request = collections.namedtuple("Request", "address port method target headers body")
GIB = 1 << 30
NEVER = threading.Event()  # to wait for without burning time


class Servers:
    """Listens on all addresses, IPv4 and IPv6, at each of `ports`; 443 speaks TLS."""

    def __init__(self, ports, certificate):
        self.accepted = []  # (address the client wanted, port, port of the client)
        self.requests = []
        self._changed = threading.Condition()
        self._ports = ports
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate)
        for port in ports:
            listener = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=256)
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def forget(self):
        self.settle()
        self.accepted.clear()
        self.requests.clear()

    def settle(self):
        """Returns when every connection made until now is in the log: listeners accept in order."""
        for port in self._ports:
            with socket.create_connection(("93.184.216.1", port)) as probe:
                mark = ("93.184.216.1", port, probe.getsockname()[1])
                with self._changed:
                    if not self._changed.wait_for(lambda: mark in self.accepted, timeout=60):
                        raise RuntimeError(f"the listener at port {port} is stuck")
                    self.accepted.remove(mark)

    def reached(self):
        """All addresses and ports that were connected to."""
        self.settle()
        return {(address, port) for address, port, _ in self.accepted}

    def _accept(self, listener):
        while True:
            connection, peer = listener.accept()
            address, port = connection.getsockname()[:2]
            address = ipaddress.ip_address(address.split("%")[0])
            address = str(getattr(address, "ipv4_mapped", None) or address)
            with self._changed:
                self.accepted.append((address, port, peer[1]))
                self._changed.notify_all()
            threading.Thread(target=self._serve, args=(connection, address, port), daemon=True).start()

    def _serve(self, connection, address, port):
        try:
            if port == 443:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as stream:
                request = read_request(stream, address, port)
                if request is None:
                    return
                self.requests.append(request)
                answer(connection, request)
        except (OSError, ValueError):
            pass  # the client has gone, which is what many tests are about


def read_request(stream, address, port):
    line = stream.readline(65536).decode("latin-1").split()
    if len(line) != 3:
        return None
    headers = {}
    while (field := stream.readline(65536).strip()):
        name, _, value = field.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0))).decode("utf-8", "replace")
    return Request(address, port, line[0], line[1], headers, body)


def answer(connection, request):
    parts = urllib.parse.urlsplit(request.target)
    name = parts.path.strip("/").split("/")[0] or "ok"
    query = dict(urllib.parse.parse_qsl(parts.query))
    FAULTS.get(name, missing)(connection, request, query)


def reply(connection, body=b"", status="200 OK", headers=()):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    connection.sendall("\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + body)


def begin(connection, *headers):
    connection.sendall("\r\n".join(["HTTP/1.1 200 OK", "Connection: close", *headers]).encode() + b"\r\n\r\n")


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def missing(connection, request, query):
    reply(connection, b"no such page", "404 Not Found")


def ok(connection, request, query):
    reply(connection, b"fine")


def echo(connection, request, query):
    seen = {"method": request.method, "target": request.target, "headers": request.headers, "body": request.body}
    reply(connection, json.dumps(seen).encode(), headers=["Content-Type: application/json"])


def redirect(connection, request, query):
    reply(connection, b"moved", f"{query['status']} Moved", [f"Location: {query['to']}"])


def redirect_for_ever(connection, request, query):
    reply(connection, b"moved", "302 Moved", [f"Location: /redirect-for-ever?n={int(query.get('n', 0)) + 1}"])


def silent(connection, request, query):
    NEVER.wait()


def slow(connection, request, query):
    begin(connection, "Content-Length: 1000")
    while True:
        connection.sendall(b"x")
        NEVER.wait(1)


def slow_header(connection, request, query):
    for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000:
        connection.sendall(bytes([byte]))
        NEVER.wait(1)


def endless(connection, request, query):
    begin(connection, "Transfer-Encoding: chunked")
    while True:
        connection.sendall(chunk(b"e" * 16384))


def no_length(connection, request, query):
    begin(connection)
    connection.sendall(b"until the end" * 3)


def endless_no_length(connection, request, query):
    begin(connection)
    while True:
        connection.sendall(b"e" * 65536)


def bomb(connection, request, query):
    """10 GiB of zeros in about 10 MB of gzip, one block sent again and again."""
    piece = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = piece.compress(bytes(1 << 20)) + piece.flush(zlib.Z_FULL_FLUSH)
    begin(connection, "Content-Encoding: gzip", "Transfer-Encoding: chunked")
    connection.sendall(chunk(gzip.compress(b"")[:10]))
    for _ in range(10 * GIB >> 20):
        connection.sendall(chunk(block))
    connection.sendall(chunk(b"\3\0" + struct.pack("<II", 0, 0)) + chunk(b""))


def broken_gzip(connection, request, query):
    data = gzip.compress(b"hello" * 1000)
    reply(connection, data[:20] + b"broken" + data[26:], headers=["Content-Encoding: gzip"])


def twice_gzip(connection, request, query):
    data = gzip.compress(gzip.compress(b"twice"))
    reply(connection, data, headers=["Content-Encoding: gzip", "Content-Encoding: gzip"])


def brotli(connection, request, query):
    reply(connection, b"\x0b\x02\x80hello\x03", headers=["Content-Encoding: br"])


def large_header(connection, request, query):
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Large: ")
    for _ in range(160):
        connection.sendall(b"h" * 65536)
    connection.sendall(b"\r\nContent-Length: 0\r\n\r\n")


def many_headers(connection, request, query):
    begin(connection, *(f"X-{i}: {i}" for i in range(100_000)))


def reset(connection, request, query):
    begin(connection, "Content-Length: 1000")
    connection.sendall(b"x" * 10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def early_end(connection, request, query):
    begin(connection, "Content-Length: 1000")
    connection.sendall(b"x" * 10)


def bad_chunk(connection, request, query):
    begin(connection, "Transfer-Encoding: chunked")
    connection.sendall(chunk(b"good") + b"zz\r\nbad\r\n0\r\n\r\n")


def huge_chunk(connection, request, query):
    begin(connection, "Transfer-Encoding: chunked")
    connection.sendall(b"ffffffffffffffff\r\nx")
    NEVER.wait()


def two_lengths(connection, request, query):
    begin(connection, "Content-Length: 4", "Content-Length: 5")
    connection.sendall(b"abcde")


def not_http(connection, request, query):
    connection.sendall(b"220 mail.example ESMTP ready\r\n")


def nothing(connection, request, query):
    pass


def split_character(connection, request, query):
    reply(connection, "한글".encode() * 10 + b"\xff\xfe")


def header_bytes(connection, request, query):
    connection.sendall(b"HTTP/1.1 200 Caf\xe9\r\nX-Bytes: \xff\xfe\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


FAULTS = {function.__name__.replace("_", "-"): function for function in (
    ok, echo, redirect, redirect_for_ever, silent, slow, slow_header, endless, no_length, endless_no_length, bomb,
    broken_gzip, twice_gzip, brotli, large_header, many_headers, reset, early_end, bad_chunk, huge_chunk, two_lengths,
    not_http, nothing, split_character, header_bytes)}
