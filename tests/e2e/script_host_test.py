#!/usr/bin/env python3
"""The script host, with the runtime played by the test, on every program that can run it."""
import unittest

import script_host_rig as rig
from script_host_extensions import ExtensionCases
from script_host_old import OldCases
from script_host_old_seeds import OldSeedCases
from script_host_seeds import BunCases, NotBunCases, SeedCases
from script_host_tools import ToolCases


class OnNodeOfPath(rig.OnNodeOfPath, ToolCases, ExtensionCases, OldCases, BunCases, NotBunCases, rig.HostTest):
    """Perhaps an old one: plain JavaScript only."""


class OnNode(rig.OnNode, ToolCases, ExtensionCases, OldCases, SeedCases, OldSeedCases, BunCases, NotBunCases, rig.HostTest):
    pass


class OnBun(rig.OnBun, ToolCases, ExtensionCases, OldCases, SeedCases, OldSeedCases, BunCases, rig.HostTest):
    pass


if __name__ == "__main__":
    unittest.main()
