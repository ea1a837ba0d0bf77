"""What an attacker can reach besides the callback: devices, the listener, what is printed and what lies on the disk."""
import shutil
import socket
import unittest
import urllib.parse

import support
from oauth_support import AttackTest, LONGEST_WAIT
import oauth_faults as faults
from oauth_browser import Browser
from oauth_client import parameters


class Device(AttackTest):
    def device(self, *faults_at_token, interval=1):
        self.write_apps(svc={"flow": "deviceCode"})
        self.world.proxy.fault("/device/auth", faults.edit(interval=interval))
        for fault in faults_at_token:
            self.world.proxy.fault("/token", fault)
        return self.login()

    def test_19_refused(self):  # REQ: OAUTH-8
        login = self.device()
        Browser("alice").refuse_device(login.told["verificationUri"], login.told["userCode"])
        self.assert_refused(login)

    def test_19_expired(self):
        login = self.device(faults.error("authorization_pending"), faults.error("expired_token"))
        self.assert_refused(login)
        self.assertEqual(len(self.world.proxy.requests("/token")), 2)

    def test_19_device_code_is_not_told(self):
        login = self.device(faults.error("access_denied"))
        done = self.assert_refused(login)
        secret = self.world.proxy.requests("/device/auth")[0].reply.json["device_code"]
        self.assertNotIn(secret, done.out + done.err)


class Listener(AttackTest):
    def raw(self, login, text):
        """The status of an answer to what is sent."""
        address = urllib.parse.urlsplit(login.back)
        with socket.create_connection((address.hostname, address.port), timeout=LONGEST_WAIT) as connection:
            connection.sendall(text.replace("\n", "\r\n").encode())
            return int(connection.recv(65536).split(b" ", 2)[1])

    def test_26_answers_only_what_it_is_for(self):
        login = self.login()
        host = urllib.parse.urlsplit(login.back).netloc
        way = urllib.parse.urlsplit(Browser("alice").authorize(login.url))
        good = f"{way.path}?{way.query}"
        cases = [
            ("another path", f"GET /{way.query} HTTP/1.1\nHost: {host}\n\n"),
            ("a longer path", f"GET {way.path}/more?{way.query} HTTP/1.1\nHost: {host}\n\n"),
            ("POST", f"POST {good} HTTP/1.1\nHost: {host}\nContent-Length: 0\n\n"),
            ("HEAD", f"HEAD {good} HTTP/1.1\nHost: {host}\n\n"),
            ("another host", f"GET {good} HTTP/1.1\nHost: evil.example\n\n"),
            ("another port", f"GET {good} HTTP/1.1\nHost: 127.0.0.1:1\n\n"),
            ("localhost", f"GET {good} HTTP/1.1\nHost: localhost:{way.port}\n\n"),
            ("no host", f"GET {good} HTTP/1.1\n\n"),
            ("two hosts", f"GET {good} HTTP/1.1\nHost: {host}\nHost: evil.example\n\n"),
            ("no HTTP", "nonsense\n\n"),
        ]
        for name, text in cases:
            with self.subTest(name):
                status = self.raw(login, text)
                self.assertTrue(400 <= status < 500, status)
        self.assert_ignored(login)

    def test_26_many_connections(self):
        login = self.login()
        address = urllib.parse.urlsplit(login.back)
        idle = [socket.create_connection((address.hostname, address.port), timeout=LONGEST_WAIT) for _ in range(100)]
        try:
            self.complete(login)
        finally:
            for one in idle:
                one.close()


class Secrets(AttackTest):
    def test_27_the_link_holds_no_verifier(self):
        login = self.login()
        self.complete(login)
        form = self.exchanges()[0].form
        asked = parameters(login.url)
        self.assertNotIn(form["code_verifier"], login.url)
        self.assertEqual(asked["code_challenge_method"], "S256")
        self.assertGreaterEqual(len(form["code_verifier"]), 43)
        self.assertGreaterEqual(len(asked["state"]), 22, "128 bits at least")
        self.assertTrue(asked["redirect_uri"].startswith("http://127.0.0.1:"))

    def test_25_no_secret_is_left_anywhere(self):  # REQ: OAUTH-7
        login = self.login()
        browser = Browser("alice")
        page = browser.visit(browser.authorize(login.url))
        self.finish(login)
        self.assertEqual(self.gdn("auth", "status", "svc").code, 0)
        self.listed()
        self.assertEqual(self.gdn("auth", "rotate-key").code, 0)
        form, tokens = self.exchanges()[0].form, self.exchanges()[0].reply.json
        kept = [form["code"], form["code_verifier"], *(tokens[name] for name in
                                                       ("access_token", "refresh_token", "id_token"))]
        files = [path for path in self.state.rglob("*") if path.is_file()]
        self.assertTrue(files)
        on_disk = b"".join(path.read_bytes() + str(path).encode() for path in files)
        for secret in kept:
            for form_of_it in (secret, secret.encode().hex(), urllib.parse.quote(secret, "")):
                self.assertNotIn(form_of_it.encode(), on_disk)
                self.assertNotIn(form_of_it, page.text)
                self.assertNotIn(form_of_it, "".join(self.said))
        self.assertNotIn(login.state.encode(), on_disk)
        self.assertNotIn(b"alice", on_disk)
        for path in (self.state / "oauth").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)


class Files(AttackTest):
    """What somebody changes on the disk is found, and nothing of it is used."""

    def setUp(self):
        super().setUp()
        self.oauth = self.state / "oauth"

    def records(self):
        return {path for path in self.oauth.glob("records-*/*") if path.is_file()}

    def record_of(self, **login):
        """The record of the grant that this login makes; that of the session, with its link, is larger."""
        before = self.records()
        self.connect(**login)
        made = sorted(self.records() - before, key=lambda path: path.stat().st_size)
        self.assertEqual(len(made), 2)
        return made[0]

    def subjects(self):
        return sorted(grant["subject"] for grant in self.grants())

    def test_21_swapped_records(self):
        one, other = self.record_of(subject="global=one"), self.record_of(subject="global=two")
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)
        self.assertEqual(self.subjects(), [])

    def test_22_changed_bytes(self):
        record = self.record_of(subject="global=one")
        self.connect(subject="global=two")
        content = bytearray(record.read_bytes())
        content[len(content) // 2] ^= 1
        record.write_bytes(content)
        self.assertEqual(self.subjects(), ["two"])

    def test_23_an_old_record(self):
        record = self.record_of()
        old = record.read_bytes()
        self.connect()
        self.assertTrue(record.read_bytes() != old)
        record.write_bytes(old)
        self.assertEqual(self.subjects(), [])

    def test_24_keys(self):
        self.connect()
        key = self.oauth / "key"
        good = key.read_bytes()

        def readable():
            key.chmod(0o644)

        def missing():
            key.unlink()

        def wrong():
            other = self.folder / "other"
            self.gdn("auth", "login", "svc", "--subject", "global=t", "--no-browser", "--timeout", "1",
                     "--state-root", str(other))
            shutil.copy(other / "oauth/key", key)

        def link():
            shutil.copy(key, self.folder / "key")
            (self.folder / "key").chmod(0o600)
            key.unlink()
            key.symlink_to(self.folder / "key")

        for change in (readable, missing, wrong, link):
            with self.subTest(change.__name__):
                change()
                before = {path: path.read_bytes() for path in self.records()}
                done = self.gdn("auth", "list", "--json")
                self.assertNotEqual(done.code, 0)
                self.assertIn("E_STORE_KEY", done.err)
                self.assertEqual({path: path.read_bytes() for path in self.records()}, before)
                key.unlink(missing_ok=True)
                key.write_bytes(good)
                key.chmod(0o600)
                self.assertEqual(self.subjects(), ["team"])


if __name__ == "__main__":
    support.main()
