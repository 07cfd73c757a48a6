"""HA-01: the parser of boards drawn as text."""

from __future__ import annotations

import random

import pytest

import skerry
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.board_text import BadBoard, read_board
from skerry.games.hashi.rules.options import read_printed_board

VALID = """\
# a comment
        o
        |
o-------b-------o
|       |       |
r---b---+---b---r
|   |   |   |   |
o---+---o---+---o
|   |   |   |   |
|   o---o---o   |
|   |       |   |
r---o-------o---r
"""
ROWS = VALID.split("\n")


def edited(line: int, row: str) -> str:
    """The valid board with one line replaced; lines are counted from 1."""
    rows = list(ROWS)
    rows[line - 1] = row
    return "\n".join(rows)


INVALID = {
    "empty": ("", 1, 1, "nothing is drawn"),
    "only water": ("  .\n ..\n", 1, 1, "nothing is drawn"),
    "only a comment": ("# o-o\n", 1, 1, "nothing is drawn"),
    "unknown sign": (edited(4, "o---x---b-------o"), 4, 5, "'x' means nothing"),
    "number": (edited(4, "o-------3-------o"), 4, 9, "'3' means nothing"),
    "double line": (edited(4, "o=======b-------o"), 4, 2, "'=' means nothing"),
    "tab": (edited(3, "\t|"), 3, 1, "a tab has no certain width"),
    "too many islands": (edited(2, "o       o"), 12, 17, "18 islands, not 19"),
    "too few islands": (edited(2, ""), 12, 17, "18 islands, not 17"),
    "too many red flags": (edited(10, "|   o---r---o   |"), 12, 17, "4 islands have a red flag, not 5"),
    "too few red flags": (edited(12, "o---o-------o---r"), 12, 17, "4 islands have a red flag, not 3"),
    "too many blue flags": (edited(10, "|   o---b---o   |"), 10, 9, "3 islands have a blue flag, not 4"),
    "too few blue flags": (edited(4, "o-------o-------o"), 12, 17, "3 islands have a blue flag, not 2"),
    "islands side by side": (
        edited(10, "|   o--oo   o   |").replace("        o\n", "\n", 1),
        10,
        9,
        "two islands touch",
    ),
    "islands on top of each other": (
        edited(9, "|   |   o   |   |").replace("o---+---o---+---o", "o---+-------+---o"),
        10,
        9,
        "two islands touch",
    ),
    "line into the water to the right": (edited(4, "o-------b------ o"), 4, 16, "ends in the water"),
    "line into the water downwards": (edited(11, "|   |            "), 11, 17, "ends in the water"),
    "line off the drawing": (edited(12, "r---o-------o---r--"), 12, 20, "ends in the water"),
    "line from the water": (edited(4, "o ------b-------o"), 4, 3, "belongs to no line"),
    "lone dash": (edited(2, "  -     o"), 2, 3, "belongs to no line"),
    "lone bar": (edited(2, "|       o"), 2, 1, "belongs to no line"),
    "lone crossing": (edited(2, "  +     o"), 2, 3, "belongs to no line"),
    "crossing of one line across": (edited(4, "o---+---b-------o"), 4, 5, "only one line passes"),
    "crossing of one line down": (edited(3, "        +"), 3, 9, "only one line passes"),
    "crossing drawn as a dash": (edited(6, "r---b-------b---r"), 6, 9, "draw a crossing as +"),
    "crossing drawn as a bar": (edited(6, "r---b---|---b---r"), 6, 9, "draw a crossing as +"),
    "island without a line": (edited(3, ""), 2, 9, "no line reaches this island"),
    "too many lines": ("\n" * 201 + "o", 201, 1, "at most 200 lines"),
    "line too long": (" " * 201 + "o\n", 1, 201, "at most 200 signs"),
}


@pytest.mark.rule("HA-01")
@pytest.mark.parametrize(("text", "line", "column", "reason"), INVALID.values(), ids=INVALID.keys())
def test_an_invalid_drawing_is_refused_with_position_and_reason(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(BadBoard) as refusal:
        read_board(text)
    assert (refusal.value.line, refusal.value.column) == (line, column), str(refusal.value)
    assert reason.lower() in str(refusal.value.reason).lower()
    assert f"line {line}, column {column}" in str(refusal.value) and refusal.value.rule == "HA-01"


def test_at_least_20_kinds_of_errors_are_covered() -> None:
    assert len(INVALID) >= 20


@pytest.mark.rule("HA-01")
def test_a_valid_drawing_is_parsed() -> None:
    board = read_board(VALID)
    assert board == read_printed_board("A")
    assert [island.name for island in board.islands[:5]] == ["C1", "A2", "C2", "E2", "A3"]
    assert len(board.lines) == 25
    crossed = {frozenset(board.line_name(line) for line in pair) for pair in board.crossings}
    assert crossed == {frozenset(pair) for pair in (("B3-D3", "C2-C4"), ("B3-B5", "A4-C4"), ("D3-D5", "C4-E4"))}


@pytest.mark.parametrize("across", [2, 3, 7])
@pytest.mark.parametrize("down", [2, 5])
def test_spacing_and_water_do_not_matter(across: int, down: int) -> None:
    rows = read_printed_board("B").picture(across, down)
    assert read_board("\n".join(rows)) == read_printed_board("B")
    assert read_board("\r\n".join(f"  {row}".upper().replace(" ", ".") for row in rows)) == read_printed_board("B")


def test_the_text_of_a_board_is_one_word_that_parses_back() -> None:
    for side in "AB":
        board = read_printed_board(side)
        assert read_board(board.text) == board
        assert " " not in board.text and len(board.text) < 200


def test_random_boards_parse_back_from_their_drawings() -> None:
    """Random boards: lines are left out as long as every island keeps one."""
    chance = random.Random(5)
    for _ in range(100):
        board = read_printed_board(chance.choice("AB"))
        lines = tuple(line for line in board.lines if chance.random() < 0.8)
        if {end for line in lines for end in line} == set(range(18)):
            thinned = Board(board.islands, lines)
            assert read_board(thinned.text) == read_board("\n".join(thinned.picture(4, 2))) == thinned


def test_a_game_can_be_played_on_a_drawn_board() -> None:
    text = read_printed_board("B").text.replace("b-o", "b.o", 1)
    match = skerry.game("hashi", board=text, players=1, start="D5:3").new(seed=0)
    assert match.variant.options["board"] == text
    match.play(0, "confirm")
    assert skerry.replay(match.record()).content == match.content
