"""Programs and packages from npm that tests use. They are in build/npm; a test that needs one fails without it."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NPM = ROOT / "build" / "npm"
NODE = NPM / "bin" / "node"
BUN = NPM / "bin" / "bun"
TSC = NPM / "node_modules" / "typescript" / "bin" / "tsc"


def needed(path):
    """The path as text; fails if it is not there."""
    if not path.exists():
        raise AssertionError(f"{path} is missing: run `sh tests/npm/install.sh build/npm`, or ./dev test")
    return str(path)
