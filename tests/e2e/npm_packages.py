"""Programs and packages from npm that tests use. They are in build/npm, or where $GOONDAN_TEST_NPM says; a test that
needs one fails without it."""
import os
import pathlib
import platform

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM = pathlib.Path(os.environ.get("GOONDAN_TEST_NPM", ROOT / "build" / "npm")) / "node_modules"
_MACHINE = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
_BUN_MACHINE = {"x86_64": "x64", "aarch64": "aarch64"}[platform.machine()]

NODE = NPM / f"node-linux-{_MACHINE}" / "bin" / "node"
BUN = NPM / "@oven" / f"bun-linux-{_BUN_MACHINE}" / "bin" / "bun"
if not BUN.exists() and (NPM / "bun" / "bin" / "bun.exe").exists():  # the package that chooses one for the machine
    BUN = NPM / "bun" / "bin" / "bun.exe"
TSC = NPM / "typescript" / "bin" / "tsc"


def needed(path):
    """The path as text; fails if it is not there."""
    if not path.exists():
        raise AssertionError(f"{path} is missing: ./dev test installs it (npm ci in tests/npm)")
    return str(path)
