"""What most commands import, for the process that their processes are forks of."""

from __future__ import annotations

import importlib
import os

IMPORTED = ["numba", "skerry.cli", "skerry.cli.games", "skerry.cli.play", "skerry.cli.simulate", "skerry.lab"]

os.environ["SKERRY_INTERPRET"] = "0"  # commands are compiled, whatever the mode of the tests is
for name in IMPORTED:
    importlib.import_module(name)
