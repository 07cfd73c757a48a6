"""A process that compiles a bot's policy into the cache: ``python -m skerry.lab.compile_policy PACKAGE BOT``.

It prints the digest of each kernel that it compiles, and ends with the process that started it.
"""

from __future__ import annotations

import importlib
import sys
from types import FunctionType
from typing import Any

from skerry.bots import find
from skerry.engine.child_process import end_with_parent
from skerry.engine.game import Game
from skerry.engine.kernel_digest import kernel_digest
from skerry.engine.kernel_progress import listening
from skerry.lab.compile_ahead import policy_arguments


def print_digest(function: FunctionType, /) -> None:
    print(kernel_digest(function), flush=True)


def main() -> None:
    package, name = sys.argv[1:]
    end_with_parent()
    game: Game = importlib.import_module(package).GAME
    policy: Any = find(game, name).policy
    with listening(print_digest):
        policy.prepare(*policy_arguments(game))


if __name__ == "__main__":
    main()
