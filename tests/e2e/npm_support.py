"""What the tests use from npm: `./dev test` puts it into build/npm (see tests/npm)."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import support

PACKAGES = pathlib.Path(__file__).resolve().parents[2] / "build/npm"
MODULES = PACKAGES / "node_modules"
NODE = PACKAGES / "bin/node"


def need_packages():
    """Ends a test program whose packages are not there."""
    if not (PACKAGES / "installed.json").exists():
        sys.exit("no packages of npm; `sh tests/npm/install.sh build/npm` installs them")


def official(name):
    """The command of one of the official MCP servers."""
    return [str(NODE), str(MODULES / "@modelcontextprotocol" / f"server-{name}" / "dist/index.js")]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class HttpServer:
    """A server with a port: started with PORT in its environment, there once the port answers."""

    def __init__(self, command):
        for _ in range(5):
            self.port = free_port()
            self.process = subprocess.Popen(command, env=dict(os.environ, PORT=str(self.port)), start_new_session=True,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL)
            if self._answers():
                return
            self.close()  # somebody else took the port
        raise AssertionError("the server does not start")

    def _answers(self):
        end = time.monotonic() + support.DEADLINE / 2
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                return True
            except OSError:
                time.sleep(0.02)  # nothing tells when a port is there
        return False

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
