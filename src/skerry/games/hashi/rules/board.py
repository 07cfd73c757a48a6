"""A board: 18 islands, their flags, and the dotted lines on which bridges can be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from skerry.games.hashi.rules.components import LINES
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

FLAG_SIGNS = {NO_FLAG: "o", RED_FLAG: "r", BLUE_FLAG: "b"}
FLAG_NAMES = {NO_FLAG: None, RED_FLAG: "red", BLUE_FLAG: "blue"}


def place_name(row: int, column: int) -> str:
    """The name of an island by its position, such as ``C4``: column letter, row number."""
    return f"{chr(ord('A') + column)}{row + 1}"


@dataclass(frozen=True, order=True)
class Island:
    """An island. Only rows and columns that have islands are counted: the spacing of a drawing does not matter."""

    row: int
    column: int
    flag: int = NO_FLAG

    @property
    def name(self) -> str:
        return place_name(self.row, self.column)


@dataclass(frozen=True)
class Board:
    """Islands in reading order, and lines as sorted pairs of island numbers."""

    islands: tuple[Island, ...]
    lines: tuple[tuple[int, int], ...]

    @property
    def height(self) -> int:
        return 1 + max(island.row for island in self.islands)

    @property
    def width(self) -> int:
        return 1 + max(island.column for island in self.islands)

    @property
    def text(self) -> str:
        """The board as one word, as game records keep it."""
        return "/".join(row.replace(" ", ".").rstrip(".") or "." for row in self.picture())

    def picture(self, across: int = 2, down: int = 2) -> list[str]:
        """The rows of a drawing, with ``across`` and ``down`` characters from one island to the next."""
        grid = [[" "] * (across * (self.width - 1) + 1) for _ in range(down * (self.height - 1) + 1)]
        for first, second in self.lines:
            a, b = self.islands[first], self.islands[second]
            if a.row == b.row:
                _draw(grid, [(down * a.row, x) for x in range(across * a.column + 1, across * b.column)], "-")
            else:
                _draw(grid, [(y, across * a.column) for y in range(down * a.row + 1, down * b.row)], "|")
        for island in self.islands:
            grid[down * island.row][across * island.column] = FLAG_SIGNS[island.flag]
        return ["".join(row).rstrip() for row in grid]

    @cached_property
    def crossings(self) -> tuple[tuple[int, int], ...]:
        """The pairs of lines that cross."""
        pairs = [(i, j) for j in range(len(self.lines)) for i in range(j)]
        return tuple(pair for pair in pairs if self._cross(*pair) or self._cross(*pair[::-1]))

    def _cross(self, horizontal: int, vertical: int) -> bool:
        left, right = (self.islands[i] for i in self.lines[horizontal])
        top, bottom = (self.islands[i] for i in self.lines[vertical])
        return top.row < left.row < bottom.row and left.column < top.column < right.column

    def line_name(self, line: int) -> str:
        return "-".join(self.islands[i].name for i in self.lines[line])

    def numbers(self) -> list[int]:
        """The board as the options struct stores it."""
        islands = [number for i in self.islands for number in (i.row, i.column, i.flag)]
        ends = [end for line in self.lines for end in line]
        return [*islands, len(self.lines), *ends, *[0] * (2 * (LINES - len(self.lines)))]


def _draw(grid: list[list[str]], places: Iterable[tuple[int, int]], sign: str) -> None:
    for y, x in places:
        grid[y][x] = sign if grid[y][x] == " " else "+"
