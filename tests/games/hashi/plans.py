"""Whole solo games as text:

board A
start 4 C4
card 5x3: write B6; bridge C4-E4 A6-B6 B6-D6
…
"""

from __future__ import annotations

from pathlib import Path

from skerry.games.hashi.puzzles.plan import Plan, Start, read_turn
from skerry.games.hashi.rules.options import board_of

PERFECT = Path(__file__).parent / "perfect.txt"


def read_plans(text: str) -> list[list[str]]:
    """The lines of each game. A game begins with its board."""
    plans: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("board "):
            plans.append([])
        if line and not line.startswith("#"):
            plans[-1].append(line)
    return plans


def read_plan(lines: list[str]) -> tuple[str, Start, Plan]:
    """Parse the lines of a game: its board, start and plan."""
    first, second, *turns = lines
    side, (_, number, place) = first.split()[1], second.split()
    board = board_of(side)
    start = [island.name for island in board.islands].index(place), int(number)
    return side, start, tuple(read_turn(board, _turn(turn)) for turn in turns)


def _turn(line: str) -> str:
    """``card 5x3: write B6; bridge C4-E4`` as ``5x3 B6 C4-E4``."""
    card, _, rest = line.removeprefix("card ").partition(":")
    parts = dict(part.strip().partition(" ")[::2] for part in rest.split(";"))
    return f"{card} {parts.get('write', '-')} {parts.get('bridge', '')}"
