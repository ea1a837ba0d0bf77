"""What the tests of the address guard share: a network of their own, and `http-fetch` inside it.

Everything that could be reached is logged, so a test can say that nothing else was.
"""
import ipaddress
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import ssrf_network
from ssrf_dns import SILENT, NameServer
from ssrf_servers import Servers
import support
from support import DEADLINE, GDN, Done, GdnTest

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "93.184.216.35"
PUBLIC6 = "2606:2800:220:1:248:1893:25c8:1946"
CERTIFICATE = HERE.parent / "data" / "ssrf" / "good.test.pem"
PUBLIC_NETWORKS = [ipaddress.ip_network(network) for network in ("93.184.0.0/16", PUBLIC6)]
PORTS = (22, 25, 80, 443, 3128, 6379, 8080, 11211)
BLACK_HOLE_PORT = 8081
REFUSALS = ("E_HOST_NOT_ALLOWED", "E_URL_INVALID")

HOSTS = "127.0.0.1 localhost\n::1 localhost\n10.1.2.3 hosts-file.test\n"


def rebind(kind, before):
    """Public when it is first asked for, loopback ever after."""
    if kind != "A":
        return []
    return [PUBLIC] if before == 0 else ["127.0.0.1"]


def many(last):
    return {"A": [f"93.184.{i // 250}.{i % 250 + 1}" for i in range(499)] + [last]}


ZONE = {
    "good.test": {"A": [PUBLIC]},
    "www.good.test": {"CNAME": "good.test"},
    "good6.test": {"AAAA": [PUBLIC6]},
    "both.test": {"A": [PUBLIC], "AAAA": [PUBLIC6]},
    "other.test": {"A": [OTHER_PUBLIC]},
    "loopback.test": {"A": ["127.0.0.1"]},
    "private.test": {"A": ["10.0.0.1"]},
    "metadata.test": {"A": ["169.254.169.254"]},
    "zero.test": {"A": ["0.0.0.0"]},
    "loopback6.test": {"AAAA": ["::1"]},
    "unique-local.test": {"AAAA": ["fd00:ec2::254"]},
    "mapped.test": {"AAAA": ["::ffff:10.0.0.1"]},
    "nat64.test": {"AAAA": ["64:ff9b::7f00:1"]},
    "6to4.test": {"AAAA": ["2002:7f00:1::1"]},
    "mixed.test": {"A": [PUBLIC, "127.0.0.1"]},
    "mixed6.test": {"A": [PUBLIC], "AAAA": ["::1"]},
    "chain.test": {"CNAME": "chain2.test"},
    "chain2.test": {"CNAME": "private.test"},
    "chain-to-localhost.test": {"CNAME": "localhost"},
    "loop.test": {"CNAME": "loop.test"},
    "rebind.test": rebind,
    "many.test": many(PUBLIC),
    "many-and-loopback.test": many("127.0.0.1"),
    "silent.test": SILENT,
    "empty.test": {},
    # Names that are refused though the name server has a public address for them.
    "metadata.google.internal": {"A": [PUBLIC]},
    "metadata": {"A": [PUBLIC]},
    "localhost": {"A": ["127.0.0.1"]},
    "a.localhost": {"A": [PUBLIC]},
}


class Rig(GdnTest):
    servers = None
    names = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if Rig.servers is None:
            ssrf_network.own_every_address()
            ssrf_network.cover("/etc/resolv.conf", "nameserver 127.0.0.1\n")
            ssrf_network.cover("/etc/hosts", HOSTS)
            Rig.servers = Servers(PORTS, CERTIFICATE)
            Rig.names = NameServer(ZONE)
            Rig.black_hole = ssrf_network.black_hole(BLACK_HOLE_PORT)

    def setUp(self):
        super().setUp()
        self.servers.forget()

    def tearDown(self):
        """Whatever a test was about: nothing but the public addresses of the names was ever reached."""
        self.assertEqual(self.reached_elsewhere(), self.allowed_to_reach())
        super().tearDown()

    def reached_elsewhere(self):
        return {(address, port) for address, port in self.servers.reached()
                if not any(ipaddress.ip_address(address) in network for network in PUBLIC_NETWORKS)}

    def allowed_to_reach(self):
        return set()

    def command(self, url, tool, flags, arguments):
        given = json.dumps({"url": url, **arguments})
        return [GDN, "call", f"http-fetch__{tool}", "--input", given, "--json", *flags]

    def environment(self, **extra):
        return super().environment(SSL_CERT_FILE=str(CERTIFICATE), **extra)

    def start(self, url, tool="get", flags=(), env=None, **arguments):
        return subprocess.Popen(self.command(url, tool, flags, arguments), cwd=self.folder,
                                env=self.environment(**(env or {})), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process):
        out, err = process.communicate(timeout=DEADLINE)
        done = Done(subprocess.CompletedProcess(process.args, process.returncode, out, err))
        self.assertIn(done.code, (0, 1), done.err)
        return done.json

    def fetch(self, url, tool="get", flags=(), env=None, **arguments):
        return self.end(self.start(url, tool, flags, env, **arguments))

    def page(self, url, **more):
        """The output of a call that succeeds."""
        result = self.fetch(url, **more)
        self.assertEqual(result["status"], "ok", result)
        return result["output"]

    def error(self, url, **more):
        result = self.fetch(url, **more)
        self.assertEqual(result["status"], "error", f"{url}: {str(result)[:300]}")
        return result["error"]

    def refused(self, url, **more):
        error = self.error(url, **more)
        self.assertIn(error["code"], REFUSALS, f"{url}: {error}")
        return error


def main():
    """Fails, loudly, where the namespaces cannot be made."""
    ssrf_network.enter()
    support.main()
