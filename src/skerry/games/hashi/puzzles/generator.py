"""The generator of random boards. A board is kept only if a perfect game is possible on it.

generated = generate_board(seed=7)
generated.board, generated.difficulty.level, generated.tries
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from skerry.games.hashi.puzzles.difficulty import Difficulty, measure_difficulty
from skerry.games.hashi.puzzles.solver import Solution, find_perfect_game
from skerry.games.hashi.rules.board import Board, Island
from skerry.games.hashi.rules.components import ISLANDS, N_BLUE_FLAGS, N_RED_FLAGS
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

SHAPES = ((5, 5), (5, 6), (6, 5), (6, 6), (6, 6), (6, 7), (7, 6), (7, 7))  # rows and columns
CROSSINGS = range(1, 10)
EFFORT = 8.0  # of the solver for one board


@dataclass(frozen=True)
class GeneratedBoard:
    """A random board on which a perfect game is possible."""

    board: Board
    solution: Solution  # a game with 60 points
    difficulty: Difficulty
    tries: int  # how many boards were solved until this one


def generate_board(seed: int) -> GeneratedBoard:
    """The first good board of a random series; the same for the same seed."""
    rng = random.Random(f"a board of Hashi, {seed}")
    tries = 0
    while True:
        board = random_board(rng)
        if not is_acceptable(board):
            continue
        tries += 1
        solution = find_perfect_game(board, effort=EFFORT)
        if solution is not None:
            return GeneratedBoard(board, solution, measure_difficulty(board), tries)


def random_board(rng: random.Random) -> Board:
    """A random board: 18 islands on a small grid, in a mirror-symmetric pattern, and all lines between neighbours."""
    rows, columns = rng.choice(SHAPES)
    cells = [(row, column) for row in range(rows) for column in range((columns + 1) // 2)]
    taken: set[tuple[int, int]] = set()
    for row, column in rng.sample(cells, len(cells)):
        both = {(row, column), (row, columns - 1 - column)}
        if len(taken | both) <= ISLANDS:
            taken |= both
    places = sorted(taken)
    flags = _flags(rng, len(places))
    return Board(_islands(places, flags), _all_lines(places))


def _flags(rng: random.Random, count: int) -> list[int]:
    flags = [RED_FLAG] * N_RED_FLAGS + [BLUE_FLAG] * N_BLUE_FLAGS
    flags += [NO_FLAG] * (count - len(flags))
    rng.shuffle(flags)
    return flags


def _islands(places: list[tuple[int, int]], flags: list[int]) -> tuple[Island, ...]:
    """Rows and columns without an island are not counted."""
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


def is_acceptable(board: Board) -> bool:
    """Whether a board has all its islands, a suitable number of crossings, and all islands connected."""
    if len(board.islands) != ISLANDS or len(board.crossings) not in CROSSINGS:
        return False
    group = {0}
    for _ in board.islands:
        group |= {end for line in board.lines if group & set(line) for end in line}
    return len(group) == ISLANDS
