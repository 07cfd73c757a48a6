"""``skerry bench``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from skerry.cli.compile_progress import compile_progress
from skerry.cli.output import print_json
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED
from skerry.games import all_games, find_game
from skerry.lab.simulate import Series, stream_tallies
from skerry.lab.tally import empty_tally


def bench_games(name: str | None, seconds: float, as_json: bool) -> None:
    rows = []
    for game in [find_game(name)] if name else all_games():
        if not as_json:
            print(f"Measuring {game.title} …", file=sys.stderr)
        with compile_progress(game.title):
            rows += [_measure_game(game, cores, seconds) for cores in dict.fromkeys((1, os.cpu_count() or 1))]
        if not INTERPRETED:
            rows.append(_interpreted(game, seconds))
    if as_json:
        print_json(rows)
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("game", "players", "state", "mode", "cores", "actions/s", "games/s"):
        table.add_column(column, header_style="dim", justify="left" if column in ("game", "mode") else "right")
    for row in rows:
        numbers = (f"{row['actions_per_second']:,.0f}", f"{row['games_per_second']:,.0f}")
        table.add_row(row["game"], str(row["players"]), f"{row['state']} B", row["mode"], str(row["cores"]), *numbers)
    Console(highlight=False).print(table)


def _measure_game(game: Game, cores: int, seconds: float) -> dict[str, Any]:
    mode = "interpreted" if INTERPRETED else "compiled"
    row = {"game": game.name, "players": _players(game), "state": game.state_size, "mode": mode, "cores": cores}
    return row | measure(game, cores, seconds)


def _players(game: Game) -> int:
    return min(4, game.seats[-1])


def measure(game: Game, cores: int, seconds: float) -> dict[str, float]:
    """The speed of uniformly random play, measured for about ``seconds`` seconds."""
    variant = game.configure({"players": _players(game)})
    series = Series(variant, ("random",) * variant.players, games=1 << 40)
    total, start = empty_tally(series), 0.0
    for tally in stream_tallies(series, cores):
        if not start:  # the first chunk may have compiled kernels
            start = time.perf_counter()
            continue
        total += tally
        if time.perf_counter() - start >= seconds:
            break
    took = time.perf_counter() - start
    return {"actions_per_second": total.steps / took, "games_per_second": total.games / took}


def _interpreted(game: Game, seconds: float) -> dict[str, Any]:
    """The same measurement in another process, in which kernels are plain Python."""
    code = (
        "import json; from skerry.cli.bench import _measure_game; from skerry.games import find_game; "
        f"print(json.dumps(_measure_game(find_game({game.name!r}), 1, {seconds})))"
    )
    environment = {**os.environ, "SKERRY_INTERPRET": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout)
    return row
