"""What the end-to-end tests share: running gdn, making bundles, and waiting for events."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

GDN = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
DEADLINE = 120  # seconds; nothing here should come near it

HEAD = "apiVersion: goondan.ai/v1\n"
AGENT = """\
apiVersion: goondan.ai/v1
kind: Model
metadata: { name: m }
spec: { provider: mock, model: mm }
---
apiVersion: goondan.ai/v1
kind: Agent
metadata: { name: a }
spec: { modelConfig: { modelRef: Model/m } }
---
apiVersion: goondan.ai/v1
kind: Swarm
metadata: { name: default }
spec: { entryAgent: Agent/a, agents: [ { ref: Agent/a } ] }
"""


def in_namespaces(*kinds):
    """The command that runs another in namespaces of its own: with the rights of root where these are ours, else with
    those of a user namespace."""
    return ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), *kinds]


class Done:
    def __init__(self, completed):
        self.code = completed.returncode
        self.out = completed.stdout.decode("utf-8", "strict")
        self.err = completed.stderr.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.out)


class GdnTest(unittest.TestCase):
    """Each test has a scratch folder; built plugins are shared between the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls._state = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls._state.cleanup()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def environment(self, **extra):
        return dict(os.environ, GOONDAN_STATE_ROOT=self._state.name, LANG="C.UTF-8", NO_COLOR="1", **extra)

    def gdn(self, *words, stdin=b"", cwd=None, **extra):
        return Done(subprocess.run([GDN, *words], cwd=cwd or self.folder, env=self.environment(**extra), input=stdin,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=DEADLINE))

    def write(self, files):
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode())

    def write_tool(self, name, exports, source, isolation="worker"):
        """A bundle with one native tool. `exports` is a list of names or of (name, parameters)."""
        lines = []
        for export in exports:
            export_name, parameters = export if isinstance(export, tuple) else (export, None)
            lines.append(f"    - name: {export_name}")
            if parameters is not None:
                lines.append(f"      parameters: {json.dumps(parameters)}")
        self.write({
            "goondan.yaml": f"{HEAD}kind: Tool\nmetadata: {{ name: {name} }}\nspec:\n  entry: ./{name}.cc\n"
                            f"  isolation: {isolation}\n  exports:\n" + "\n".join(lines) + "\n",
            f"{name}.cc": "#include <goondan/plugin.h>\nusing namespace goondan;\n" + textwrap.dedent(source),
        })


def main():
    unittest.main(argv=sys.argv[:1], verbosity=1)
