"""Plays a game on a server in this process, and prints the kernels that are compiled or loaded on the event loop."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from skerry.engine.numba_kernel import Kernel
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.game_stages import Stage
from skerry.server.settings import Settings
from tests.server.conftest import FREE, Guest, client_of

STEPS = 60
found: list[str] = []
compile_or_load = Kernel.compile


def record(kernel: Any, signature: Any) -> Any:
    if threading.current_thread() is threading.main_thread():
        found.append(f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}")
    return compile_or_load(kernel, signature)


async def play(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Settings(data=Path(folder), pace=0, moment=0, limits=FREE), all_games, find_game)
        async with client_of(app) as client:
            assert await services_in(app).warm_up.wait(find_game(name), Stage.BOTS, 300)
            setattr(Kernel, "compile", record)  # noqa: B010 (mypy sees a method)
            ana = await Guest.register(client, "Ana")
            match = (await ana.open(name, ["me", "skilled"], options={"players": 2}))["id"]
            for _ in range(STEPS):
                view = await ana.view(match, 0)
                if view["result"]:
                    break
                if view["legal"]:
                    await ana.act(match, 0, view["legal"][-1]["action"], view["seq"])
                else:
                    await asyncio.sleep(0.05)


asyncio.run(play(sys.argv[1]))
print(" ".join(sorted(set(found))) or "none")
