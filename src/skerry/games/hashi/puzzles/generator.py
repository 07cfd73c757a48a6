"""Making new boards by chance: drawn, looked over, and kept only if a perfect game is possible on them.

made = make(seed=7)
made.board, made.hardness.word, made.tries
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from skerry.games.hashi.puzzles.hardness import Hardness, hardness
from skerry.games.hashi.puzzles.solver import Best, perfect
from skerry.games.hashi.rules.board import Board, Island
from skerry.games.hashi.rules.components import ISLANDS, N_BLUE_FLAGS, N_RED_FLAGS
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

SHAPES = ((5, 5), (5, 6), (6, 5), (6, 6), (6, 6), (6, 7), (7, 6), (7, 7))  # rows and columns
CROSSINGS = range(1, 10)
EFFORT = 8.0  # of the solver for one drawing


@dataclass(frozen=True)
class Made:
    board: Board
    best: Best  # a start, an order of cards and a plan that score 60
    hardness: Hardness
    tries: int


def make(seed: int) -> Made:
    """The first good board of a series of drawings: the same for the same seed."""
    chance = random.Random(f"a board of Hashi, {seed}")
    tries = 0
    while True:
        board = sketch(chance)
        if not is_pretty(board):
            continue
        tries += 1
        best = perfect(board, effort=EFFORT)
        if best is not None:
            return Made(board, best, hardness(board), tries)


def sketch(chance: random.Random) -> Board:
    """18 islands on a small grid, in a pattern that is its own mirror image, with all lines between neighbours."""
    rows, columns = chance.choice(SHAPES)
    spots = [(row, column) for row in range(rows) for column in range((columns + 1) // 2)]
    taken: set[tuple[int, int]] = set()
    for row, column in chance.sample(spots, len(spots)):
        both = {(row, column), (row, columns - 1 - column)}
        if len(taken | both) <= ISLANDS:
            taken |= both
    places = sorted(taken)
    flags = _flags(chance, len(places))
    return Board(_islands(places, flags), _all_lines(places))


def _flags(chance: random.Random, count: int) -> list[int]:
    flags = [RED_FLAG] * N_RED_FLAGS + [BLUE_FLAG] * N_BLUE_FLAGS
    flags += [NO_FLAG] * (count - len(flags))
    chance.shuffle(flags)
    return flags


def _islands(places: list[tuple[int, int]], flags: list[int]) -> tuple[Island, ...]:
    """Rows and columns without an island are left out of the count."""
    rows, columns = sorted({row for row, _ in places}), sorted({column for _, column in places})
    return tuple(
        Island(rows.index(row), columns.index(column), flag) for (row, column), flag in zip(places, flags, strict=True)
    )


def _all_lines(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    lines = []
    for i, (row, column) in enumerate(places):
        right = [j for j, place in enumerate(places) if place[0] == row and place[1] > column]
        down = [j for j, place in enumerate(places) if place[1] == column and place[0] > row]
        lines += [(i, min(neighbours, key=lambda j: places[j])) for neighbours in (right, down) if neighbours]
    return tuple(sorted(lines))


def is_pretty(board: Board) -> bool:
    """As many islands as there must be, a few crossings, all in one piece."""
    if len(board.islands) != ISLANDS or len(board.crossings) not in CROSSINGS:
        return False
    group = {0}
    for _ in board.islands:
        group |= {end for line in board.lines if group & set(line) for end in line}
    return len(group) == ISLANDS
