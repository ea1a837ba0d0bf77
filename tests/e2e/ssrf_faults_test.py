"""http-fetch against hosts that are slow, silent, endless or broken: it ends, in bounds, and says why."""
import json
import resource
import time

import ssrf_rig
from ssrf_rig import BLACK_HOLE_PORT, Rig

# Beyond `timeoutMs`: starting the program, perhaps with sanitizers, on a machine that does other work
# too. Below what a wait without a deadline of its own would take (14 s for a silent name server).
SLACK = 8.0
MEMORY_GROWTH_KIB = 64 * 1024


class Faults(Rig):
    def fetch_in_time(self, url, timeout_ms=1000, **more):
        start = time.monotonic()
        result = self.fetch(url, timeoutMs=timeout_ms, **more)
        took = time.monotonic() - start
        self.assertLess(took, timeout_ms / 1000 + SLACK, url)
        return result

    def test_hosts_that_are_slow_or_silent_end_with_the_time(self):  # cases 47, 48
        for url in ("http://good.test/slow", "http://good.test/slow-header", "http://good.test/silent",
                    f"http://good.test:{BLACK_HOLE_PORT}/", f"https://good.test:{BLACK_HOLE_PORT}/",
                    "http://silent.test/"):
            with self.subTest(url):
                result = self.fetch_in_time(url)
                self.assertEqual(result["status"], "error", result)
                self.assertEqual(result["error"]["code"], "E_NETWORK_TIMEOUT", result)

    def test_what_a_call_may_take_bounds_its_timeout(self):
        start = time.monotonic()
        result = self.fetch("http://silent.test/", flags=["--timeout-ms", "1000"])
        self.assertLess(time.monotonic() - start, 1 + SLACK)
        self.assertIn(result["error"]["code"], ("E_NETWORK_TIMEOUT", "E_TOOL_TIMEOUT"))

    def all_at_once(self, url, code, **more):
        """Seconds until the last of twenty programs, started together, has answered."""
        start = time.monotonic()
        for process in [self.start(url, **more) for _ in range(20)]:
            self.assertEqual(self.end(process)["error"]["code"], code)
        return time.monotonic() - start

    def test_a_silent_name_server_holds_up_nobody(self):
        starting = self.all_at_once("http://127.0.0.1/", "E_HOST_NOT_ALLOWED")
        took = self.all_at_once("http://silent.test/", "E_NETWORK_TIMEOUT", timeoutMs=1500)
        print(f"20 calls with a silent name server and timeoutMs 1500: {took * 1000:.0f} ms "
              f"({starting * 1000:.0f} ms to start 20 programs)", flush=True)
        self.assertLess(took, 1.5 + starting + SLACK)

    def test_bodies_without_an_end_are_cut(self):  # case 47
        for path in ("endless", "endless-no-length", "bomb"):
            with self.subTest(path):
                page = self.page(f"http://good.test/{path}", timeoutMs=20000)
                self.assertEqual((len(page["body"]), page["truncated"]), (500000, True))

    def test_a_body_without_a_length_is_read_to_its_end(self):
        page = self.page("http://good.test/no-length")
        self.assertEqual((page["body"], page["truncated"]), ("until the end" * 3, False))

    def test_memory_stays_bounded(self):
        self.refused("http://127.0.0.1/")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        for path in ("endless", "endless-no-length", "bomb", "large-header", "many-headers", "huge-chunk"):
            self.fetch(f"http://good.test/{path}", timeoutMs=2000)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(after - before, MEMORY_GROWTH_KIB)

    def test_answers_that_are_none_are_errors(self):
        for path in ("large-header", "many-headers", "bad-chunk", "huge-chunk", "two-lengths", "not-http",
                     "broken-gzip", "brotli"):
            with self.subTest(path):
                result = self.fetch_in_time(f"http://good.test/{path}", timeout_ms=5000)
                self.assertEqual(result["status"], "error", str(result)[:300])
                self.assertEqual(result["error"]["code"], "E_HTTP_RESPONSE", result)

    def test_a_body_that_was_compressed_twice_is_read(self):
        result = self.fetch_in_time("http://good.test/twice-gzip", timeout_ms=5000)
        self.assertEqual(result["output"]["body"], "twice", result)

    def test_connections_that_break_are_errors(self):
        for path in ("reset", "early-end", "nothing"):
            with self.subTest(path):
                result = self.fetch_in_time(f"http://good.test/{path}", timeout_ms=5000)
                self.assertEqual(result["status"], "error", str(result)[:300])
                self.assertIn(result["error"]["code"], ("E_NETWORK", "E_HTTP_RESPONSE"), result)

    def test_a_cut_never_splits_a_character(self):  # case 49
        page = self.page("http://good.test/split-character", maxBytes=10)
        self.assertEqual((page["body"], page["truncated"]), ("한글한", True))
        page = self.page("http://good.test/split-character")
        self.assertEqual((page["body"], page["truncated"]), ("한글" * 10 + "\ufffd\ufffd", False))
        page = self.page("http://good.test/split-character", maxBytes=0)
        self.assertEqual((page["body"], page["truncated"]), ("", True))

    def test_headers_are_text_whatever_the_server_sends(self):
        page = self.page("http://good.test/header-bytes")
        self.assertEqual((page["statusText"], page["headers"]["x-bytes"]), ("Caf\ufffd", "\ufffd\ufffd"))

    def test_errors_hold_no_query(self):
        for url in ("http://good.test/reset?key=hunter2", "http://no-such-name.test/?key=hunter2",
                    "http://silent.test/?key=hunter2", "http://good.test/not-http?key=hunter2",
                    f"http://good.test:{BLACK_HOLE_PORT}/?key=hunter2"):
            self.assertNotIn("hunter2", json.dumps(self.error(url, timeoutMs=500)))


if __name__ == "__main__":
    ssrf_rig.main()
