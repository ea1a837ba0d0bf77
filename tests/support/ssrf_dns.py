"""A small name server over UDP and TCP, with names that answer as attackers' do."""
import ipaddress
import socket
import struct
import threading

KINDS = {1: "A", 5: "CNAME", 28: "AAAA"}
NUMBERS = {kind: number for number, kind in KINDS.items()}
SILENT = "silent"
MAX_UDP_BYTES = 512
MAX_CHAIN = 16


class NameServer:
    """`zone` maps a name to {"A": [...], "AAAA": [...], "CNAME": name}, to `SILENT`, or to a function of
    the kind and of how often it was asked before, which returns a list of addresses."""

    def __init__(self, zone, address="127.0.0.1"):
        self.zone = zone
        self.asked = []  # (name, kind)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind((address, 53))
        self.tcp = socket.create_server((address, 53))
        for work in (self._serve_udp, self._serve_tcp):
            threading.Thread(target=work, daemon=True).start()

    def _serve_udp(self):
        while True:
            question, peer = self.udp.recvfrom(4096)
            answer = self._answer(question)
            if answer is None:
                continue
            if len(answer) > MAX_UDP_BYTES:  # says so, and the client asks again over TCP
                end = _read_name(answer, 12)[1] + 4
                answer = answer[:2] + struct.pack(">HHHHH", 0x8380, 1, 0, 0, 0) + answer[12:end]
            self.udp.sendto(answer, peer)

    def _serve_tcp(self):
        while True:
            connection, _ = self.tcp.accept()
            threading.Thread(target=self._serve_connection, args=(connection,), daemon=True).start()

    def _serve_connection(self, connection):
        with connection, connection.makefile("rb") as stream:
            while len(size := stream.read(2)) == 2:
                answer = self._answer(stream.read(struct.unpack(">H", size)[0]))
                if answer is not None:
                    connection.sendall(struct.pack(">H", len(answer)) + answer)

    def _answer(self, question):
        name, end = _read_name(question, 12)
        kind = KINDS.get(struct.unpack_from(">H", question, end)[0], "other")
        before = self.asked.count((name, kind))
        self.asked.append((name, kind))
        records, code = [], 0
        for _ in range(MAX_CHAIN):
            entry = self.zone.get(name)
            if entry == SILENT:
                return None
            if entry is None:
                code = 3  # no such name
                break
            if callable(entry):
                records += [(name, kind, address) for address in entry(kind, before)]
                break
            if "CNAME" not in entry:
                records += [(name, kind, address) for address in entry.get(kind, [])]
                break
            records.append((name, "CNAME", entry["CNAME"]))
            name = entry["CNAME"]
        head = question[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        return head + question[12:end + 4] + b"".join(_record(*record) for record in records)


def _read_name(message, at):
    labels = []
    while size := message[at]:
        labels.append(message[at + 1:at + 1 + size].decode("ascii", "replace").lower())
        at += 1 + size
    return ".".join(labels), at + 1


def _write_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def _record(name, kind, value):
    data = _write_name(value) if kind == "CNAME" else ipaddress.ip_address(value).packed
    return _write_name(name) + struct.pack(">HHIH", NUMBERS[kind], 1, 0, len(data)) + data
