"""Make the pictures of the terminal in the README: ``make pictures``."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

import skerry
from skerry import bots
from skerry.cli.simulate import print_summary
from skerry.lab import Series, simulate
from skerry.lab.summary import series_summary

HERE = Path(__file__).parent
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def save(console: Console, name: str, title: str) -> None:
    """Write an SVG that uses a monospace font of the reader's system, so that nothing is fetched."""
    svg = console.export_svg(title=title, theme=MONOKAI)
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", FONT)
    svg = "\n".join(line.rstrip(" ") for line in svg.splitlines() if line.strip() and "Generated with" not in line)
    (HERE / name).write_text(svg + "\n", encoding="utf-8")


def recording_console() -> Console:
    return Console(
        record=True, width=100, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )


def draw_terminal() -> None:
    match = skerry.game("forbidden-island", players=4).new(seed=5)
    bot = bots.find(match.game, "skilled")
    while match.state.turns < 6 or match.state.phase:
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, seed=len(match.steps)))
    console = recording_console()
    seat = match.waiting[0]
    console.print(match.game.ui.board(match.view(seat), 100))
    console.print(f"\n[bold]{match.prompt(seat)}[/]")
    save(console, "terminal.svg", "skerry play forbidden-island")


def draw_simulation() -> None:
    series = Series(skerry.game("forbidden-island", players=3), ("skilled",) * 3, 200_000)
    start = time.perf_counter()
    tally = simulate(series)
    summary = series_summary(series, tally) | {"played": tally.games, "seconds": time.perf_counter() - start}
    console = recording_console()
    print_summary(summary, console)
    save(console, "simulate.svg", "skerry simulate forbidden-island --games 200000 --seats skilled --option players=3")


if __name__ == "__main__":
    draw_terminal()
    draw_simulation()
