"""The address guard of http-fetch against a hostile internet: names, redirects, the environment.

The numbers are those of the list of attacks; the cases that need no network are also in
src/net/ssrf_cases_test.cc. The log of the servers says what was reached (REQ: BLT-4, DEC-6).
"""
import json
import socket
import urllib.parse

import ssrf_rig
from ssrf_rig import OTHER_PUBLIC, PUBLIC, PUBLIC6, Rig

LITERALS = {
    1: ["http://127.0.0.1/", "http://127.0.0.1:8080/", "https://127.0.0.1/"],
    2: ["http://localhost/", "http://LOCALHOST./", "http://a.localhost/"],
    3: ["http://2130706433/"],
    4: ["http://0x7f000001/"],
    5: ["http://0177.0.0.1/"],
    6: ["http://127.1/"],
    7: ["http://0/", "http://0.0.0.0/"],
    8: ["http://127.0.0.1./"],
    9: ["http://[::1]/"],
    10: ["http://[::]/"],
    11: ["http://[::ffff:127.0.0.1]/"],
    12: ["http://[::ffff:a9fe:a9fe]/"],
    13: ["http://[::127.0.0.1]/"],
    14: ["http://[64:ff9b::7f00:1]/"],
    15: ["http://[2002:7f00:1::]/"],
    16: ["http://[fe80::1%25eth0]/", "http://[fe80::1%25lo]/", "http://[fe80::1]/"],
    17: ["http://[fd00:ec2::254]/"],
    18: ["http://[fec0::1]/"],
    19: ["http://[ff02::1]/"],
    20: ["http://169.254.169.254/latest/meta-data/"],
    21: ["http://metadata.google.internal/", "http://metadata/"],
    22: ["http://168.63.129.16/"],
    23: ["http://100.100.100.200/", "http://192.0.0.192/"],
    24: ["http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.0.1/"],
    25: ["http://100.64.0.1/"],
    26: ["http://198.18.0.1/", "http://192.0.2.1/", "http://224.0.0.1/", "http://255.255.255.255/"],
    27: ["http://%31%32%37.0.0.1/"],
    28: ["http://\uff11\uff12\uff17.0.0.1/", "http://127\u30020.0.1/"],
    29: ["http://user:pw@127.0.0.1/", "http://good.test@127.0.0.1/"],
    30: ["http://127.0.0.1#@good.test/"],
    31: ["http://127.0.0.1\\@good.test/", "http://good.test\\@127.0.0.1/"],
    32: ["http:///127.0.0.1/", "http:127.0.0.1/", "http:\\\\127.0.0.1/"],
    33: ["file:///etc/passwd", "FILE:///etc/passwd", "gopher://good.test/", "dict://good.test/", "ftp://good.test/",
         "data:text/plain,x", "jar:http://good.test!/"],
    34: ["http://good.test/\tx", "http://good\r.test/", "http://good.test/\nx", "http://good.test\0/",
         "http://good%00.test/"],
    44: ["http://good.test:22/", "http://good.test:25/", "http://good.test:6379/", "http://good.test:11211/",
         "http://good.test:0/", "http://good.test:99999/", "http://good.test:80:80/"],
}

# Where a redirect must not lead, and what it would reach.
BAD_TARGETS = ["http://127.0.0.1/", "//[::ffff:127.0.0.1]/", "file:///etc/passwd", "http://localhost/",
               "http://loopback.test/", "http://2130706433/", "http://good.test:6379/", "http://user:pw@good.test/",
               "http://metadata.google.internal/", "http://[::1]:8080/"]


def redirecting(target, status=302, host="good.test", scheme="http"):
    query = urllib.parse.urlencode({"status": status, "to": target})
    return f"{scheme}://{host}/redirect?{query}"


class TheRigItself(Rig):
    """A log that misses something would make every other test here worthless."""

    ADDRESSES = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "168.63.129.16", "192.0.2.1", "0.1.2.3", "::1",
                 "fd00:ec2::254", "64:ff9b::7f00:1", "2002:7f00:1::", "240.0.0.1"]

    def allowed_to_reach(self):
        return {(address, port) for address in self.ADDRESSES for port in (80, 6379)}

    def test_every_address_is_reached_and_logged(self):
        for address in self.ADDRESSES:
            for port in (80, 6379):
                socket.create_connection((address, port)).close()
        self.assertEqual(self.reached_elsewhere(), self.allowed_to_reach())


class Literals(Rig):
    def test_cases_1_to_34_and_44_are_refused_and_reach_nothing(self):
        for number, urls in LITERALS.items():
            for url in urls:
                with self.subTest(case=number, url=url):
                    self.refused(url)
        self.assertEqual(self.servers.reached(), set())

    def test_the_same_by_post(self):
        for url in ("http://127.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://good.test:22/"):
            self.refused(url, tool="post", body={"a": 1})
        self.assertEqual(self.servers.reached(), set())


class Names(Rig):
    def test_names_with_a_bad_address_are_refused(self):  # cases 35, 36, 38, 39
        names = ["loopback.test", "private.test", "metadata.test", "zero.test", "loopback6.test", "unique-local.test",
                 "mapped.test", "nat64.test", "6to4.test", "mixed.test", "mixed6.test", "chain.test",
                 "chain-to-localhost.test", "hosts-file.test", "many-and-loopback.test"]
        for name in names:
            with self.subTest(name):
                error = self.error(f"http://{name}/")
                self.assertIn(error["code"], ("E_HOST_NOT_ALLOWED", "E_NETWORK"), error)
        self.assertEqual(self.servers.reached(), set())

    def test_the_error_names_the_address_and_the_way_out(self):
        error = self.refused("http://private.test:8080/x?secret=1")
        self.assertIn("10.0.0.1", error["message"])
        self.assertIn("--allow-host private.test:8080", error["suggestion"])
        self.assertNotIn("secret", json.dumps(error))

    def test_a_name_that_changes_its_address_reaches_only_what_was_judged(self):  # case 37
        self.names.asked.clear()
        self.assertEqual(self.page("http://rebind.test/")["body"], "fine")
        self.refused("http://rebind.test/")
        self.names.asked.clear()
        self.error(redirecting("http://rebind.test/redirect?status=302&to=http%3A%2F%2Frebind.test%2F"))
        self.assertLessEqual(self.servers.reached(), {(PUBLIC, 80)})

    def test_many_addresses_and_loops_end(self):  # case 48
        for name in ("many.test", "loop.test", "empty.test", "no-such-name.test"):
            with self.subTest(name):
                self.fetch(f"http://{name}/", timeoutMs=10000)


class Redirects(Rig):
    def test_redirects_are_judged_like_requests(self):  # case 40
        for status in (301, 302, 303, 307, 308):
            for target in BAD_TARGETS:
                with self.subTest(status=status, target=target):
                    error = self.refused(redirecting(target, status))
                    self.assertNotIn("pw@", json.dumps(error))
                    self.assertIn("http://good.test/redirect was redirected to ", error["message"])
        self.assertEqual(self.servers.reached(), {(PUBLIC, 80)})

    def test_redirects_by_post_are_judged_too(self):
        for status in (301, 302, 303, 307, 308):
            self.refused(redirecting("http://127.0.0.1/", status), tool="post", body={"a": 1})

    def test_a_downgrade_to_http_is_refused(self):  # case 41
        error = self.error(redirecting("http://good.test/", scheme="https"))
        self.assertIn(error["code"], ("E_HOST_NOT_ALLOWED", "E_URL_INVALID", "E_HTTP_RESPONSE"), error)
        self.assertEqual(self.servers.reached(), {(PUBLIC, 443)})

    def test_credentials_and_bodies_stay_with_their_origin(self):  # case 42
        secrets = {"Authorization": "Bearer hunter2", "Cookie": "sid=hunter2", "X-Api-Key": "hunter2"}
        for target in ("http://other.test/echo", "http://good.test:8080/echo"):
            for status in (301, 302, 303, 307, 308):
                for tool, more in (("get", {}), ("post", {"body": {"pin": "hunter2"}})):
                    with self.subTest(target=target, status=status, tool=tool):
                        self.servers.forget()
                        self.fetch(redirecting(target, status), tool=tool, headers=secrets, **more)
                        sent = [request for request in self.servers.requests if request.target == "/echo"]
                        if tool == "get":
                            self.assertEqual(len(sent), 1)
                        for request in sent:
                            self.assertNotIn("hunter2", json.dumps(request.headers))
                            self.assertEqual(request.body, "")

    def test_headers_stay_within_an_origin(self):
        page = self.page(redirecting("/echo"), headers={"Authorization": "Bearer hunter2"})
        self.assertEqual(json.loads(page["body"])["headers"]["authorization"], "Bearer hunter2")

    def test_redirects_have_an_end(self):
        self.error("http://good.test/redirect-for-ever")
        self.assertLessEqual(len(self.servers.requests), 7)


class Environment(Rig):
    def test_proxies_and_configuration_files_are_not_looked_at(self):  # case 43
        self.write({".netrc": "machine good.test login user password hunter2\ndefault login user password hunter2\n",
                    ".curlrc": "proxy = http://127.0.0.1:3128\nheader = \"X-Evil: hunter2\"\n",
                    ".wgetrc": "http_proxy = http://127.0.0.1:3128\n"})
        proxy = "http://127.0.0.1:3128"
        env = {"HOME": str(self.folder), "NETRC": str(self.folder / ".netrc"), "CURL_HOME": str(self.folder)}
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            env[name] = proxy
        page = self.page("http://good.test/echo", env=env)
        self.assertNotIn("hunter2", page["body"])
        self.refused("http://loopback.test/", env=env)
        self.page("https://good.test/ok", env=env)
        self.assertEqual(self.servers.reached(), {(PUBLIC, 80), (PUBLIC, 443)})

    def test_headers_that_unlock_metadata_or_bend_the_request_are_refused(self):
        for name in ("Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Upgrade", "TE",
                     "Metadata-Flavor", "X-aws-ec2-metadata-token", "Metadata"):
            with self.subTest(name):
                error = self.error("http://good.test/echo", headers={name: "x"})
                self.assertEqual(error["code"], "E_TOOL_INVALID_ARGS", error)
                self.assertIn(name.lower(), error["message"].lower())
        for headers in ({"X-A": "b\r\nHost: evil"}, {"X-A": "b\0"}, {"X\nA": "b"}, {"": "b"}, {"X A": "b"}):
            self.assertEqual(self.error("http://good.test/echo", headers=headers)["code"], "E_TOOL_INVALID_ARGS")
        self.assertEqual(self.servers.reached(), set())


class Good(Rig):
    """Case 50: the guard is not in the way."""

    def test_public_hosts_are_reached(self):
        for url in ("http://good.test/ok", "https://good.test/ok", f"http://{PUBLIC}/ok", f"http://[{PUBLIC6}]/ok",
                    "http://good6.test/ok", "http://both.test/ok", "https://www.good.test/ok",
                    "http://good.test:8080/ok", "http://GOOD.test./ok"):
            with self.subTest(url):
                self.assertEqual(self.page(url)["body"], "fine")

    def test_redirects_between_good_hosts_are_followed(self):
        for status in (301, 302, 303, 307, 308):
            page = self.page(redirecting("http://other.test/ok", status))
            self.assertEqual((page["body"], page["status"]), ("fine", 200))
            self.assertTrue(page["url"].startswith("http://good.test/redirect?"), page["url"])
        self.assertEqual(self.page(redirecting("https://good.test/ok"))["body"], "fine")
        self.assertEqual(self.servers.reached(), {(PUBLIC, 80), (PUBLIC, 443), (OTHER_PUBLIC, 80)})

    def test_a_certificate_for_another_name_is_refused(self):
        self.assertEqual(self.error("https://other.test/ok")["code"], "E_TLS")


class Allowed(Rig):
    def allowed_to_reach(self):
        return {("127.0.0.1", 8080)}

    def test_exactly_what_the_operator_named_is_reached(self):  # case 50
        self.assertEqual(self.page("http://127.0.0.1:8080/ok", flags=["--allow-host", "127.0.0.1:8080"])["body"], "fine")
        self.assertEqual(self.page("http://loopback.test:8080/ok", flags=["--allow-host", "loopback.test:8080"])["body"],
                         "fine")
        self.refused("http://127.0.0.1/", flags=["--allow-host", "127.0.0.1:8080"])
        self.refused("http://loopback.test:8080/", flags=["--allow-host", "127.0.0.1:8080"])
        self.refused(redirecting("http://127.0.0.1/"), flags=["--allow-host", "127.0.0.1:8080"])


if __name__ == "__main__":
    ssrf_rig.main()
