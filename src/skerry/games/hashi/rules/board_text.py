"""The parser of boards drawn as text.

    # islands o, with a red flag r, with a blue flag b
    o---r
    |   |   b     lines - and |, crossings +, water is a space or a dot
    o---+---o
        |   |

A board can also be written in one line, with ``/`` between its rows. Errors name the line and column.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from skerry.engine.errors import BadOption
from skerry.engine.messages import Message, Msgid, say
from skerry.games.hashi.rules.board import Board, Island
from skerry.games.hashi.rules.components import ISLANDS, N_BLUE_FLAGS, N_RED_FLAGS
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, RED_FLAG

FLAGS = {"o": NO_FLAG, "r": RED_FLAG, "b": BLUE_FLAG}
HORIZONTAL, VERTICAL, CROSSING = "-", "|", "+"
WATER = " ."
SIZE_LIMIT = 200  # of rows, and of characters in a row
RIGHT, DOWN = (0, 1), (1, 0)

Place = tuple[int, int]  # row and column of the text, counted from 0


class BadBoard(BadOption):
    """The text is not a valid board: ``line`` and ``column`` of the error, counted from 1, and the reason."""

    def __init__(self, place: Place, reason: Message) -> None:
        self.line, self.column = place[0] + 1, place[1] + 1
        self.reason = reason
        where = {"line": self.line, "column": self.column, "reason": reason}
        super().__init__(Message("the board, line {line}, column {column}: {reason}", where), "HA-01")


@dataclass
class _Picture:
    """The characters of a drawing that are not water, and the places that the lines traced so far pass through."""

    signs: dict[Place, str]
    last: Place
    passed: set[tuple[Place, Place]] = field(default_factory=set)  # place and direction

    def islands(self, kinds: str = "orb") -> list[Place]:
        return sorted(place for place, sign in self.signs.items() if sign in kinds)


def read_board(text: str) -> Board:
    """Parse a board; raises ``BadBoard`` where the text is not one."""
    rows = text.split("\n") if "\n" in text else text.split("/")
    drawing = _read_signs(rows)
    _check_count(drawing, "orb", ISLANDS, "a board has {wanted} islands, not {found}")
    _check_count(drawing, "r", N_RED_FLAGS, "{wanted} islands have a red flag, not {found}")
    _check_count(drawing, "b", N_BLUE_FLAGS, "{wanted} islands have a blue flag, not {found}")
    _check_spacing(drawing)
    lines = [line for place in drawing.islands() for line in _trace_lines(drawing, place)]
    _check_all_signs_used(drawing)
    reached = {place for line in lines for place in line}
    for place in drawing.islands():
        if place not in reached:
            raise BadBoard(place, say("no line reaches this island"))
    return _make_board(drawing, lines)


def _read_signs(rows: list[str]) -> _Picture:
    signs: dict[Place, str] = {}
    last = (0, 0)
    if len(rows) > SIZE_LIMIT:
        raise BadBoard((SIZE_LIMIT, 0), say("a board has at most {limit} lines", limit=SIZE_LIMIT))
    for y, row in enumerate(rows):
        if row.startswith("#"):
            continue
        if len(row) > SIZE_LIMIT:
            raise BadBoard((y, SIZE_LIMIT), say("a line has at most {limit} signs", limit=SIZE_LIMIT))
        for x, sign in enumerate(row.rstrip("\r").lower()):
            if sign not in WATER:
                signs[y, x] = _check_sign(sign, (y, x))
                last = (y, x)
    if not signs:
        raise BadBoard((0, 0), say("nothing is drawn"))
    return _Picture(signs, last)


def _check_sign(sign: str, place: Place) -> str:
    if sign == "\t":
        raise BadBoard(place, say("a tab has no certain width; use spaces"))
    if sign not in (*FLAGS, HORIZONTAL, VERTICAL, CROSSING):
        text = "{sign!r} means nothing; a board is drawn with {known}, spaces and dots"
        raise BadBoard(place, say(text, sign=sign, known="o, r, b, -, |, +"))
    return sign


def _check_count(drawing: _Picture, kinds: str, wanted: int, text: Msgid) -> None:
    """Check how many islands of some kinds there are. The error is placed at the first one too many, or at the end."""
    found = drawing.islands(kinds)
    if len(found) != wanted:
        place = found[wanted] if len(found) > wanted else drawing.last
        raise BadBoard(place, say(text, wanted=wanted, found=len(found)))


def _check_spacing(drawing: _Picture) -> None:
    """Check that no two islands touch: there would be no room for a bridge between them."""
    for y, x in drawing.islands():
        for place in ((y, x + 1), (y + 1, x)):
            if drawing.signs.get(place, HORIZONTAL) in FLAGS:
                raise BadBoard(place, say("two islands touch; leave a place between them"))


def _trace_lines(drawing: _Picture, start: Place) -> Iterable[tuple[Place, Place]]:
    """The lines that run right and down from an island."""
    for direction, sign in ((RIGHT, HORIZONTAL), (DOWN, VERTICAL)):
        place = _next(start, direction)
        if drawing.signs.get(place) in (sign, CROSSING):
            yield start, _trace_line(drawing, place, direction, sign)


def _trace_line(drawing: _Picture, place: Place, direction: Place, sign: str) -> Place:
    while drawing.signs.get(place) in (sign, CROSSING):
        drawing.passed.add((place, direction))
        place = _next(place, direction)
    met = drawing.signs.get(place)
    if met is None:
        raise BadBoard(place, say("the line ends in the water; it must reach an island"))
    if met not in FLAGS:
        raise BadBoard(place, say("two lines meet here; draw a crossing as +"))
    return place


def _next(place: Place, direction: Place) -> Place:
    return place[0] + direction[0], place[1] + direction[1]


def _check_all_signs_used(drawing: _Picture) -> None:
    for place, sign in sorted(drawing.signs.items()):
        if sign in FLAGS:
            continue
        directions = {HORIZONTAL: (RIGHT,), VERTICAL: (DOWN,), CROSSING: (RIGHT, DOWN)}[sign]
        passing = [direction for direction in directions if (place, direction) in drawing.passed]
        if not passing:
            raise BadBoard(place, say("this {sign} belongs to no line; a line begins at an island", sign=sign))
        if len(passing) < len(directions):
            raise BadBoard(place, say("only one line passes this crossing"))


def _make_board(drawing: _Picture, lines: list[tuple[Place, Place]]) -> Board:
    places = drawing.islands()
    rows, columns = sorted({y for y, _ in places}), sorted({x for _, x in places})
    islands = [Island(rows.index(y), columns.index(x), FLAGS[drawing.signs[y, x]]) for y, x in places]
    number = {place: i for i, place in enumerate(places)}
    return Board(tuple(islands), tuple(sorted((number[a], number[b]) for a, b in lines)))
